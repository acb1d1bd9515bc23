//! The structs of values that the operators of reductions and scans combine.

use ravel_abi::plan::{self, Slot};
use ravel_base::{Diagnostic, Symbol};
use ravel_kernel::{Combiner, Finish, Thread, Type, Var, VarTable};
use ravel_prim::PrimType;

use crate::function::{Callee, Function, Names};
use crate::kernel::Kernel;
use crate::scalar::{carrier, from_stored, to_stored};
use crate::segment::Segment;
use crate::shader::{self, Block, Exp, Name};
use crate::statement::failed;

/// The structs of values that the operators of a reduction or scan combine.
pub(crate) struct Values {
    /// The types of the members.
    pub types: Vec<PrimType>,
    /// The struct.
    pub ty: shader::Type,
    /// The function that returns the neutral element.
    pub neutral: Callee,
    /// The function that combines two structs.
    pub combine: Callee,
}

/// Memory of a workgroup that holds structs.
pub(crate) struct ExchangeMemory {
    /// Stores a struct at a position.
    pub put: Callee,
    /// Loads the struct at a position.
    pub get: Callee,
}

impl Values {
    /// The types of the values.
    pub(crate) fn types(vars: &VarTable, combiners: &[Combiner]) -> Vec<PrimType> {
        let scalar = |&var: &Var| match vars[var].ty {
            Type::Scalar(ty) => Some(ty),
            _ => None,
        };
        combiners.iter().flat_map(|combiner| &combiner.left).filter_map(scalar).collect()
    }

    /// Adds the struct, and the functions `neutral` and `combine`. The operators may use the scalars of the workgroup's
    /// body, `outer`.
    pub(crate) fn declare(
        kernel: &mut Kernel,
        outer: Option<&Names>,
        combiners: &[Combiner],
    ) -> Result<Values, Diagnostic> {
        let types = Values::types(kernel.vars, combiners);
        let members: Vec<shader::Type> = types.iter().map(|&ty| shader::Type::scalar(ty)).collect();
        let ty = kernel.structure("Values", &members);

        let mut function = Function::<Thread>::new(kernel, Block::default(), outer);
        let neutral: Vec<_> =
            combiners.iter().flat_map(|combiner| combiner.neutral.iter().copied()).collect();
        let neutral = Exp::construct(ty, function.atoms(&neutral)?);
        let neutral = function.define("neutral", &[], Some(neutral))?;

        let [a, b] = ["a", "b"].map(|name| Exp::name(name, ty));
        let mut function = Function::<Thread>::new(kernel, Values::leave(ty), outer);
        let mut results = Vec::new();
        let mut members = (0..).zip(&members);
        for combiner in combiners {
            for ((&left, &right), (at, &ty)) in combiner.left.iter().zip(&combiner.right).zip(&mut members) {
                function.substitute(left, member(&a, at, ty));
                function.substitute(right, member(&b, at, ty));
            }
            results.extend(function.stms(&combiner.body)?);
        }
        let combine = function.define("combine", &[&a, &b], Some(Exp::construct(ty, results)))?;
        Ok(Values { types, ty, neutral, combine })
    }

    /// The statements that leave a function which returns a struct of this type.
    pub(crate) fn leave(ty: shader::Type) -> Block {
        Block::new(|body| body.return_value(Exp::construct(ty, [])))
    }

    /// The members of a struct.
    pub(crate) fn members(&self, values: &Exp) -> impl Iterator<Item = Exp> {
        (0..).zip(&self.types).map(|(at, &ty)| member(values, at, shader::Type::scalar(ty)))
    }

    /// The struct of another thread of the subgroup. All threads of the subgroup must evaluate this.
    pub(crate) fn shuffle(&self, values: &Exp, from: &Exp) -> Exp {
        let member = |(value, &ty): (Exp, &PrimType)| {
            let ty = carrier(ty);
            Exp::helper("shuffle", ty, ty, [value, from.clone()])
        };
        Exp::construct(self.ty, self.members(values).zip(&self.types).map(member))
    }

    /// Adds `point(i)`, the results of the segment's body at index `i`.
    pub(crate) fn point(&self, kernel: &mut Kernel, segment: &Segment) -> Result<Callee, Diagnostic> {
        let i = index();
        let mut function = Function::<Thread>::new(kernel, Values::leave(self.ty), None);
        if let [(counter, _)] = segment.segment.space[..] {
            function.substitute(counter, i.clone());
        }
        let results = function.stms(segment.body)?;
        function.define("point", &[&i], Some(Exp::construct(self.ty, results)))
    }

    /// Adds `point(i)`, the struct that `get` loads from position `i`.
    pub(crate) fn point_of(&self, kernel: &mut Kernel, get: &Callee) -> Result<Callee, Diagnostic> {
        let i = index();
        let values = get.call([i.clone().convert(PrimType::U32)]);
        Function::<Thread>::new(kernel, Block::default(), None).define("point", &[&i], Some(values))
    }

    /// The bytes of the values.
    pub(crate) fn bytes(types: &[PrimType]) -> usize {
        types.iter().map(|&ty| plan::device_bytes(ty)).sum()
    }

    /// Adds memory with a place for the struct of each thread of a workgroup.
    pub(crate) fn exchange_memory(&self, kernel: &mut Kernel) -> ExchangeMemory {
        let arrays: Vec<Exp> =
            self.types.iter().enumerate().map(|(at, &ty)| kernel.shared_array(at, ty)).collect();
        ExchangeMemory { put: self.put(kernel, "shared", &arrays), get: self.get(kernel, "shared", &arrays) }
    }

    /// Adds workgroup memory for the structs of this number of points.
    pub(crate) fn tile_memory(&self, kernel: &mut Kernel, points: u32) -> ExchangeMemory {
        let types = (0..).zip(&self.types);
        let arrays: Vec<Exp> = types
            .map(|(at, &ty)| kernel.workgroup_array(Name::Numbered("tile_at", at), ty, points))
            .collect();
        ExchangeMemory { put: self.put(kernel, "tile", &arrays), get: self.get(kernel, "tile", &arrays) }
    }

    /// Adds a function that stores a struct at a position of scratch blocks, one for each member.
    pub(crate) fn scratch_put(&self, kernel: &mut Kernel, word: &'static str, blocks: &[Slot]) -> Callee {
        let arrays = self.scratch(kernel, word, blocks, true);
        self.put(kernel, word, &arrays)
    }

    /// Adds a function that loads the struct at a position of scratch blocks, one for each member.
    pub(crate) fn scratch_get(&self, kernel: &mut Kernel, word: &'static str, blocks: &[Slot]) -> Callee {
        let arrays = self.scratch(kernel, word, blocks, false);
        self.get(kernel, word, &arrays)
    }

    fn scratch(&self, kernel: &mut Kernel, word: &'static str, blocks: &[Slot], written: bool) -> Vec<Exp> {
        let blocks = (0..).zip(self.types.iter().zip(blocks));
        blocks.map(|(at, (&ty, &slot))| kernel.block(Name::Numbered(word, at), ty, slot, written)).collect()
    }

    fn put(&self, kernel: &mut Kernel, word: &str, arrays: &[Exp]) -> Callee {
        let (at, values) = (Exp::word("at"), Exp::name("values", self.ty));
        let body = Block::new(|body| {
            for ((array, member), &ty) in arrays.iter().zip(self.members(&values)).zip(&self.types) {
                body.assign(&array.at(&at), to_stored(ty, member));
            }
        });
        let params = [at, values].iter().filter_map(Exp::variable).collect();
        let name = kernel.function(concatenate(word, "put"), params, shader::Type::Nothing, body);
        Callee::new(name, shader::Type::Nothing)
    }

    fn get(&self, kernel: &mut Kernel, word: &str, arrays: &[Exp]) -> Callee {
        let at = Exp::word("at");
        let elements = arrays.iter().zip(&self.types).map(|(array, &ty)| from_stored(ty, array.at(&at)));
        let body = Block::new(|body| body.return_value(Exp::construct(self.ty, elements)));
        let params = at.variable().into_iter().collect();
        Callee::new(kernel.function(concatenate(word, "get"), params, self.ty, body), self.ty)
    }

    /// Adds a function that stores a struct to the `outs` of the operators at these indices, variables of type i64.
    pub(crate) fn finish(
        &self,
        kernel: &mut Kernel,
        combiners: &[Combiner],
        indices: &[Exp],
    ) -> Result<Callee, Diagnostic> {
        let values = Exp::name("values", self.ty);
        let mut function = Function::<Thread>::new(kernel, Block::new(Block::leave), None);
        let outs = combiners.iter().flat_map(|combiner| &combiner.outs);
        for (&out, value) in outs.zip(self.members(&values)) {
            function.store(out, indices, value)?;
        }
        let params: Vec<&Exp> = indices.iter().chain([&values]).collect();
        function.define("finish", &params, None)
    }

    /// Adds a function that runs the code after a scan at an index, with a struct of the prefixes.
    pub(crate) fn continuation(
        &self,
        kernel: &mut Kernel,
        segment: &Segment,
        finish: &Finish,
    ) -> Result<Callee, Diagnostic> {
        let (i, values) = (index(), Exp::name("values", self.ty));
        let mut function = Function::<Thread>::new(kernel, Block::new(Block::leave), None);
        if let [(counter, _)] = segment.segment.space[..] {
            function.substitute(counter, i.clone());
        }
        for (&prefix, value) in finish.prefixes.iter().zip(self.members(&values)) {
            function.substitute(prefix, value);
        }
        function.stms(&finish.body)?;
        function.define("finish", &[&i, &values], None)
    }
}

/// Member number `at` of a struct, of type `ty`.
fn member(values: &Exp, at: u32, ty: shader::Type) -> Exp {
    values.clone().member(Name::Numbered("v", at), ty)
}

/// The index of a point in a space of one dimension.
pub(crate) fn index() -> Exp {
    Exp::name("i", shader::Type::Scalar(PrimType::I64))
}

fn concatenate(word: &str, suffix: &str) -> &'static str {
    Symbol::new(&format!("{word}_{suffix}")).as_str()
}

/// If the thread can fail: leaves the loop if it has failed.
pub(crate) fn stop_if_failed(body: &mut Block, fallible: bool) {
    if fallible {
        body.when(failed(), Block::leave_loop);
    }
}
