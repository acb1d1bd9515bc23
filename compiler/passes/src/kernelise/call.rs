//! Functions and calls: the representation of arguments and results, at both levels.
//!
//! | in core | passed as |
//! | --- | --- |
//! | a scalar | itself |
//! | an array that the function consumes | the block that holds it row-major from position 0 |
//! | any other array parameter | a block, and the position from which the array is stored row-major |
//! | an array result | like a consumed array, in fresh memory |
//!
//! An array with another layout is copied first. A function cannot know whether an array that it only reads begins at
//! position 0, so it returns a copy instead of its block. So the caller alone owns a returned block, and needs no
//! lineage for it.
//!
//! A function is translated once for each level at which it is called.

use std::collections::BTreeSet;

use ravel_base::{Diagnostic, Limitation};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::level::CodeLevel;
use super::scope::{Array, Cx, Result, Scope, Value};
use crate::arithmetic::ZERO;

/// Translates a function.
pub(super) fn function<L: CodeLevel>(mut cx: Cx<'_>) -> Result<Function<L>> {
    let source = cx.function;
    let (stms, (params, result)) = cx.body::<L, _>(|scope| {
        scope.parameters();
        let mut params = Vec::new();
        for param in &source.params {
            params.extend(scope.param(param)?);
        }
        let mut taken = BTreeSet::new();
        let mut result = Vec::new();
        for value in scope.body(&source.body)? {
            result.push(match value {
                Value::Scalar(atom) => atom,
                Value::Array(array) => Atom::Var(scope.owned_block(&array, &mut taken)?),
            });
        }
        Ok((params, result))
    })?;
    let ty = |atom: &Atom| match *atom {
        Atom::Const(value) => Type::Scalar(value.ty()),
        Atom::Var(var) => cx.vars[var].ty.clone(),
    };
    let results = result.iter().map(ty).collect();
    let (name, origin) = (source.name, source.origin.clone());
    Ok(Function { name, vars: cx.vars, params, results, body: Body { stms, result }, origin })
}

impl<L: CodeLevel> Scope<'_, '_, L> {
    /// Binds a parameter; returns its representation in the head of the function.
    fn param(&mut self, param: &core::Param) -> Result<Vec<FunctionParam>> {
        let var = self.carrier(param.var);
        let ty = self.cx.ty(param.var);
        if ty.is_scalar() {
            self.bind(param.var, Value::Scalar(Atom::Var(var)))?;
            return Ok(vec![FunctionParam { var, consumed: false }]);
        }
        let mut params = vec![FunctionParam { var, consumed: param.consumed }];
        let mut offset = ZERO;
        if !param.consumed {
            let position = self.fresh(None, PrimType::I64);
            params.push(FunctionParam { var: position, consumed: false });
            offset = Atom::Var(position);
        }
        let shape = self.cx.shape(ty)?;
        let array = self.contiguous(self.cx.hint(param.var), ty.elem, &shape, var, offset);
        self.bind(param.var, Value::Array(array))?;
        Ok(params)
    }

    /// Calls a function; binds the binders.
    pub fn call(&mut self, binders: &[core::Var], call: &core::Call) -> Result {
        let &core::Call { function, ref args, path } = call;
        if !self.cx.target.calls {
            return self.cx.limitation(Limitation::Calls);
        }
        let mut given = Vec::new();
        for (index, &arg) in args.iter().enumerate() {
            let consumed = self.cx.summaries.consumes(function, index);
            match self.cx.value(arg)? {
                Value::Scalar(value) => given.push(Argument { value, consumed: false }),
                Value::Array(array) if consumed => {
                    let value = Atom::Var(self.whole(&array)?);
                    given.push(Argument { value, consumed });
                }
                Value::Array(array) => {
                    let View { block, offset, .. } = self.without_gaps(array)?.view;
                    given.extend([Atom::Var(block), offset].map(|value| Argument { value, consumed }));
                }
            }
        }
        let made: Vec<Var> = binders.iter().map(|&binder| self.carrier(binder)).collect();
        for &var in &made {
            self.cx.roots.insert(var, BTreeSet::from([var]));
        }
        let site = path.map(|path| {
            self.cx.message(Message { parts: Vec::new(), cause: Cause::Program, path: Some(path) })
        });
        self.push(Stm::Call { binders: made.clone(), function, args: given, site });
        let Some(functions) = L::called_functions(self.cx.demands) else {
            return Err(Diagnostic::bug("kernelise: the body of a block calls a function"));
        };
        if !functions.contains(&function) {
            functions.push(function);
        }
        self.bind_carriers(binders, &made)
    }

    /// The block of an array result: owned by the caller alone, and different from the blocks in `taken`.
    pub fn owned_block(&mut self, array: &Array, taken: &mut BTreeSet<Var>) -> Result<Var> {
        let mut block = self.whole(array)?;
        if !self.cx.roots_of(block).is_disjoint(taken) {
            block = self.copied(array)?.view.block;
        }
        taken.extend(self.cx.roots_of(block));
        Ok(block)
    }
}
