//! The loops of host code that run parallel constructs: each iteration starts the segments of these constructs.

use std::collections::HashMap;

use ravel_base::{ConstructId, Symbol};
use ravel_core::visit::Visit;
use ravel_core::{Exp, Program, Stm, Var};

use super::constructs::CoreConstruct;
use super::{Construct, HostLoop};

/// The loops outside of constructs, in the order of the program, except those that run no segment. `constructs` are the
/// numbered constructs of the program, and `described` is the description of each.
pub fn host_loops(
    program: &Program,
    constructs: &[CoreConstruct<'_>],
    described: &[Construct],
) -> Vec<HostLoop> {
    let numbered = constructs.iter().enumerate();
    let positions = numbered.filter_map(|(at, construct)| Some((construct.stm.origin.construct?, at)));
    let positions = positions.collect();
    let mut search = Search { positions, function: Symbol::from(""), found: Vec::new(), open: Vec::new() };
    for function in &program.functions {
        search.function = function.name;
        search.body(&function.body);
    }
    let has_segment = |&at: &usize| !described[at].placement.segments.is_empty();
    search.found.retain(|host_loop| host_loop.constructs.iter().any(has_segment));
    search.found
}

struct Search {
    function: Symbol,
    positions: HashMap<ConstructId, usize>,
    found: Vec<HostLoop>,
    /// The positions in `found` of the loops around the current statement.
    open: Vec<usize>,
}

impl Visit for Search {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        match &stm.exp {
            Exp::Loop(_) => {
                let (function, span) = (self.function, stm.origin.place());
                self.open.push(self.found.len());
                self.found.push(HostLoop { function, span, constructs: Vec::new() });
                self.exp(&stm.exp);
                self.open.pop();
            }
            Exp::Screma(_) | Exp::Stream(_) => {
                let Some(&at) = stm.origin.construct.and_then(|number| self.positions.get(&number)) else {
                    return;
                };
                self.open.iter().for_each(|&open| self.found[open].constructs.push(at));
            }
            exp => self.exp(exp),
        }
    }
}
