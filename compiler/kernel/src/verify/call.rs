//! Verification of functions and of calls of them.

use std::collections::BTreeSet;

use ravel_base::Symbol;

use super::{Checked, Unit, Verifier};
use crate::syntax::*;
use crate::uses::Uses;

/// Checks the functions of a level.
pub(super) fn functions<L: Level>(unit: Unit<'_>) -> Checked {
    let mut names = BTreeSet::new();
    let what = format!("{} function", L::NAME);
    for function in L::functions(unit.program) {
        let mut verifier = Verifier::new(&what, function.name, &function.vars, unit);
        verifier.level = L::NAME;
        let checked = if !unit.target.calls {
            verifier.fail("the target calls no functions")
        } else if !names.insert(function.name) {
            verifier.fail("another function has this name")
        } else {
            verifier.function(function)
        };
        checked.map_err(|error| error.within(&function.origin))?;
    }
    Ok(())
}

impl Verifier<'_> {
    fn function<L: Level>(&mut self, function: &Function<L>) -> Checked {
        for param in &function.params {
            let ty = self.bind(param.var)?;
            if !can_be_passed(ty) || (param.consumed && matches!(ty, Type::Scalar(_))) {
                return self.fail(format!("the parameter {} is {ty}", self.show(param.var)));
            }
        }
        let kept = |var| function.params.iter().any(|param| param.var == var && !param.consumed);
        self.stores_to_consumed(&function.body, &Uses::of_function(function), kept)?;
        let types = self.body(&function.body)?;
        let results = || {
            if types != function.results || !types.iter().all(can_be_passed) {
                return self.fail("the results do not have the stated types");
            }
            let vars = function.body.result.iter().filter_map(|atom| atom.var());
            let blocks: Vec<Var> = vars.filter(|&var| matches!(self.vars[var].ty, Type::Block(_))).collect();
            self.results_are_own(&blocks, kept)
        };
        results().map_err(|error| error.in_results(0))
    }

    pub(super) fn call<L: Level>(&mut self, binders: &[Var], name: Symbol, args: &[Argument]) -> Checked {
        let program = self.program;
        let Some(function) = L::functions(program).iter().find(|function| function.name == name) else {
            return self.fail(format!("there is no {} function \"{name}\"", L::NAME));
        };
        if args.len() != function.params.len() {
            return self.fail(format!(
                "a call of \"{name}\" has {} arguments, not {}",
                args.len(),
                function.params.len()
            ));
        }
        for (arg, param) in args.iter().zip(&function.params) {
            let (found, stated) = (self.atom(arg.value)?, &function.vars[param.var].ty);
            if found != *stated {
                return self.fail(format!("an argument of \"{name}\" is {found}, not {stated}"));
            }
            if arg.consumed != param.consumed {
                let what = match param.consumed {
                    true => "consumes an argument that the call does not mark as consumed",
                    false => "does not consume an argument that the call marks as consumed",
                };
                return self.fail(format!("\"{name}\" {what}"));
            }
        }
        self.expect_types(&function.results, binders, &format!("\"{name}\""))?;
        self.flow(binders)
    }
}

/// Whether a value of this type can be an argument or a result of a function.
fn can_be_passed(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(_) | Type::Block(BlockType { space: Space::Device, .. }))
}
