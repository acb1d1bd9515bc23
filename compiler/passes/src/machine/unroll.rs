//! # unroll: unroll short loops whose number of iterations is a constant
//!
//! ## Rule
//!
//! ```text
//!   loop (p = x) for i < 2 { B(i, p)  yield e } -> (z)  C(z)   -->   B(0, x)  B(1, e0)  C(e1)
//! ```
//!
//! * *unroll*: a short loop of a constant number of iterations is replaced by copies of its body.
//!
//! ## Requires
//!
//! * *innermost*: an iteration has no loop, call, copy, trace or segment, and allocates nothing.
//! * *short*: all iterations together have at most as many statements as the target's setting `max_unrolled`
//!   permits.
//! * *no-lost-store*: if the loop has no iterations, its body stores nothing.
//! * *gain*: an iteration uses the counter or has at most 8 statements, or there is at most one.
//! * *few-elements*: the iterations carry a value, or there are at most 32.
//!
//! The verifier counts the stores of a loop without iterations: they fill an array without elements. If the loop went, a
//! load of that array, which follows a check that always fails, would read memory that its point has not stored to.
//!
//! ## Ensures
//!
//! Each iteration of a loop costs a jump and a comparison. In the unrolled code the counter is a constant, so
//! shifts by it and table lookups get cheaper, and what it decides is folded. Each copy of the body has fresh
//! variables. Inner loops are unrolled first, so the outer loop may be unrolled after them.
//!
//! ## Leaves alone
//!
//! All loops if the target has its own optimising compiler.
//!
//! ## Costs
//!
//! Linear in the generated statements. If a long iteration does not use the counter, its copies would be the same but for
//! the jump, and the allocation of registers takes much longer for them. The rounds of a counter-based random generator
//! are such a loop.
//!
//! Iterations that carry no value fill or copy an array, and run in lanes. Only the elements of a small array can be kept in
//! registers when they are unrolled.
//!
//! ## Source
//!
//! Allen and Cocke, "A catalogue of optimizing transformations" (1971).
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block i64 [n]) -> ([]i64) {
//!   view xs1: i64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block i64 = n
//!   view out1: i64 [n] = out + 0i64 * [1i64]
//!   segment map (i < n) chunk 1i64 {
//!     load x: i64 = xs1[i]
//!     loop (a: i64 = x) for j: i64 < 3i64 {
//!       let b: i64 = shl(a, j)
//!       let c: i64 = xor(a, b)
//!       yield c
//!     } -> (d: i64)
//!     store out1[i] = d
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block i64 [n_0]) -> ([]i64) {
//!   view xs1_2: i64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_3: block i64 = n_0
//!   view out1_4: i64 [n_0] = out_3 + 0i64 * [1i64]
//!   segment map (i_5 < n_0) chunk 1i64 {
//!     load x_6: i64 = xs1_2[i_5]
//!     let b_7: i64 = shl(x_6, 0i64)
//!     let c_8: i64 = xor(x_6, b_7)
//!     let b_9: i64 = shl(c_8, 1i64)
//!     let c_10: i64 = xor(c_8, b_9)
//!     let b_11: i64 = shl(c_10, 2i64)
//!     let c_12: i64 = xor(c_10, b_11)
//!     store out1_4[i_5] = c_12
//!   }
//!   yield n_0, out_3
//! }
//! ```

#[cfg(test)]
mod tests;

use ravel_kernel::visit::WriteVisitor;
use ravel_kernel::*;
use ravel_prim::PrimValue;

use super::copy::Copy;
use super::size::{INNERMOST, statements};
use super::substitution::Substitution;
use super::{Rewrite, rewrite};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `unroll`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "unroll",
    about: "Unrolls short loops whose number of iterations is a constant.",
    rules: &[RULE],
    premises: &[INNERMOST, SHORT, NO_LOST_STORE, GAIN, FEW_ELEMENTS],
    run,
};

const RULE: &str = "unroll";

const SHORT: Premise = Premise {
    name: "short",
    about: "all iterations together have at most as many statements as the target's setting `max_unrolled` permits",
    otherwise: "all iterations together have too many statements",
};

const NO_LOST_STORE: Premise = Premise {
    name: "no-lost-store",
    about: "if the loop has no iterations, its body stores nothing",
    otherwise: "the loop has no iterations, and its body stores to an array without elements",
};

/// The most statements of an iteration that does not use the counter.
const MAX_WITHOUT_COUNTER: u64 = 8;

const GAIN: Premise = Premise {
    name: "gain",
    about: "an iteration uses the counter or has at most 8 statements, or there is at most one",
    otherwise: "the iterations are long and do not use the counter",
};

/// The most iterations that carry no value.
const MAX_ELEMENTS: u64 = 32;

const FEW_ELEMENTS: Premise = Premise {
    name: "few-elements",
    about: "the iterations carry a value, or there are at most 32",
    otherwise: "the iterations carry no value, and there are too many",
};

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.max_unrolled > 0 {
        rewrite(program, &mut EachBody(cx));
    }
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        Unroll { vars, results: Substitution::default(), cx: self.0 }.body(body);
    }
}

struct Unroll<'a> {
    vars: &'a mut VarTable,
    /// The results of the loops unrolled so far.
    results: Substitution,
    cx: &'a mut Cx,
}

impl VisitMut for Unroll<'_> {
    fn atom(&mut self, atom: &mut Atom) {
        self.results.atom(atom);
    }

    fn var(&mut self, var: &mut Var) {
        self.results.var(var);
    }

    fn binder(&mut self, var: &mut Var) {
        self.results.info(&mut self.vars[*var]);
    }

    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            self.step(&mut step);
            match step.stm {
                Stm::Loop {
                    binders,
                    params,
                    form: LoopForm::For { index, bound: Atom::Const(bound), .. },
                    body: mut each,
                } if self.unrolls((index, bound), !params.is_empty(), &each, &step.origin) => {
                    each.stms.iter_mut().for_each(|step| step.add_rule(RULE));
                    let (params, mut values): (Vec<Var>, Vec<Atom>) = params.into_iter().unzip();
                    for at in 0..iterations(bound) {
                        let counter = Atom::Const(PrimValue::from_bits(bound.ty(), at));
                        let mut copy = Copy::new(self.vars);
                        copy.replace(index, counter);
                        params.iter().zip(values).for_each(|(&param, value)| copy.replace(param, value));
                        let mut iteration = each.clone();
                        copy.body(&mut iteration);
                        body.stms.extend(iteration.stms);
                        values = iteration.result;
                    }
                    binders.into_iter().zip(values).for_each(|(var, value)| self.results.insert(var, value));
                }
                stm => body.stms.push(Step { stm, ..step }),
            }
        }
        body.result.iter_mut().for_each(|result| self.atom(result));
    }
}

impl Unroll<'_> {
    /// Whether the loop with this counter, bound and body is unrolled; `carries` says whether it has merge parameters.
    fn unrolls<L: Level>(
        &mut self,
        (index, bound): (Var, PrimValue),
        carries: bool,
        body: &Body<L>,
        origin: &Origin,
    ) -> bool {
        let each = statements(body);
        let all = each.and_then(|each| each.max(1).checked_mul(iterations(bound)));
        let short = || all.is_some_and(|all| all <= self.cx.target.max_unrolled.unsigned_abs());
        let loses_none = || iterations(bound) > 0 || !stores(body);
        let gains = || {
            let is_short = each.is_some_and(|each| each <= MAX_WITHOUT_COUNTER);
            is_short || iterations(bound) <= 1 || is_used(index, body, self.vars)
        };
        let few = || carries || iterations(bound) <= MAX_ELEMENTS;
        let premises: [(_, &dyn Fn() -> bool); 5] = [
            (INNERMOST, &|| each.is_some()),
            (SHORT, &short),
            (NO_LOST_STORE, &loses_none),
            (GAIN, &gains),
            (FEW_ELEMENTS, &few),
        ];
        match missing(&premises) {
            None => self.cx.fire(RULE, origin),
            Some(premise) => {
                self.cx.refuse(RULE, Refusal::of(premise), origin);
                false
            }
        }
    }
}

/// Whether a body uses the variable, also as a part of a view.
fn is_used<L: Level>(var: Var, body: &Body<L>, vars: &VarTable) -> bool {
    struct Use<'v> {
        var: Var,
        vars: &'v VarTable,
        found: bool,
    }
    impl Visit for Use<'_> {
        fn var(&mut self, var: &Var) {
            self.found |= *var == self.var;
        }

        fn binder(&mut self, var: &Var) {
            if let Type::Array(view) = &self.vars[*var].ty {
                let mut parts = view.shape.iter().chain(&view.strides).chain([&view.offset]);
                self.found |= parts.any(|part| part.var() == Some(self.var));
            }
        }
    }
    let mut visitor = Use { var, vars, found: false };
    visitor.body(body);
    visitor.found
}

/// The number of iterations of a loop with this bound.
fn iterations(bound: PrimValue) -> u64 {
    let is_negative = bound.ty().is_signed() && bound.bits() >> (bound.ty().bits() - 1) == 1;
    if is_negative { 0 } else { bound.bits() }
}

/// Whether the body of an innermost loop stores to an array.
fn stores<L: Level>(body: &Body<L>) -> bool {
    let mut stores = false;
    WriteVisitor(&mut |_| stores = true).body(body);
    stores
}
