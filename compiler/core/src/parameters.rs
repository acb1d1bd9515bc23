//! The tuning parameters that code reads.

use std::collections::BTreeSet;

use ravel_base::Symbol;

use crate::syntax::*;
use crate::visit::Visit;

/// The tuning parameters that code reads, and the functions that it calls.
#[derive(Default)]
struct Reads {
    parameters: Vec<(Symbol, i64)>,
    calls: BTreeSet<Symbol>,
}

impl Visit for Reads {
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

/// The tuning parameters that a function itself reads, with their defaults, each pair once.
pub fn parameters_in(function: &Function) -> Vec<(Symbol, i64)> {
    let mut reads = Reads::default();
    reads.body(&function.body);
    reads.parameters
}

/// The names of the tuning parameters that a call of a function may read, sorted.
pub fn parameters_of(program: &Program, function: Symbol) -> Vec<Symbol> {
    let (mut waiting, mut seen) = (vec![function], BTreeSet::from([function]));
    let mut names = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let Some(function) = program.functions.iter().find(|function| function.name == name) else {
            continue;
        };
        let mut reads = Reads::default();
        reads.body(&function.body);
        names.extend(reads.parameters.iter().map(|(name, _)| *name));
        waiting.extend(reads.calls.into_iter().filter(|&called| seen.insert(called)));
    }
    let mut names: Vec<Symbol> = names.into_iter().collect();
    names.sort_by_key(|name| name.as_str());
    names
}
