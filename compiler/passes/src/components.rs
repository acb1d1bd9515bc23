//! The connected components of a program's call graph, which threads optimise in parallel.
//!
//! A pass rewrites one function at a time, and looks only at functions of the same component. So a component that is
//! optimised alone gets the same code as within the whole program.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ravel_base::Symbol;
use ravel_core::{Program, statements};

use crate::inline::Calls;

/// Smaller programs are not split: threads would cost more than they save.
const MIN_STATEMENTS: usize = 1_000;

/// The order of the functions and entry points of a program.
#[derive(Debug, Default)]
pub struct Order {
    functions: BTreeMap<Symbol, usize>,
    entries: BTreeMap<Symbol, usize>,
}

impl Order {
    /// The order in this program.
    pub fn of(program: &Program) -> Order {
        let functions = program.functions.iter().enumerate().map(|(at, function)| (function.name, at));
        let entries = program.entries.iter().enumerate().map(|(at, entry)| (entry.name, at));
        Order { functions: functions.collect(), entries: entries.collect() }
    }
}

/// Splits a program into the connected components of its call graph, the largest first. An entry point is in the component
/// of its function. A small program is not split.
pub fn split(program: Program) -> Vec<Program> {
    if size(&program) < MIN_STATEMENTS {
        return vec![program];
    }
    let connected = Calls::of(&program.functions).undirected();
    let mut components: Vec<Program> = Vec::new();
    let mut place: BTreeMap<Symbol, usize> = BTreeMap::new();
    for function in &program.functions {
        if !place.contains_key(&function.name) {
            place.extend(
                connected.reachable([function.name]).into_iter().map(|name| (name, components.len())),
            );
            components.push(Program { functions: Vec::new(), entries: Vec::new() });
        }
    }
    for function in program.functions {
        components[place[&function.name]].functions.push(function);
    }
    for entry in program.entries {
        components[place[&entry.function]].entries.push(entry);
    }
    components.sort_by_key(|component| Reverse(size(component)));
    components
}

fn size(program: &Program) -> usize {
    program.functions.iter().map(|function| statements(&function.body)).sum()
}

/// Joins the components of a program, with functions and entry points in the order of the original.
pub fn join(components: Vec<Program>, order: &Order) -> Program {
    let mut whole = Program { functions: Vec::new(), entries: Vec::new() };
    for component in components {
        whole.functions.extend(component.functions);
        whole.entries.extend(component.entries);
    }
    whole.functions.sort_by_key(|function| order.functions.get(&function.name));
    whole.entries.sort_by_key(|entry| order.entries.get(&entry.name));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A large program of these functions, each with the functions that it calls.
    fn program(functions: &[(&str, &[&str])]) -> Program {
        let mut text = String::new();
        for (name, callees) in functions {
            let call = |(at, callee): (usize, &&str)| format!("let y{at}: i64 = call {callee} (x)\n");
            let calls: String = callees.iter().enumerate().map(call).collect();
            let rest: String = (0..MIN_STATEMENTS).map(|at| format!("let z{at}: i64 = add x x\n")).collect();
            text += &format!("fun {name} (x: i64) -> (r: i64) = {{ {calls} {rest} in z0 }}\n");
        }
        for (name, _) in functions.iter().rev() {
            text += &format!("entry {name} = {name} (x) -> (r)\n");
        }
        ravel_core::parse(&text).expect("a program")
    }

    fn names(components: &[Program]) -> Vec<Vec<&'static str>> {
        let functions =
            |component: &Program| component.functions.iter().map(|function| function.name.as_str()).collect();
        components.iter().map(functions).collect()
    }

    #[test]
    fn functions_connected_by_calls_are_one_component() {
        let whole =
            program(&[("a", &["c"]), ("b", &[]), ("c", &[]), ("d", &["c"]), ("e", &["f"]), ("f", &["e"])]);
        let components = split(whole.clone());
        assert_eq!(names(&components), [vec!["a", "c", "d"], vec!["e", "f"], vec!["b"]]);
        for component in &components {
            assert_eq!(ravel_core::verify(component), Ok(()));
            assert_eq!(component.entries.len(), component.functions.len());
        }
        assert!(join(components, &Order::of(&whole)) == whole);
    }

    #[test]
    fn a_small_program_is_not_split() {
        let text = "fun a () -> () = { in () } fun b () -> () = { in () }";
        assert_eq!(names(&split(ravel_core::parse(text).expect("a program"))), [["a", "b"]]);
    }
}
