//! Versions of functions: one for host code, whose constructs are segments, and one for threads, whose constructs are loops.
//!
//! This is not a rule, since it decides nothing: a thread cannot run a segment, so it calls the function as it was before
//! the rules fired in it.
//!
//! A function gets a second version only if both call it, and the version for host code differs. Host code calls the function
//! under its own name, and threads under another one.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Call, Function, Lambda, Program, Var};

/// The functions that are called at each level, directly or through others.
pub(super) struct Callers {
    /// The functions that run on the host: entry points, and the callees of their code outside lambdas.
    pub(super) by_host: BTreeSet<Symbol>,
    /// The functions that run in threads: the callees of lambdas, and their callees. A function that no entry point reaches
    /// counts as one of them, because its lambdas may call functions of the host too.
    pub(super) by_threads: BTreeSet<Symbol>,
    calls: BTreeMap<Symbol, Calls>,
}

/// The functions that the code of one function calls.
#[derive(Default)]
struct Calls {
    /// Outside of all lambdas.
    outside: BTreeSet<Symbol>,
    /// In lambdas.
    inside: BTreeSet<Symbol>,
    in_lambda: bool,
}

impl Visit for Calls {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn call(&mut self, call: &Call) {
        let callees = if self.in_lambda { &mut self.inside } else { &mut self.outside };
        callees.insert(call.function);
    }

    fn lambda(&mut self, lambda: &Lambda) {
        let outer = std::mem::replace(&mut self.in_lambda, true);
        self.body(&lambda.body);
        self.in_lambda = outer;
    }
}

impl Callers {
    pub(super) fn of(program: &Program) -> Callers {
        let calls = |function: &Function| {
            let mut calls = Calls::default();
            calls.body(&function.body);
            (function.name, calls)
        };
        let calls: BTreeMap<Symbol, Calls> = program.functions.iter().map(calls).collect();
        let reached = |first: BTreeSet<Symbol>, next: &dyn Fn(&Calls) -> Vec<Symbol>| {
            let (mut reached, mut pending) = (BTreeSet::new(), Vec::from_iter(first));
            while let Some(name) = pending.pop() {
                if let (true, Some(calls)) = (reached.insert(name), calls.get(&name)) {
                    pending.extend(next(calls));
                }
            }
            reached
        };
        let entries = program.entries.iter().map(|entry| entry.function).collect();
        let by_host = reached(entries, &|calls| calls.outside.iter().copied().collect());
        let of_host = by_host.iter().filter_map(|name| calls.get(name));
        let inside = of_host.flat_map(|calls| &calls.inside);
        let unreached = calls.keys().filter(|name| !by_host.contains(name));
        let in_threads = inside.chain(unreached).copied().collect();
        let by_threads = reached(in_threads, &|calls| calls.outside.union(&calls.inside).copied().collect());
        Callers { by_host, by_threads, calls }
    }
}

/// Adds the thread versions. `versions` has the functions that flattening changed, with their code from before. A function
/// that calls one of them, and that both host code and threads call, needs a thread version too.
pub(super) fn add_thread_versions(
    program: &mut Program,
    callers: &Callers,
    mut versions: BTreeMap<Symbol, Function>,
) {
    let both: Vec<Symbol> = callers.by_host.intersection(&callers.by_threads).copied().collect();
    loop {
        let calls_one = |name: &Symbol| {
            let calls = callers.calls.get(name);
            calls.is_some_and(|calls| calls.outside.iter().any(|callee| versions.contains_key(callee)))
        };
        let further: Vec<Symbol> =
            both.iter().copied().filter(|name| !versions.contains_key(name) && calls_one(name)).collect();
        if further.is_empty() {
            break;
        }
        let functions = program.functions.iter().filter(|function| further.contains(&function.name));
        versions.extend(functions.map(|function| (function.name, function.clone())));
    }
    let names: BTreeMap<Symbol, Symbol> =
        versions.keys().map(|&name| (name, thread_name(program, name))).collect();
    for mut function in std::mem::take(&mut program.functions) {
        let in_thread = !callers.by_host.contains(&function.name);
        Renaming { names: &names, in_thread }.body(&mut function.body);
        let version = versions.remove(&function.name);
        program.functions.push(function);
        if let Some(mut version) = version {
            Renaming { names: &names, in_thread: true }.body(&mut version.body);
            version.name = names[&version.name];
            program.functions.push(version);
        }
    }
}

/// An unused function name.
fn thread_name(program: &Program, name: Symbol) -> Symbol {
    let is_free = |wanted: &Symbol| program.functions.iter().all(|function| function.name != *wanted);
    let wanted = |more: usize| Symbol::new(&format!("{name}_in_thread{}", "_".repeat(more)));
    (0..).map(wanted).find(is_free).expect("a program has finitely many functions")
}

/// Makes the code of threads call the thread versions.
struct Renaming<'a> {
    names: &'a BTreeMap<Symbol, Symbol>,
    in_thread: bool,
}

impl VisitMut for Renaming<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn call(&mut self, call: &mut Call) {
        if let (true, Some(&name)) = (self.in_thread, self.names.get(&call.function)) {
            call.function = name;
        }
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        let outer = std::mem::replace(&mut self.in_thread, true);
        self.body(&mut lambda.body);
        self.in_thread = outer;
    }
}
