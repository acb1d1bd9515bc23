//! Scope and types of statements.

use ravel_base::id::Id;
use ravel_base::{Names, Symbol};
use ravel_prim::{PrimType, PrimValue};
use rustc_hash::FxHashMap;

use super::level::FunctionLevels;
use super::screma::within;
use super::{Verified, fault, require};
use crate::builder::slice_shape;
use crate::print::Namer;
use crate::rename::Substitution;
use crate::syntax::*;

/// Checks scope and types of a function; returns its segments and calls by level.
pub(super) fn function(
    functions: &FxHashMap<Symbol, &Function>,
    function: &Function,
    names: Names,
) -> Verified<FunctionLevels> {
    let vars = &function.vars;
    let unbound = vec![false; vars.len()];
    let mut checker = Checker {
        functions,
        vars,
        names,
        in_scope: unbound.clone(),
        bound: unbound,
        binding_order: Vec::new(),
        level: Level::Grid,
        levels: FunctionLevels::default(),
        bodies: 0,
    };
    for param in &function.params {
        checker.bind(param.var)?;
    }
    let mark = checker.enter();
    for &result in &function.results {
        checker.bind(result)?;
    }
    checker.leave(mark);
    checker.body(&function.body)?;
    checker
        .fits(&function.results, &function.body.result, Substitution::new())
        .map_err(|fault| fault.in_results(0))?;
    Ok(checker.levels)
}

pub(super) struct Checker<'a> {
    functions: &'a FxHashMap<Symbol, &'a Function>,
    pub(super) vars: &'a VarTable,
    names: Names,
    in_scope: Vec<bool>,
    /// Every variable bound so far, in scope or not.
    bound: Vec<bool>,
    /// The variables in scope, in the order of binding.
    binding_order: Vec<Var>,
    /// The level of the segments that are allowed here.
    pub(super) level: Level,
    pub(super) levels: FunctionLevels,
    /// The number of bodies of the current statement that have been checked.
    bodies: usize,
}

impl Checker<'_> {
    fn namer(&self) -> Namer<'_> {
        Namer { vars: self.vars, names: self.names }
    }

    pub(super) fn show(&self, atom: Atom) -> String {
        self.namer().atom(atom)
    }

    pub(super) fn show_type(&self, ty: &Type) -> String {
        self.namer().ty(ty)
    }

    pub(super) fn enter(&self) -> usize {
        self.binding_order.len()
    }

    pub(super) fn leave(&mut self, mark: usize) {
        for var in self.binding_order.drain(mark..) {
            self.in_scope[var.index()] = false;
        }
    }

    /// Brings a variable into scope again that has left it.
    pub(super) fn rebind(&mut self, var: Var) {
        self.in_scope[var.index()] = true;
        self.binding_order.push(var);
    }

    /// Brings a variable into scope.
    pub(super) fn bind(&mut self, var: Var) -> Verified {
        let name = || self.show(Atom::Var(var));
        let Some(info) = self.vars.get(var) else {
            return fault(format!("`{}` is not in the table of variables", name()));
        };
        require(!self.bound[var.index()], || format!("`{}` is bound twice", name()))?;
        for &size in &info.ty.shape {
            let ty = self.ty(size)?;
            let positive = !matches!(size, Atom::Const(PrimValue::I64(size)) if size < 0);
            require(positive && ty == Type::scalar(PrimType::I64), || {
                format!("`{}` is not a size for `{}`", self.show(size), name())
            })?;
        }
        self.bound[var.index()] = true;
        self.in_scope[var.index()] = true;
        self.binding_order.push(var);
        Ok(())
    }

    /// The type of a variable in scope.
    pub(super) fn var(&self, var: Var) -> Verified<&Type> {
        match self.vars.get(var) {
            Some(info) if self.in_scope[var.index()] => Ok(&info.ty),
            _ => fault(format!("`{}` is not in scope", self.show(Atom::Var(var)))),
        }
    }

    /// The type of an atom in scope.
    pub(super) fn ty(&self, atom: Atom) -> Verified<Type> {
        match atom {
            Atom::Var(var) => self.var(var).cloned(),
            Atom::Const(value) => Ok(Type::scalar(value.ty())),
        }
    }

    /// The types of atoms in scope.
    pub(super) fn types(&self, atoms: &[Atom]) -> Verified<Vec<Type>> {
        atoms.iter().map(|&atom| self.ty(atom)).collect()
    }

    /// The type of an array in scope.
    pub(super) fn array(&self, var: Var) -> Verified<&Type> {
        let ty = self.var(var)?;
        require(!ty.is_scalar(), || format!("`{}` is not an array", self.show(Atom::Var(var))))?;
        Ok(ty)
    }

    /// The type of a scalar in scope.
    pub(super) fn scalar(&self, atom: Atom) -> Verified<PrimType> {
        let ty = self.ty(atom)?;
        require(ty.is_scalar(), || format!("`{}` is not a scalar", self.show(atom)))?;
        Ok(ty.elem)
    }

    /// Demands that the atom has this type.
    pub(super) fn expect(&self, atom: Atom, expected: &Type) -> Verified {
        let ty = self.ty(atom)?;
        self.same(&ty, expected, || format!("`{}`", self.show(atom)))
    }

    pub(super) fn expect_scalar(&self, atom: Atom, expected: PrimType) -> Verified {
        self.expect(atom, &Type::scalar(expected))
    }

    /// Demands that the type of `what` is the expected one.
    pub(super) fn same(&self, ty: &Type, expected: &Type, what: impl FnOnce() -> String) -> Verified {
        require(ty == expected, || {
            let (ty, expected) = (self.show_type(ty), self.show_type(expected));
            format!("{} has type {ty}, where {expected} is expected", what())
        })
    }

    /// Demands that the values have the types of the binders. A binder's type may name earlier binders, which stand for
    /// their values, and variables that `substitution` replaces. The values need not be in scope.
    fn fits(&self, binders: &[Var], values: &[Atom], mut substitution: Substitution) -> Verified {
        self.count(values.len(), binders.len())?;
        for (&binder, &value) in binders.iter().zip(values) {
            let expected = substitution.ty(&self.vars[binder].ty);
            let ty = crate::builder::atom_type(self.vars, value);
            self.same(&ty, &expected, || {
                format!("`{}`, given for `{}`,", self.show(value), self.show(Atom::Var(binder)))
            })?;
            substitution.insert(binder, value);
        }
        Ok(())
    }

    fn count(&self, given: usize, expected: usize) -> Verified {
        require(given == expected, || format!("{given} values where {expected} are expected"))
    }

    /// Checks a body and returns the types of its results. Its variables are out of scope afterwards.
    pub(super) fn body(&mut self, body: &Body) -> Verified<Vec<Type>> {
        let mark = self.enter();
        let number = std::mem::take(&mut self.bodies);
        for stm in &body.stms {
            self.stm(stm).map_err(|fault| fault.blame(self.vars, stm))?;
            self.bodies = 0;
        }
        self.bodies = number + 1;
        let types = self.of_results(self.types(&body.result))?;
        self.leave(mark);
        Ok(types)
    }

    /// Blames the results of the body that was checked last.
    pub(super) fn of_results<T>(&self, checked: Verified<T>) -> Verified<T> {
        checked.map_err(|fault| fault.in_results(self.bodies - 1))
    }

    fn stm(&mut self, stm: &Stm) -> Verified {
        let binders = &stm.binders;
        let types = match &stm.exp {
            Exp::If { cond, then, otherwise } => {
                self.expect_scalar(*cond, PrimType::Bool)?;
                self.body(then)?;
                self.body(otherwise)?;
                self.bind_all(binders)?;
                for (number, (side, result)) in
                    [("then", &then.result), ("else", &otherwise.result)].into_iter().enumerate()
                {
                    let fits = self.fits(binders, result, Substitution::new());
                    within(&format!("{side} side"), fits).map_err(|fault| fault.in_results(number))?;
                }
                return Ok(());
            }
            Exp::Loop(looped) => return self.loop_exp(looped, binders),
            Exp::Call(Call { function, args, .. }) => return self.call(stm, *function, args),
            Exp::Assert { cond, values, error } => return self.assertion(*cond, values, error, binders),
            Exp::Scratch => {
                self.fills()?;
                self.bind_all(binders)?;
                self.count(1, binders.len())?;
                return self.array(binders[0]).map(|_| ());
            }
            Exp::Reshape(array) => {
                let elem = self.array(*array)?.elem;
                self.bind_all(binders)?;
                self.count(1, binders.len())?;
                let ty = self.array(binders[0])?;
                return self.same(&Type::scalar(elem), &Type::scalar(ty.elem), || "an element".to_owned());
            }
            Exp::Concat(arrays) => {
                let row = self.concat(arrays)?;
                self.bind_all(binders)?;
                self.count(1, binders.len())?;
                let result = self.array(binders[0])?.row();
                return self.same(&row, &result, || "a row".to_owned());
            }
            Exp::Screma(screma) => self.screma(screma)?,
            Exp::Segment(segment) => self.segment(segment)?,
            Exp::Stream(stream) => self.stream(stream)?,
            exp => vec![self.exp(exp)?],
        };
        self.bind_all(binders)?;
        self.count(types.len(), binders.len())?;
        for (&binder, ty) in binders.iter().zip(&types) {
            self.same(ty, &self.vars[binder].ty, || {
                format!("what is bound to `{}`", self.show(Atom::Var(binder)))
            })?;
        }
        Ok(())
    }

    fn bind_all(&mut self, vars: &[Var]) -> Verified {
        vars.iter().try_for_each(|&var| self.bind(var))
    }

    /// The type of an expression with one result whose type its operands determine.
    fn exp(&self, exp: &Exp) -> Verified<Type> {
        match exp {
            Exp::Atom(atom) => self.ty(*atom),
            Exp::Unary(op, a) => {
                let ty = self.scalar(*a)?;
                require(op.takes(ty), || format!("`{}` does not take {ty}", op.name()))?;
                Ok(Type::scalar(op.result(ty)))
            }
            Exp::Binary(op, a, b) => {
                let ty = self.scalar(*a)?;
                require(op.takes(ty), || format!("`{}` does not take {ty}", op.name()))?;
                self.expect_scalar(*b, ty)?;
                Ok(Type::scalar(ty))
            }
            Exp::Compare(op, a, b) => {
                let ty = self.scalar(*a)?;
                require(op.takes(ty), || format!("`{}` does not take {ty}", op.name()))?;
                self.expect_scalar(*b, ty)?;
                Ok(Type::scalar(PrimType::Bool))
            }
            Exp::Convert(to, a) => self.scalar(*a).map(|_| Type::scalar(*to)),
            Exp::Trust(cond) => {
                self.expect_scalar(*cond, PrimType::Bool)?;
                Ok(Type::scalar(PrimType::Bool))
            }
            Exp::Param(..) => Ok(Type::scalar(PrimType::I64)),
            Exp::ArrayLit(elements) => {
                let Some(&first) = elements.first() else { return fault("an empty array literal") };
                let row = self.ty(first)?;
                elements.iter().try_for_each(|&element| self.expect(element, &row))?;
                Ok(row.array_of(Atom::i64(elements.len() as i64)))
            }
            Exp::Index(array, indices) => {
                let ty = self.array(*array)?;
                require(indices.len() == ty.rank(), || {
                    format!("{} indices into {} dimensions", indices.len(), ty.rank())
                })?;
                indices.iter().try_for_each(|&index| self.expect_scalar(index, PrimType::I64))?;
                Ok(Type::scalar(ty.elem))
            }
            Exp::Slice(array, dims) => self.slice(*array, dims),
            Exp::Update { array, slice, value } => {
                let part = self.slice(*array, slice)?;
                self.expect(*value, &part)?;
                self.var(*array).cloned()
            }
            Exp::Iota { count, start, stride } => {
                self.fills()?;
                self.expect_scalar(*count, PrimType::I64)?;
                Ok(self.iota(*start, *stride)?.array_of(*count))
            }
            Exp::Replicate { count, value } => {
                self.fills()?;
                self.expect_scalar(*count, PrimType::I64)?;
                Ok(self.ty(*value)?.array_of(*count))
            }
            Exp::Copy(array) => self.array(*array).cloned(),
            Exp::Rearrange(array, perm) => {
                let ty = self.permuted(*array, perm)?;
                Ok(Type::array(ty.elem, perm.iter().map(|&dim| ty.shape[dim]).collect()))
            }
            Exp::Manifest(perm, array, cond) => {
                self.expect_scalar(*cond, PrimType::Bool)?;
                self.permuted(*array, perm).cloned()
            }
            _ => fault("an expression whose type its binders determine"),
        }
    }

    /// The type of an array with a permutation of its dimensions.
    fn permuted(&self, array: Var, perm: &[usize]) -> Verified<&Type> {
        let ty = self.array(array)?;
        let mut sorted = perm.to_vec();
        sorted.sort_unstable();
        require(sorted.into_iter().eq(0..ty.rank()), || {
            format!("({perm:?}) is not a permutation of {} dimensions", ty.rank())
        })?;
        Ok(ty)
    }

    /// The type of the elements of an iota.
    pub(super) fn iota(&self, start: Atom, stride: Atom) -> Verified<Type> {
        let ty = self.scalar(start)?;
        require(ty.is_number(), || format!("iota does not count in {ty}"))?;
        self.expect_scalar(stride, ty)?;
        Ok(Type::scalar(ty))
    }

    fn slice(&self, array: Var, dims: &[DimSlice]) -> Verified<Type> {
        let ty = self.array(array)?;
        require(dims.len() == ty.rank(), || {
            format!("a slice of {} entries from {} dimensions", dims.len(), ty.rank())
        })?;
        for dim in dims {
            let parts = match *dim {
                DimSlice::Fix(index) => vec![index],
                DimSlice::Range { start, count, stride } => vec![start, count, stride],
            };
            parts.into_iter().try_for_each(|part| self.expect_scalar(part, PrimType::I64))?;
        }
        Ok(Type::array(ty.elem, slice_shape(dims)))
    }

    /// The type of the rows of these arrays.
    fn concat(&self, arrays: &[Var]) -> Verified<Type> {
        let Some(&first) = arrays.first() else { return fault("nothing to concatenate") };
        let row = self.array(first)?.row();
        for &array in arrays {
            self.same(&self.array(array)?.row(), &row, || {
                format!("a row of `{}`", self.show(Atom::Var(array)))
            })?;
        }
        Ok(row)
    }

    fn assertion(&mut self, cond: Atom, values: &[Atom], error: &ErrorMessage, binders: &[Var]) -> Verified {
        self.expect_scalar(cond, PrimType::Bool)?;
        let types = self.types(values)?;
        for part in &error.parts {
            if let ErrorPart::Value(atom) = part {
                self.scalar(*atom)?;
            }
        }
        self.bind_all(binders)?;
        self.count(values.len(), binders.len())?;
        for (&binder, ty) in binders.iter().zip(types) {
            let expected = &self.vars[binder].ty;
            require(expected.elem == ty.elem && expected.rank() == ty.rank(), || {
                let (ty, expected) = (self.show_type(&ty), self.show_type(expected));
                format!("an assertion cannot make {expected} of {ty}")
            })?;
        }
        Ok(())
    }

    fn loop_exp(&mut self, looped: &Loop, binders: &[Var]) -> Verified {
        let (params, inits): (Vec<Var>, Vec<Atom>) = looped.params.iter().copied().unzip();
        self.types(&inits)?;
        let mark = self.enter();
        self.bind_all(&params)?;
        self.fits(&params, &inits, Substitution::new())?;
        match looped.form {
            LoopForm::For { index, bound } => {
                let ty = self.scalar(bound)?;
                require(ty.is_integer(), || format!("a loop cannot count in {ty}"))?;
                self.bind(index)?;
                self.expect_scalar(Atom::Var(index), ty)?;
            }
            LoopForm::While(cond) => {
                let name = self.show(Atom::Var(cond));
                require(params.contains(&cond), || format!("`{name}` is not a parameter of the loop"))?;
                self.expect_scalar(Atom::Var(cond), PrimType::Bool)?;
            }
        }
        self.body(&looped.body)?;
        self.of_results(self.fits(&params, &looped.body.result, Substitution::new()))?;
        self.leave(mark);
        self.bind_all(binders)?;
        let finals: Vec<Atom> = binders.iter().copied().map(Atom::Var).collect();
        self.fits(&params, &finals, Substitution::new())
    }

    fn call(&mut self, stm: &Stm, name: Symbol, args: &[Atom]) -> Verified {
        let binders = &stm.binders;
        let Some(&function) = self.functions.get(&name) else {
            return fault(format!("there is no function `{name}`"));
        };
        self.record_call(stm, name)?;
        require(args.len() == function.params.len(), || {
            format!("{} arguments for the {} parameters of `{name}`", args.len(), function.params.len())
        })?;
        let mut substitution = Substitution::new();
        for (param, &arg) in function.params.iter().zip(args) {
            self.expect(arg, &declared_type(function, param.var, &substitution)?)?;
            substitution.insert(param.var, arg);
        }
        self.bind_all(binders)?;
        self.count(function.results.len(), binders.len())?;
        for (&result, &binder) in function.results.iter().zip(binders) {
            self.expect(Atom::Var(binder), &declared_type(function, result, &substitution)?)?;
            substitution.insert(result, Atom::Var(binder));
        }
        Ok(())
    }
}

/// The type of a parameter or result of a called function, which may not have been checked yet.
fn declared_type(function: &Function, var: Var, substitution: &Substitution) -> Verified<Type> {
    match function.vars.get(var) {
        Some(info) => Ok(substitution.ty(&info.ty)),
        None => fault(format!("`{}` has a parameter or result without a type", function.name)),
    }
}
