//! The tuning parameters that code asks for.

use std::collections::BTreeSet;

use ravel_base::Symbol;

use crate::syntax::*;
use crate::visit::Visit;

/// What code asks for, and whom it calls.
#[derive(Default)]
struct Asked {
    parameters: Vec<(Symbol, i64)>,
    calls: BTreeSet<Symbol>,
}

impl Visit for Asked {
    fn var(&mut self, _: &Var) {}

    fn binder(&mut self, _: &Var) {}

    fn parameter(&mut self, name: Symbol, default: i64) {
        if !self.parameters.contains(&(name, default)) {
            self.parameters.push((name, default));
        }
    }

    fn stm(&mut self, stm: &Stm) {
        if let Exp::Call(call) = &stm.exp {
            self.calls.insert(call.function);
        }
        self.exp(&stm.exp);
    }
}

/// The tuning parameters of a function itself with their values where they are not set, each pair once.
pub fn parameters_in(function: &Function) -> Vec<(Symbol, i64)> {
    let mut asked = Asked::default();
    asked.body(&function.body);
    asked.parameters
}

/// The names of the tuning parameters on which a call of a function may depend, in their order.
pub fn parameters_of(program: &Program, function: Symbol) -> Vec<Symbol> {
    let (mut waiting, mut seen) = (vec![function], BTreeSet::from([function]));
    let mut names = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let Some(function) = program.functions.iter().find(|function| function.name == name) else {
            continue;
        };
        let mut asked = Asked::default();
        asked.body(&function.body);
        names.extend(asked.parameters.iter().map(|(name, _)| *name));
        waiting.extend(asked.calls.into_iter().filter(|&called| seen.insert(called)));
    }
    let mut names: Vec<Symbol> = names.into_iter().collect();
    names.sort_by_key(|name| name.as_str());
    names
}
