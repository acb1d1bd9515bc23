//! The builder, by which other crates construct core IR.
//!
//! A [`Builder`] owns the variable table of one function and a stack of statement lists. New statements
//! are appended to the innermost list. [`Builder::begin`] opens a nested list (for a branch, a loop
//! body or a lambda), and [`Builder::end`] closes it into a [`Body`]. Every statement gets the
//! origin that was last set with [`Builder::set_origin`].
//!
//! If an expression determines the types of its results, the builder computes them; otherwise they are arguments.
//! The builder rewrites nothing: folding and simplification are passes.

use ravel_base::Symbol;
use ravel_prim::{BinOp, CmpOp, PrimType, UnOp};

use crate::syntax::*;

/// Collects the variables and statements of one function.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    vars: VarTable,
    /// The innermost list.
    stms: Vec<Stm>,
    /// The enclosing lists, outermost first.
    outer: Vec<Vec<Stm>>,
    origin: Origin,
}

impl Builder {
    /// A builder of a new function.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// A builder that adds code to a function with these variables.
    pub fn resume(vars: VarTable) -> Builder {
        Builder { vars, ..Builder::default() }
    }

    /// The variables so far.
    pub fn vars(&self) -> &VarTable {
        &self.vars
    }

    /// The variables so far, to copy code of the function.
    pub fn vars_mut(&mut self) -> &mut VarTable {
        &mut self.vars
    }

    /// The origin that new statements get.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The variables, and the statements of the outermost list.
    pub fn finish(self) -> (VarTable, Vec<Stm>) {
        (self.vars, self.stms)
    }

    /// A function whose body is the outermost list of statements.
    pub fn function(
        self,
        name: Symbol,
        params: Vec<Param>,
        results: Vec<Var>,
        result: Vec<Atom>,
        noinline: bool,
    ) -> Function {
        let body = Body { stms: self.stms, result };
        Function { name, vars: self.vars, params, results, body, noinline, origin: self.origin }
    }

    /// Sets the origin of the statements that follow; returns the previous origin.
    pub fn set_origin(&mut self, origin: Origin) -> Origin {
        std::mem::replace(&mut self.origin, origin)
    }

    /// A new variable, not bound yet.
    pub fn fresh(&mut self, hint: Option<Symbol>, ty: Type) -> Var {
        self.vars.push(VarInfo { hint, ty })
    }

    /// Gives the variable a name, if the atom is a variable without one.
    pub fn name(&mut self, atom: Atom, hint: Symbol) {
        if let Atom::Var(var) = atom {
            self.vars[var].hint.get_or_insert(hint);
        }
    }

    /// The type of an atom.
    pub fn type_of(&self, atom: Atom) -> Type {
        atom_type(&self.vars, atom)
    }

    /// Opens a nested statement list.
    pub fn begin(&mut self) {
        self.outer.push(std::mem::take(&mut self.stms));
    }

    /// Closes the innermost statement list into a body with this result.
    pub fn end(&mut self, result: Vec<Atom>) -> Body {
        let outer = self.outer.pop().expect("`end` closes a list that `begin` opened");
        Body { stms: std::mem::replace(&mut self.stms, outer), result }
    }

    /// The number of statements in the innermost list.
    pub fn statement_count(&self) -> usize {
        self.stms.len()
    }

    /// The open statement lists, outermost first.
    pub fn lists(&self) -> impl Iterator<Item = &[Stm]> {
        self.outer.iter().chain([&self.stms]).map(Vec::as_slice)
    }

    /// Removes and returns the statements of the innermost list after the first `kept`.
    pub fn take_back(&mut self, kept: usize) -> Vec<Stm> {
        self.stms.split_off(kept.min(self.stms.len()))
    }

    /// A nested body with the statements that `write` adds.
    pub fn body(&mut self, write: impl FnOnce(&mut Builder) -> Vec<Atom>) -> Body {
        self.begin();
        let result = write(self);
        self.end(result)
    }

    /// A lambda with fresh parameters of these types.
    pub fn lambda(
        &mut self,
        types: &[Type],
        write: impl FnOnce(&mut Builder, &[Atom]) -> Vec<Atom>,
    ) -> Lambda {
        let params: Vec<Var> = types.iter().map(|ty| self.fresh(None, ty.clone())).collect();
        let atoms: Vec<Atom> = params.iter().map(|&param| Atom::Var(param)).collect();
        let body = self.body(|builder| write(builder, &atoms));
        Lambda { params, body }
    }

    /// The lambda `a b -> op a b` on scalars.
    pub fn operator(&mut self, op: BinOp, ty: PrimType) -> Lambda {
        let types = [Type::scalar(ty), Type::scalar(ty)];
        self.lambda(&types, |builder, args| vec![builder.binary(op, args[0], args[1])])
    }

    /// Adds a complete statement.
    pub fn push(&mut self, stm: Stm) {
        self.stms.push(stm);
    }

    /// Adds `let binders = exp`.
    pub fn emit(&mut self, binders: Vec<Var>, exp: Exp) {
        let origin = self.origin.clone();
        self.stms.push(Stm { binders, exp, origin });
    }

    /// Adds `let x: ty = exp` with a fresh `x`.
    pub fn bind(&mut self, ty: Type, exp: Exp) -> Atom {
        let var = self.fresh(None, ty);
        self.emit(vec![var], exp);
        Atom::Var(var)
    }

    /// Adds `let (x: ty, …) = exp` with fresh binders whose types do not name each other.
    pub fn bind_many(&mut self, types: Vec<Type>, exp: Exp) -> Vec<Atom> {
        let binders: Vec<Var> = types.into_iter().map(|ty| self.fresh(None, ty)).collect();
        self.emit(binders.clone(), exp);
        binders.into_iter().map(Atom::Var).collect()
    }

    /// `op a`.
    pub fn unary(&mut self, op: UnOp, a: Atom) -> Atom {
        let ty = Type::scalar(op.result(self.type_of(a).elem));
        self.bind(ty, Exp::Unary(op, a))
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let ty = self.type_of(a);
        self.bind(ty, Exp::Binary(op, a, b))
    }

    /// The comparison `a op b`.
    pub fn compare(&mut self, op: CmpOp, a: Atom, b: Atom) -> Atom {
        self.bind(Type::scalar(PrimType::Bool), Exp::Compare(op, a, b))
    }

    /// `a` as a value of type `to`.
    pub fn convert(&mut self, to: PrimType, a: Atom) -> Atom {
        self.bind(Type::scalar(to), Exp::Convert(to, a))
    }

    /// A condition that compiled code assumes to hold.
    pub fn trust(&mut self, cond: Atom) -> Atom {
        self.bind(Type::scalar(PrimType::Bool), Exp::Trust(cond))
    }

    /// The array of these elements, all of type `row`.
    pub fn array_lit(&mut self, row: Type, elements: Vec<Atom>) -> Atom {
        let ty = row.array_of(Atom::i64(elements.len() as i64));
        self.bind(ty, Exp::ArrayLit(elements))
    }

    /// The scalar at these indices, one per dimension.
    pub fn index(&mut self, array: Var, indices: Vec<Atom>) -> Atom {
        let elem = self.vars[array].ty.elem;
        self.bind(Type::scalar(elem), Exp::Index(array, indices))
    }

    /// A view of a part of an array, one entry per dimension.
    pub fn slice(&mut self, array: Var, dims: Vec<DimSlice>) -> Atom {
        let ty = Type::array(self.vars[array].ty.elem, slice_shape(&dims));
        self.bind(ty, Exp::Slice(array, dims))
    }

    /// The array with a part replaced.
    pub fn update(&mut self, array: Var, slice: Vec<DimSlice>, value: Atom) -> Atom {
        let ty = self.vars[array].ty.clone();
        self.bind(ty, Exp::Update { array, slice, value })
    }

    /// `start, start+stride, …`, `count` numbers.
    pub fn iota(&mut self, count: Atom, start: Atom, stride: Atom) -> Atom {
        let ty = self.type_of(start).array_of(count);
        self.bind(ty, Exp::Iota { count, start, stride })
    }

    /// An array of `count` copies of the value.
    pub fn replicate(&mut self, count: Atom, value: Atom) -> Atom {
        let ty = self.type_of(value).array_of(count);
        self.bind(ty, Exp::Replicate { count, value })
    }

    /// A fresh copy of an array.
    pub fn copy(&mut self, array: Var) -> Atom {
        let ty = self.vars[array].ty.clone();
        self.bind(ty, Exp::Copy(array))
    }

    /// A view with permuted dimensions; `perm` is a permutation of the dimensions.
    pub fn rearrange(&mut self, array: Var, perm: Vec<usize>) -> Atom {
        let ty = &self.vars[array].ty;
        let ty = Type::array(ty.elem, perm.iter().map(|&dim| ty.shape[dim]).collect());
        self.bind(ty, Exp::Rearrange(array, perm))
    }

    /// The array with a request for its layout, in any case; `perm` lists its dimensions from the outermost in memory to the
    /// innermost.
    pub fn manifest(&mut self, perm: Vec<usize>, array: Var) -> Atom {
        let ty = self.vars[array].ty.clone();
        self.bind(ty, Exp::Manifest(perm, array, Atom::bool(true)))
    }

    /// The same elements in another shape.
    pub fn reshape(&mut self, array: Var, shape: Vec<Atom>) -> Atom {
        let ty = Type::array(self.vars[array].ty.elem, shape);
        self.bind(ty, Exp::Reshape(array))
    }

    /// The arrays concatenated; `count` is the sum of their outer sizes.
    pub fn concat(&mut self, arrays: Vec<Var>, row: Type, count: Atom) -> Atom {
        self.bind(row.array_of(count), Exp::Concat(arrays))
    }

    /// Asserts `cond` and returns `value`. Code that uses the result depends on the check.
    pub fn assert(&mut self, cond: Atom, value: Atom, error: ErrorMessage) -> Atom {
        let ty = self.type_of(value);
        self.bind(ty, Exp::Assert { cond, values: vec![value], error })
    }

    /// A Screma without scans. Its results have the types that the sinks determine.
    pub fn screma(&mut self, width: Atom, sources: Vec<Source>, map: Lambda, sinks: Vec<Sink>) -> Vec<Atom> {
        self.screma_of(Screma { width, sources, map, scans: Vec::new(), post: None, sinks })
    }

    /// A Screma. Its results have the types that the sinks determine.
    pub fn screma_of(&mut self, screma: Screma) -> Vec<Atom> {
        let types = screma_types(&self.vars, &screma);
        self.bind_many(types, Exp::Screma(Box::new(screma)))
    }

    /// A segment. Its results have the types that the sinks and the space determine.
    pub fn segment(&mut self, segment: Segment) -> Vec<Atom> {
        let types = segment_types(&self.vars, &segment);
        self.bind_many(types, Exp::Segment(Box::new(segment)))
    }

    /// A stream. Its results have the types that the sinks determine.
    pub fn stream(&mut self, stream: Stream) -> Vec<Atom> {
        let types = stream.types(&self.vars);
        self.bind_many(types, Exp::Stream(Box::new(stream)))
    }
}

/// The type of an atom.
pub fn atom_type(vars: &VarTable, atom: Atom) -> Type {
    match atom {
        Atom::Var(var) => vars[var].ty.clone(),
        Atom::Const(value) => Type::scalar(value.ty()),
    }
}

/// The shape of a slice: the counts of its ranges.
pub fn slice_shape(dims: &[DimSlice]) -> Vec<Atom> {
    dims.iter()
        .filter_map(|dim| match dim {
            DimSlice::Fix(_) => None,
            DimSlice::Range { count, .. } => Some(*count),
        })
        .collect()
}

/// The types of the results of a Screma, sink by sink.
pub fn screma_types(vars: &VarTable, screma: &Screma) -> Vec<Type> {
    let stream = sink_value_types(vars, screma);
    let mut types = Vec::new();
    for (sink, _, values) in screma.sink_ranges() {
        match sink {
            Sink::Map => types.extend(stream.get(values.start).map(|row| row.array_of(screma.width))),
            Sink::Concat { count, .. } => {
                types.extend(stream.get(values.start).map(|part| part.row().array_of(*count)));
            }
            Sink::Reduce { neutral, .. } => types.extend(neutral.iter().map(|&atom| atom_type(vars, atom))),
            Sink::Write { target, .. } => types.push(vars[*target].ty.clone()),
            Sink::Combine { targets, .. } => {
                types.extend(targets.iter().map(|&target| vars[target].ty.clone()));
            }
        }
    }
    types
}

/// The types of the results of a segment. A mapped, concatenated or reduced result is an array over the outer dimensions.
pub fn segment_types(vars: &VarTable, segment: &Segment) -> Vec<Type> {
    let mut types = screma_types(vars, &segment.screma);
    for (sink, results, _) in segment.screma.sink_ranges() {
        if let Sink::Map | Sink::Concat { .. } | Sink::Reduce { .. } = sink {
            types[results].iter_mut().for_each(|ty| *ty = ty.over(segment.outer_sizes()));
        }
    }
    types
}

/// The types of the values that the sinks of a Screma take at one index, in order.
pub fn sink_value_types(vars: &VarTable, screma: &Screma) -> Vec<Type> {
    let last = screma.post.as_ref().unwrap_or(&screma.map);
    last.body.result.iter().map(|&atom| atom_type(vars, atom)).collect()
}
