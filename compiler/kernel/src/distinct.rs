//! Distinct memory: whether two memory blocks are different memory whenever both are in scope.
//!
//! The later one of two blocks decides. An allocation is different from everything before it. What a branch yields is
//! different if both sides are. A merge parameter of a loop is different if its first value and each next one are; for the
//! next values, the parameters of the iteration may be assumed to be different. So if a loop exchanges two parameters, they
//! are different as long as their first values are.
//!
//! The answers are for two blocks of which the code overwrites at least one: no other name in scope refers to a parameter
//! that a function overwrites, and constants are never overwritten.

use std::collections::{BTreeMap, BTreeSet};

use crate::stm_without_bodies;
use crate::syntax::*;
use crate::visit::Visit;

/// Where the blocks of an entry point or a function come from.
#[derive(Default)]
pub struct Distinct {
    /// The blocks that branches and loops yield or merge.
    joins: BTreeMap<Var, Join>,
    /// The position of each binder in the code. Parameters of the whole have none.
    places: BTreeMap<Var, usize>,
}

/// A block that is one of two others.
#[derive(Clone, Copy)]
struct Join {
    /// The statement, by a number. Its joins choose between their two blocks together. The parameters of a loop have another
    /// number than its results.
    choice: usize,
    /// The results of the sides of a branch; the first value and the next one in a loop.
    from: [Var; 2],
}

impl Distinct {
    /// Analyses the code of an entry point or a function.
    pub fn of<L: Level>(body: &Body<L>) -> Distinct {
        let mut finder = Finder::default();
        finder.body(body);
        finder.found
    }

    /// Whether two blocks, of which the code overwrites at least one, are different memory.
    pub fn differ(&self, a: Var, b: Var) -> bool {
        self.differ_if(a, b, &mut BTreeSet::new())
    }

    /// Whether two blocks differ if the pairs in `assumed` do.
    fn differ_if(&self, a: Var, b: Var, assumed: &mut BTreeSet<[Var; 2]>) -> bool {
        if a == b {
            return false;
        }
        let [earlier, later] = if self.places.get(&a) <= self.places.get(&b) { [a, b] } else { [b, a] };
        if !assumed.insert([earlier, later]) {
            return true;
        }
        let Some(join) = self.joins.get(&later) else { return true };
        let others = match self.joins.get(&earlier) {
            Some(other) if other.choice == join.choice => other.from,
            _ => [earlier; 2],
        };
        others.into_iter().zip(join.from).all(|(other, from)| self.differ_if(other, from, assumed))
    }
}

#[derive(Default)]
struct Finder {
    found: Distinct,
    choices: usize,
}

impl Finder {
    /// Records binders that are either the first or the second of two values.
    fn join(&mut self, binders: &[Var], first: &[Atom], second: &[Atom]) {
        self.choices += 1;
        for (&binder, values) in binders.iter().zip(first.iter().zip(second)) {
            if let (Atom::Var(first), Atom::Var(second)) = values {
                let join = Join { choice: self.choices, from: [*first, *second] };
                self.found.joins.insert(binder, join);
            }
        }
    }
}

impl Visit for Finder {
    fn binder(&mut self, var: &Var) {
        let place = self.found.places.len();
        self.found.places.entry(*var).or_insert(place);
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::If { binders, then, otherwise, .. } => self.join(binders, &then.result, &otherwise.result),
            Stm::Loop { binders, params, body, .. } => {
                let (params, first): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
                self.join(&params, &first, &body.result);
                self.join(binders, &first, &body.result);
            }
            Stm::Segment(_) | stm_without_bodies!() => {}
        }
        self.children(stm);
    }
}

#[cfg(test)]
mod tests {
    use super::Distinct;
    use crate::parse;

    /// Whether the blocks of these names differ in a thread with this code.
    fn differ(code: &str, a: &str, b: &str) -> bool {
        let text = format!(
            "entry \"main\" [n] (\"xs\" xs: block f64 [n]) -> () {{
              segment map (i < n) chunk 1i64 {{
                alloc p: block f64 = n
                alloc q: block f64 = n
                {code}
              }}
            }}"
        );
        let program = parse(&text).expect("well-formed");
        let entry = &program.entries[0];
        let named = |name: &str| {
            let mut vars = entry.vars.iter();
            vars.find(|(_, info)| info.hint.is_some_and(|hint| hint.as_str() == name)).expect("a block").0
        };
        let distinct = Distinct::of(&entry.body);
        let (a, b) = (named(a), named(b));
        assert_eq!(distinct.differ(a, b), distinct.differ(b, a));
        distinct.differ(a, b)
    }

    #[test]
    fn allocations_differ_from_all_before() {
        assert!(differ("", "p", "q"));
        assert!(differ("", "xs", "q"));
        assert!(!differ("", "p", "p"));
    }

    #[test]
    fn exchanged_parameters_differ() {
        let exchange = |first: &str, next: &str| {
            format!(
                "loop (a: block f64 = p, b: block f64 = {first}) for j: i64 < n {{ yield {next} }} -> (c: block f64, d: block f64)"
            )
        };
        for (one, other) in [("a", "b"), ("c", "d")] {
            assert!(differ(&exchange("q", "b, a"), one, other));
            assert!(!differ(&exchange("p", "b, a"), one, other));
            assert!(!differ(&exchange("q", "b, b"), one, other));
            assert!(!differ(&exchange("q", "q, a"), one, other));
        }
        assert!(!differ(&exchange("q", "b, a"), "a", "p"));
        assert!(differ(&exchange("q", "b, a"), "a", "xs"));
    }

    #[test]
    fn a_parameter_differs_from_what_an_iteration_allocates() {
        let code =
            "loop (a: block f64 = p) for j: i64 < n { alloc b: block f64 = n yield b } -> (c: block f64)";
        assert!(differ(code, "a", "b"));
        assert!(differ(code, "c", "q"));
        assert!(!differ(code, "c", "p"));
    }

    #[test]
    fn results_of_a_branch_differ_if_those_of_each_side_do() {
        let branch = |then: &str, otherwise: &str| {
            format!("if true {{ yield {then} }} else {{ yield {otherwise} }} -> (a: block f64, b: block f64)")
        };
        assert!(differ(&branch("p, q", "q, p"), "a", "b"));
        assert!(!differ(&branch("p, q", "p, p"), "a", "b"));
        assert!(!differ(&branch("p, q", "xs, p"), "a", "p"));
        assert!(differ(&branch("p, q", "xs, p"), "a", "q"));
    }
}
