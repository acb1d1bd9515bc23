//! Free variables, use counts, and statement counts.
//!
//! Sizes in the types of binders are uses: a lambda whose parameter has type `[n]i32` has `n` free.

use std::collections::BTreeSet;

use ravel_base::id::Id;

use crate::syntax::*;
use crate::visit::Visit;

/// A piece of code with more uses than one for so many variables of its function marks the variables that it has seen. A
/// shorter one sorts its uses, since a mark for each variable of a long function would take longer.
const USES_PER_VARIABLE: usize = 64;

/// The occurrences of variables in a piece of code. These are lists, because sorting them once is several times faster
/// than inserting into sets.
struct Occurrences<'a> {
    vars: &'a VarTable,
    used: Vec<Var>,
    bound: Vec<Var>,
}

impl Visit for Occurrences<'_> {
    fn var(&mut self, var: &Var) {
        self.used.push(*var);
    }

    fn binder(&mut self, var: &Var) {
        self.bound.push(*var);
        let sizes = self.vars[*var].ty.shape.iter();
        self.used.extend(sizes.filter_map(|size| size.var()));
    }
}

/// The variables that are used but not bound in what `visit` visits. Binders are unique, so the order does not matter.
fn free(vars: &VarTable, visit: impl FnOnce(&mut Occurrences)) -> BTreeSet<Var> {
    let mut occurrences = Occurrences { vars, used: Vec::new(), bound: Vec::new() };
    visit(&mut occurrences);
    let Occurrences { mut used, mut bound, .. } = occurrences;
    if used.len() > vars.len() / USES_PER_VARIABLE {
        let mut known = vec![false; vars.len()];
        bound.iter().for_each(|var| known[var.index()] = true);
        used.retain(|var| !std::mem::replace(&mut known[var.index()], true));
        used.sort_unstable();
    } else {
        bound.sort_unstable();
        used.sort_unstable();
        used.dedup();
        used.retain(|var| bound.binary_search(var).is_err());
    }
    used.into_iter().collect()
}

/// The free variables of a body.
pub fn free_in_body(vars: &VarTable, body: &Body) -> BTreeSet<Var> {
    free(vars, |occurrences| occurrences.body(body))
}

/// The free variables of a lambda.
pub fn free_in_lambda(vars: &VarTable, lambda: &Lambda) -> BTreeSet<Var> {
    free(vars, |occurrences| occurrences.lambda(lambda))
}

/// The free variables of an expression.
pub fn free_in_exp(vars: &VarTable, exp: &Exp) -> BTreeSet<Var> {
    free(vars, |occurrences| occurrences.exp(exp))
}

/// The free variables of a statement: of its expression, and of the types of its binders.
pub fn free_in_stm(vars: &VarTable, stm: &Stm) -> BTreeSet<Var> {
    free(vars, |occurrences| occurrences.stm(stm))
}

/// The number of uses of each variable in a function's code; sizes in types do not count.
pub struct Uses {
    counts: Vec<usize>,
}

impl Uses {
    /// Counts the uses in a function.
    pub fn of(function: &Function) -> Uses {
        let mut uses = Uses { counts: vec![0; function.vars.len()] };
        uses.function(function);
        uses
    }

    /// The number of uses of `var`.
    pub fn count(&self, var: Var) -> usize {
        self.counts.get(var.index()).copied().unwrap_or(0)
    }
}

impl Visit for Uses {
    fn var(&mut self, var: &Var) {
        self.counts[var.index()] += 1;
    }

    fn binder(&mut self, _: &Var) {}
}

/// The number of statements in a body, including nested ones.
pub fn statements(body: &Body) -> usize {
    struct Statements(usize);
    impl Visit for Statements {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            self.0 += 1;
            self.exp(&stm.exp);
        }
    }
    let mut statements = Statements(0);
    statements.body(body);
    statements.0
}

/// Whether a statement of a body, or one inside it, satisfies the predicate.
pub fn any_statement(body: &Body, predicate: &dyn Fn(&Stm) -> bool) -> bool {
    struct Search<'a> {
        predicate: &'a dyn Fn(&Stm) -> bool,
        found: bool,
    }
    impl Visit for Search<'_> {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            self.found = self.found || (self.predicate)(stm);
            if !self.found {
                self.exp(&stm.exp);
            }
        }
    }
    let mut search = Search { predicate, found: false };
    search.body(body);
    search.found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_binders_are_free_and_bound_variables_are_not() {
        let text = "fun f (n: i64, m: i64, xs: [n]i32) -> (r: i64) = {
            let ys: [n]i32 = screma n { from xs map \\(x: i32) -> { let y: [m]i32 = scratch in x } to map }
            in n
        }";
        let program = crate::parse(text).unwrap();
        let function = &program.functions[0];
        let free = free_in_exp(&function.vars, &function.body.stms[0].exp);
        let params: BTreeSet<Var> = function.params.iter().map(|param| param.var).collect();
        assert_eq!(free, params);
        let uses = Uses::of(function);
        assert_eq!(statements(&function.body), 2);
        let counts: Vec<usize> = function.params.iter().map(|param| uses.count(param.var)).collect();
        assert_eq!(counts, [2, 0, 1]);
    }
}
