//! A function under construction: its statements, the scalars it knows, and the memory it accesses.
//!
//! Positions are computed in 32 bits. Sums of products are exact modulo 2^32, and every position fits.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::{replace, take};

use ravel_abi::plan::{self, Slot};
use ravel_base::Diagnostic;
use ravel_kernel::{Atom, Space, Type, Var, View};
use ravel_prim::{BinOp, PrimType, PrimValue};

use crate::kernel::Kernel;
use crate::operators;
use crate::scalar::{from_stored, to_stored};
use crate::shader::{self, Block, Exp, Name};
use crate::statement::Code;

/// A function under construction, with code of one level.
pub(crate) struct Function<'m, 'a, L: Code> {
    /// The kernel that the function belongs to.
    pub kernel: &'m mut Kernel<'a>,
    /// The state that the translation of statements keeps at this level.
    pub state: L::State,
    /// Whether an assertion can fail in the code built so far.
    pub fails: bool,
    /// The statements that leave the function after a failure.
    pub leave: Block,
    /// The innermost block of statements under construction.
    pub body: Block,
    /// The current nesting depth of blocks of statements.
    pub depth: usize,
    /// The expressions of the scalars bound in the function.
    known: Names,
    /// The expressions of the scalars of the enclosing workgroup's body.
    outer: Option<&'m Names>,
    /// The scalars of the enclosing workgroup's body that the function uses. They become parameters.
    captured: BTreeSet<Var>,
    /// The private blocks.
    private: BTreeMap<Var, Exp>,
    /// Declarations of private blocks. They come first in the function, so that no loop initialises them in each
    /// iteration.
    arrays: Block,
}

/// Scalars with their expressions.
pub(crate) type Names = BTreeMap<Var, Exp>;

/// A finished function, as its callers see it.
pub(crate) struct Callee {
    name: Name,
    result: shader::Type,
    /// The scalars of the enclosing workgroup's body that it takes after its other arguments.
    captured: Vec<Exp>,
    /// Whether the function can fail.
    pub fails: bool,
}

impl Callee {
    /// A function that captures nothing and never fails.
    pub(crate) fn new(name: Name, result: shader::Type) -> Callee {
        Callee { name, result, captured: Vec::new(), fails: false }
    }

    /// A call of the function.
    pub(crate) fn call(&self, args: impl IntoIterator<Item = Exp>) -> Exp {
        Exp::call(self.name, self.result, args.into_iter().chain(self.captured.iter().cloned()))
    }
}

impl<'m, 'a, L: Code> Function<'m, 'a, L> {
    /// A new function; the statements `leave` leave it after a failure. A function of a thread of a workgroup may
    /// use the scalars of the workgroup's body, `outer`.
    pub(crate) fn new(
        kernel: &'m mut Kernel<'a>,
        leave: Block,
        outer: Option<&'m Names>,
    ) -> Function<'m, 'a, L> {
        Function {
            kernel,
            state: L::State::default(),
            fails: false,
            leave,
            body: Block::default(),
            depth: 0,
            known: Names::new(),
            outer,
            captured: BTreeSet::new(),
            private: BTreeMap::new(),
            arrays: Block::default(),
        }
    }

    /// Adds the function to the module. Its name begins with the word; `params` are variables. It returns `result`, if there
    /// is one.
    pub(crate) fn define(
        self,
        word: &'static str,
        params: &[&Exp],
        result: Option<Exp>,
    ) -> Result<Callee, Diagnostic> {
        let mut params: Vec<_> = params.iter().filter_map(|param| param.variable()).collect();
        let mut captured = Vec::new();
        for &var in &self.captured {
            params.push((
                self.kernel.name(var),
                shader::Type::scalar(self.kernel.scalar_type(Atom::Var(var))?),
            ));
            captured.extend(self.outer.and_then(|outer| outer.get(&var)).cloned());
        }
        let ty = result.as_ref().map_or(shader::Type::Nothing, |result| result.ty);
        let Function { kernel, arrays: mut body, body: stms, fails, .. } = self;
        body.append(stms);
        if let Some(result) = result {
            body.return_value(result);
        }
        let name = kernel.function(word, params, ty, body);
        Ok(Callee { name, result: ty, captured, fails })
    }

    /// The kernel, and the scalars that functions of this workgroup's threads may use.
    pub(crate) fn inner(&mut self) -> (&mut Kernel<'a>, &Names) {
        (self.kernel, &self.known)
    }

    /// The statements that `build` adds, as a block of their own, and the result of `build`.
    pub(crate) fn nested<R>(
        &mut self,
        build: impl FnOnce(&mut Self) -> Result<R, Diagnostic>,
    ) -> Result<(Block, R), Diagnostic> {
        let around = take(&mut self.body);
        let result = build(self)?;
        Ok((replace(&mut self.body, around), result))
    }

    /// Replaces a scalar by an expression that needs no evaluation.
    pub(crate) fn substitute(&mut self, var: Var, exp: Exp) {
        self.known.insert(var, exp);
    }

    /// Binds a scalar by a statement.
    pub(crate) fn bind(&mut self, var: Var, exp: Exp) {
        let name = self.body.bind(self.kernel.name(var), exp);
        self.known.insert(var, name);
    }

    /// Binds the counters of an index space to the indices of the point with flat index `at`.
    pub(crate) fn bind_counters(
        &mut self,
        space: &[(Var, Atom)],
        at: &Exp,
        index: Index,
    ) -> Result<(), Diagnostic> {
        let mut rest = at.clone();
        for (dim, &(counter, size)) in space.iter().enumerate().rev() {
            if dim == 0 {
                self.bind(counter, rest.clone().convert(PrimType::I64));
                continue;
            }
            let size = index.of(self.atom(size)?);
            // Nothing runs over an empty space, but a shader that divides by a constant zero is invalid.
            let size = if size == index.literal(0) { index.literal(1) } else { size };
            self.bind(counter, (&rest % &size).convert(PrimType::I64));
            rest = self.body.bind(self.kernel.fresh("rest"), rest / size);
        }
        Ok(())
    }

    /// A scalar as an expression.
    pub(crate) fn atom(&mut self, atom: Atom) -> Result<Exp, Diagnostic> {
        let var = match atom {
            Atom::Const(value) => return Ok(Exp::literal(value)),
            Atom::Var(var) => var,
        };
        if let Some(exp) = self.known.get(&var) {
            return Ok(exp.clone());
        }
        if let Some(exp) = self.outer.and_then(|outer| outer.get(&var)) {
            self.captured.insert(var);
            return Ok(Exp::name(self.kernel.name(var), exp.ty));
        }
        self.kernel.host_scalar(var)
    }

    /// Scalars as expressions.
    pub(crate) fn atoms(&mut self, atoms: &[Atom]) -> Result<Vec<Exp>, Diagnostic> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    /// Declares a private array.
    pub(crate) fn private_array(&mut self, block: Var, elem: PrimType, capacity: u32) {
        let array = self.arrays.declare(self.kernel.name(block), shader::Type::local_array(elem, capacity));
        self.private.insert(block, array);
    }

    /// The element of an array as an expression.
    pub(crate) fn load(&mut self, array: Var, indices: &[Exp]) -> Result<Exp, Diagnostic> {
        let view = self.kernel.view(array)?;
        if let Some(words) = self.words(view, indices)? {
            let ty = view.elem;
            let [low, high] = words.map(|word| {
                let word = Exp::call("atomicLoad", shader::Type::Scalar(PrimType::U32), [word.address()]);
                operators::convert(PrimType::U32, ty, &word)
            });
            let high = operators::binary(BinOp::Shl, ty, &high, &bits_of_word(ty));
            return Ok(operators::binary(BinOp::Or, ty, &low, &high));
        }
        let place = self.place(view, indices, false)?;
        if let shader::Type::Atomic(elem) = place.ty {
            return Ok(Exp::call("atomicLoad", shader::Type::Scalar(elem), [place.address()]));
        }
        Ok(if self.private.contains_key(&view.block) { place } else { from_stored(view.elem, place) })
    }

    /// Writes an element of an array.
    pub(crate) fn store(&mut self, array: Var, indices: &[Exp], value: Exp) -> Result<(), Diagnostic> {
        let view = self.kernel.view(array)?;
        if let Some(words) = self.words(view, indices)? {
            for (word, value) in words.into_iter().zip(self.split(view.elem, value)) {
                self.body.run(Exp::call("atomicStore", shader::Type::Nothing, [word.address(), value]));
            }
            return Ok(());
        }
        let place = self.place(view, indices, true)?;
        if let shader::Type::Atomic(_) = place.ty {
            self.body.run(Exp::call("atomicStore", shader::Type::Nothing, [place.address(), value]));
            return Ok(());
        }
        let is_private = self.private.contains_key(&view.block);
        self.body.assign(&place, if is_private { value } else { to_stored(view.elem, value) });
        Ok(())
    }

    /// Combines a value into an element of an array.
    pub(crate) fn combine(
        &mut self,
        array: Var,
        indices: &[Exp],
        op: BinOp,
        value: Exp,
    ) -> Result<(), Diagnostic> {
        let view = self.kernel.view(array)?;
        let name = match op {
            BinOp::Add => "atomicAdd",
            BinOp::Min => "atomicMin",
            BinOp::Max => "atomicMax",
            BinOp::And => "atomicAnd",
            BinOp::Or => "atomicOr",
            BinOp::Xor => "atomicXor",
            _ => return Err(Diagnostic::bug(format!("wgsl: threads combine by {}", op.name()))),
        };
        let combine = |place: Exp, value: Exp| Exp::call(name, value.ty, [place.address(), value]);
        let Some([low, high]) = self.words(view, indices)? else {
            let place = self.place(view, indices, true)?;
            self.body.run(combine(place, value));
            return Ok(());
        };
        let [low_value, high_value] = self.split(view.elem, value);
        if op != BinOp::Add {
            self.body.run(combine(low, low_value));
            self.body.run(combine(high, high_value));
            return Ok(());
        }
        // Each sum of low words that overflows adds one to the high word, in whatever order threads add.
        let old = self.body.bind(self.kernel.fresh("old"), combine(low, low_value.clone()));
        let carry = Exp::select((old + &low_value).lt(low_value), 1, 0);
        self.body.run(combine(high, high_value + carry));
        Ok(())
    }

    /// The low and the high word of an element of 64 bits into which threads combine: all low words come before all high
    /// ones. `None` for other elements.
    fn words(&mut self, view: &View, indices: &[Exp]) -> Result<Option<[Exp; 2]>, Diagnostic> {
        let array = match self.kernel.workgroup_memory(view.block) {
            Some(array) if plan::device_bytes(view.elem) == 8 => array.clone(),
            _ => return Ok(None),
        };
        let shader::Type::AtomicArray(_, words) = array.ty else { return Ok(None) };
        let position = self.position(view, indices, Some(words / 2))?;
        let position = self.body.bind(self.kernel.fresh("at"), position);
        Ok(Some([array.at(position.clone()), array.at(position + words / 2)]))
    }

    /// The low and the high word of a number of 64 bits.
    fn split(&mut self, ty: PrimType, value: Exp) -> [Exp; 2] {
        let value = self.body.bind(self.kernel.fresh("value"), value);
        let high = operators::binary(BinOp::Lshr, ty, &value, &bits_of_word(ty));
        [value, high].map(|word| {
            let word = operators::convert(ty, PrimType::U32, &word);
            self.body.bind(self.kernel.fresh("word"), word)
        })
    }

    /// The element of a view in its stored type, to be read, or also written if `written`.
    pub(crate) fn place(&mut self, view: &View, indices: &[Exp], written: bool) -> Result<Exp, Diagnostic> {
        let block = view.block;
        let local = self.private.get(&block).or_else(|| self.kernel.workgroup_memory(block)).cloned();
        let position = self.position(view, indices, local.as_ref().and_then(Exp::capacity))?;
        let array = match (local, &self.kernel.vars[block].ty) {
            (Some(local), _) => local,
            (None, Type::Block(ty)) if ty.space == Space::Device => {
                let name = self.kernel.name(block);
                self.kernel.block(name, ty.elem, Slot(block.0), written)
            }
            _ => {
                return Err(Diagnostic::bug(format!(
                    "wgsl: {} is not a block here",
                    self.kernel.name(block)
                )));
            }
        };
        Ok(array.at(position))
    }

    /// The position of an element in its block: `offset + Σ index * stride`, a u32. The constant part is computed here: in
    /// WGSL it is an error if it overflows or lies outside the block. A constant position outside the block is never
    /// accessed, so any other serves.
    fn position(&mut self, view: &View, indices: &[Exp], capacity: Option<u32>) -> Result<Exp, Diagnostic> {
        let mut fixed = 0u32;
        let mut terms = Vec::new();
        let offset = self.atom(view.offset)?;
        match constant_word(&offset) {
            Some(offset) => fixed = offset,
            None => terms.push(low_word(offset)),
        }
        for (index, &stride) in indices.iter().zip(&view.strides) {
            let stride = self.atom(stride)?;
            match (constant_word(index), constant_word(&stride)) {
                (Some(index), Some(stride)) => fixed = fixed.wrapping_add(index.wrapping_mul(stride)),
                (Some(0), _) | (_, Some(0)) => {}
                (_, Some(1)) => terms.push(low_word(index.clone())),
                _ => terms.push(low_word(index.clone()) * low_word(stride)),
            }
        }
        if terms.is_empty() && fixed >= capacity.unwrap_or(i32::MAX as u32) {
            fixed = 0;
        }
        if terms.is_empty() || fixed != 0 {
            terms.insert(0, fixed.into());
        }
        Ok(terms.into_iter().reduce(|sum, term| sum + term).unwrap_or_else(|| 0.into()))
    }
}

/// The type of the numbers of points.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Index {
    /// A u32: there are known to be fewer than 2^32 points.
    #[default]
    Word,
    /// An i64.
    Long,
}

impl Index {
    /// The type.
    pub(crate) fn ty(self) -> PrimType {
        match self {
            Index::Word => PrimType::U32,
            Index::Long => PrimType::I64,
        }
    }

    /// A constant of this type.
    pub(crate) fn literal(self, value: u32) -> Exp {
        Exp::literal(ravel_prim::convert(PrimValue::U32(value), self.ty()))
    }

    /// A variable of this type.
    pub(crate) fn variable(self, name: &'static str) -> Exp {
        Exp::name(name, shader::Type::Scalar(self.ty()))
    }

    /// An i64 expression as one of this type.
    pub(crate) fn of(self, exp: Exp) -> Exp {
        match self {
            Index::Word => low_word(exp),
            Index::Long => exp,
        }
    }

    /// A u32 expression as one of this type.
    pub(crate) fn of_word(self, exp: impl Into<Exp>) -> Exp {
        match self {
            Index::Word => exp.into(),
            Index::Long => exp.into().convert(PrimType::I64),
        }
    }

    /// An expression of this type as a u32.
    pub(crate) fn word(self, exp: Exp) -> Exp {
        match self {
            Index::Word => exp,
            Index::Long => exp.convert(PrimType::U32),
        }
    }
}

/// The number of bits of a word, in this type.
fn bits_of_word(ty: PrimType) -> Exp {
    Exp::literal(ravel_prim::convert(PrimValue::U32(u32::BITS), ty))
}

/// The low 32 bits of an i64 expression.
fn low_word(exp: Exp) -> Exp {
    match constant_word(&exp) {
        Some(word) => word.into(),
        None => exp.convert(PrimType::U32),
    }
}

/// The low 32 bits of an i64 literal.
fn constant_word(exp: &Exp) -> Option<u32> {
    exp.constant()?.as_i64().map(|value| value as u32)
}
