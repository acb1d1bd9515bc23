//! The tuning parameters of a program, by name.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;

use crate::syntax::*;
use crate::visit::Visit;

/// What code asks for and whom it calls.
#[derive(Default)]
struct Asked {
    names: BTreeSet<Symbol>,
    calls: BTreeSet<Symbol>,
}

impl Asked {
    fn of<L: Level>(body: &Body<L>) -> Asked {
        let mut asked = Asked::default();
        asked.body(body);
        asked
    }
}

impl Visit for Asked {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Let { exp: ScalarExp::Param(name, _), .. } => _ = self.names.insert(*name),
            Stm::Call { function, .. } => _ = self.calls.insert(*function),
            _ => self.children(stm),
        }
    }
}

impl Program {
    /// The names of all parameters, in their order.
    pub fn parameters(&self) -> Vec<Symbol> {
        let entries = self.entries.iter().map(|entry| Asked::of(&entry.body));
        let hosts = self.host_functions.iter().map(|function| Asked::of(&function.body));
        let threads = self.thread_functions.iter().map(|function| Asked::of(&function.body));
        ordered(entries.chain(hosts).chain(threads).flat_map(|asked| asked.names).collect())
    }

    /// The names of the parameters that what an entry point does may depend on, in their order.
    pub fn parameters_of(&self, entry: &Entry) -> Vec<Symbol> {
        let mut functions: BTreeMap<Symbol, Vec<Asked>> = BTreeMap::new();
        for function in &self.host_functions {
            functions.entry(function.name).or_default().push(Asked::of(&function.body));
        }
        for function in &self.thread_functions {
            functions.entry(function.name).or_default().push(Asked::of(&function.body));
        }
        let mut names = BTreeSet::new();
        let mut waiting = vec![Asked::of(&entry.body)];
        while let Some(asked) = waiting.pop() {
            names.extend(asked.names);
            for function in asked.calls {
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
