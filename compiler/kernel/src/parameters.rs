//! The tuning parameters of a program, by name.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;

use crate::syntax::*;
use crate::visit::Visit;

/// The tuning parameters that a piece of code reads, and the functions that it calls.
#[derive(Default)]
struct ParameterUses {
    names: BTreeSet<Symbol>,
    calls: BTreeSet<Symbol>,
}

impl ParameterUses {
    fn of<L: Level>(body: &Body<L>) -> ParameterUses {
        let mut uses = ParameterUses::default();
        uses.body(body);
        uses
    }
}

impl Visit for ParameterUses {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Let { exp: ScalarExp::Param(name, _), .. } => _ = self.names.insert(*name),
            Stm::Call { function, .. } => _ = self.calls.insert(*function),
            _ => self.children(stm),
        }
    }
}

impl Program {
    /// The names of all tuning parameters of the program, in alphabetical order.
    pub fn parameters(&self) -> Vec<Symbol> {
        let entries = self.entries.iter().map(|entry| ParameterUses::of(&entry.body));
        let hosts = self.host_functions.iter().map(|function| ParameterUses::of(&function.body));
        let threads = self.thread_functions.iter().map(|function| ParameterUses::of(&function.body));
        ordered(entries.chain(hosts).chain(threads).flat_map(|uses| uses.names).collect())
    }

    /// The names of the tuning parameters that an entry point may read, also in the functions that it calls; in
    /// alphabetical order.
    pub fn parameters_of(&self, entry: &Entry) -> Vec<Symbol> {
        let mut functions: BTreeMap<Symbol, Vec<ParameterUses>> = BTreeMap::new();
        for function in &self.host_functions {
            functions.entry(function.name).or_default().push(ParameterUses::of(&function.body));
        }
        for function in &self.thread_functions {
            functions.entry(function.name).or_default().push(ParameterUses::of(&function.body));
        }
        let mut names = BTreeSet::new();
        let mut waiting = vec![ParameterUses::of(&entry.body)];
        while let Some(uses) = waiting.pop() {
            names.extend(uses.names);
            for function in uses.calls {
                waiting.extend(functions.remove(&function).unwrap_or_default());
            }
        }
        ordered(names)
    }
}

fn ordered(names: BTreeSet<Symbol>) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = names.into_iter().collect();
    names.sort_by_key(|name| name.as_str());
    names
}
