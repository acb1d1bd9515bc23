//! # split-index: split a counted loop where conditions on its counter change
//!
//! ## Rule
//!
//! ```text
//!   loop … for k < n { B(min(k, n - 2)) }
//!   -->
//!   loop … for 0 <= k < lo { B(min(k, n - 2)) }
//!   loop … for lo <= k < hi { B(k) }
//!   loop … for hi <= k < n { B(min(k, n - 2)) }
//! ```
//!
//! * *split-index*: a counted loop becomes three, of which the middle one needs no tests of its counter.
//!
//! Here `lo` and `hi` are computed from the *cuts* of the loop, such as `min(k, n - 2)`. A cut compares `k + c`
//! with `v`, or takes the minimum or maximum of the two. Here `k` is the counter, `c` a constant, and `v` a
//! value that the loop does not change (`split_index/cuts.rs`). In the *interior*, the iterations from `lo` to
//! below `hi`, every cut has one outcome. So the clamps, branches and bounds checks of stencils are only in the
//! iterations at the ends.
//!
//! The two ends share one copy of the body. An outer loop of two rounds contains a loop over an end and a loop
//! over the interior. The first round runs the iterations from 0 to `lo` and from `lo` to `hi`; the second runs
//! those from `hi` to `n` and an empty interior.
//!
//! ## Requires
//!
//! * *innermost*: an iteration has no loop, call or segment.
//! * *short*: an iteration has at most as many statements as the target's setting `max_split` permits.
//!
//! ## Ensures
//!
//! A check is removed from the interior only if it holds there, all other checks stay, and iterations stay in
//! order. So the program fails as before. The sums that compute `lo` and `hi` do not wrap around. No counter of
//! the interior reaches 2^61, so `k + c` does not wrap around there either.
//!
//! ## Leaves alone
//!
//! Loops that carry memory blocks, counters of other types than i64, loops of host and workgroup code, and
//! loops whose interior would save only one clamp or comparison. All loops if the target's `max_split` is 0,
//! as for GPUs, because the compiler of the GPU's driver may split them.
//!
//! ## Costs
//!
//! As many statements as the interior has.
//!
//! ## Source
//!
//! Griebl, Feautrier and Lengauer, "Index set splitting" (International Journal of Parallel Programming 28,
//! 2000). There the sets are polyhedra; here they are intervals of one counter.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block f64 [n]) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block f64 = n
//!   view out1: f64 [n] = out + 0i64 * [1i64]
//!   segment map (p < 1i64) chunk 1i64 {
//!     let last: i64 = sub(n, 1i64)
//!     loop () for k: i64 < n {
//!       let before: i64 = sub(k, 1i64)
//!       let left: i64 = max(before, 0i64)
//!       let next: i64 = add(k, 1i64)
//!       let right: i64 = min(next, last)
//!       load x: f64 = xs1[left]
//!       load y: f64 = xs1[right]
//!       let z: f64 = add(x, y)
//!       store out1[k] = z
//!     }
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f64 [n_0]) -> ([]f64) {
//!   view xs1_2: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_3: block f64 = n_0
//!   view out1_4: f64 [n_0] = out_3 + 0i64 * [1i64]
//!   segment map (p_5 < 1i64) chunk 1i64 {
//!     let last_6: i64 = sub(n_0, 1i64)
//!     let v7: i64 = max(0i64, 2i64)
//!     let v8: i64 = min(v7, n_0)
//!     let v9: i64 = min(n_0, 2305843009213693952i64)
//!     let v10: i64 = min(v9, last_6)
//!     let v11: i64 = max(v8, v10)
//!     loop (v12: i64 = 0i64, v13: i64 = v8, v14: i64 = v11) for v15: i64 < 2i64 {
//!       let v16: i64 = sub(v13, v12)
//!       loop () for v17: i64 < v16 {
//!         let k_18: i64 = add(v12, v17)
//!         let before_19: i64 = sub(k_18, 1i64)
//!         let left_20: i64 = max(before_19, 0i64)
//!         let next_21: i64 = add(k_18, 1i64)
//!         let right_22: i64 = min(next_21, last_6)
//!         load x_23: f64 = xs1_2[left_20]
//!         load y_24: f64 = xs1_2[right_22]
//!         let z_25: f64 = add(x_23, y_24)
//!         store out1_4[k_18] = z_25
//!       }
//!       let v26: i64 = sub(v14, v13)
//!       loop () for v27: i64 < v26 {
//!         let k_28: i64 = add(v13, v27)
//!         let before_29: i64 = sub(k_28, 1i64)
//!         let next_30: i64 = add(k_28, 1i64)
//!         load x_31: f64 = xs1_2[before_29]
//!         load y_32: f64 = xs1_2[next_30]
//!         let z_33: f64 = add(x_31, y_32)
//!         store out1_4[k_28] = z_33
//!       }
//!       yield v14, n_0, n_0
//!     } -> (v34: i64, v35: i64, v36: i64)
//!   }
//!   yield n_0, out_3
//! }
//! ```

mod cuts;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use self::cuts::{ConstantSums, Cuts, Limit};
use super::copy::Copy;
use super::invariants::Invariants;
use super::{Rewrite, rewrite};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `split-index`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "split-index",
    about: "Splits counted loops at the values of the counter where a condition changes, so that the middle iterations need not test it.",
    rules: &[RULE],
    premises: &[INNERMOST, SHORT],
    run,
};

const RULE: &str = "split-index";

const INNERMOST: Premise = Premise {
    name: "innermost",
    about: "an iteration has no loop, call or segment",
    otherwise: "an iteration has a loop, call or segment",
};

const SHORT: Premise = Premise {
    name: "short",
    about: "an iteration has at most as many statements as the target's setting `max_split` permits",
    otherwise: "an iteration has too many statements",
};

/// The interior ends here at the latest. So the sum of one of its counters and a small constant does not overflow.
const INTERIOR_END: i64 = 1 << 61;

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.max_split > 0 {
        rewrite(program, &mut EachBody(cx));
    }
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        SplitIndex { vars, sums: ConstantSums::default(), cx: self.0 }.body(body);
    }
}

struct SplitIndex<'a> {
    vars: &'a mut VarTable,
    /// The scalars so far that are sums of another one and a constant.
    sums: ConstantSums,
    cx: &'a mut Cx,
}

impl VisitMut for SplitIndex<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            self.step(&mut step);
            match step.stm {
                Stm::Loop { binders, params, form: LoopForm::For { index, bound, reduces }, body: each }
                    if L::NAME == LevelName::Thread && self.is_suitable(index, &params) =>
                {
                    let looped = CountedLoop { binders, params, index, bound, reduces, body: each };
                    self.split(looped, step.origin, &mut body.stms);
                }
                stm => body.stms.push(Step { stm, ..step }),
            }
        }
    }

    fn stm<L: Level>(&mut self, stm: &mut Stm<L>) {
        if let Stm::Let { var, exp } = stm {
            self.sums.note(*var, exp);
        }
        self.children(stm);
    }
}

/// A counted loop.
struct CountedLoop<L: Level> {
    binders: Vec<Var>,
    params: Vec<(Var, Atom)>,
    index: Var,
    bound: Atom,
    reduces: bool,
    body: Body<L>,
}

impl<L: Level> CountedLoop<L> {
    fn stm(self) -> Stm<L> {
        let CountedLoop { binders, params, index, bound, reduces, body } = self;
        Stm::Loop { binders, params, form: LoopForm::For { index, bound, reduces }, body }
    }
}

impl SplitIndex<'_> {
    fn is_suitable(&self, index: Var, params: &[(Var, Atom)]) -> bool {
        let is_scalar = |var: Var| matches!(self.vars[var].ty, Type::Scalar(_));
        self.vars[index].ty == Type::Scalar(PrimType::I64)
            && params.iter().all(|&(param, _)| is_scalar(param))
    }

    /// Adds a loop to `to`, split if that pays, the premises hold and the rule fires.
    fn split<L: Level>(
        &mut self,
        mut looped: CountedLoop<L>,
        mut origin: Arc<Origin>,
        to: &mut Vec<Step<L>>,
    ) {
        let CountedLoop { params, index, bound, reduces, body, .. } = &mut looped;
        let form = LoopForm::For { index: *index, bound: *bound, reduces: *reduces };
        let invariants = Invariants::of(params, form, body, self.vars);
        let cuts = Cuts::of(*index, *bound, body, &invariants, &self.sums);
        if !cuts.save_enough() || !self.may_fire(body, &origin) {
            return to.push(Step { origin, stm: looped.stm() });
        }
        Arc::make_mut(&mut origin).add_rule(RULE);
        let limits = cuts.lower.iter().chain(&cuts.upper).map(|limit| limit.value);
        to.extend(invariants.take(body, limits, self.vars));
        let bound = *bound;
        let (first, last) = (Atom::i64(0), Atom::i64(INTERIOR_END));
        let mut stms = Vec::new();
        let from = self.limits(BinOp::Max, first, &cuts.lower, &mut stms);
        let from = self.binary(BinOp::Min, from, bound, &mut stms);
        let end = self.binary(BinOp::Min, bound, last, &mut stms);
        let end = self.limits(BinOp::Min, end, &cuts.upper, &mut stms);
        let end = self.binary(BinOp::Max, from, end, &mut stms);
        stms.push(self.two_rounds(looped, cuts, (from, end), &origin));
        to.extend(Step::all(&origin, stms));
    }

    /// Whether the rule fires for a loop with this body. If a premise fails, records it.
    fn may_fire<L: Level>(&mut self, body: &Body<L>, origin: &Origin) -> bool {
        let limit = self.cx.target.max_split.unsigned_abs();
        let size = size(body);
        let short = || size.is_some_and(|size| size <= limit);
        match missing(&[(INNERMOST, &|| size.is_some()), (SHORT, &short)]) {
            None => self.cx.fire(RULE, origin),
            Some(premise) => {
                self.cx.refuse(RULE, Refusal::of(premise), origin);
                false
            }
        }
    }

    /// A loop of two rounds. The first runs the iterations before the interior, and the interior; the second runs the
    /// iterations after it.
    fn two_rounds<L: Level>(
        &mut self,
        looped: CountedLoop<L>,
        cuts: Cuts,
        (start, stop): (Atom, Atom),
        origin: &Arc<Origin>,
    ) -> Stm<L> {
        let CountedLoop { mut binders, params, index, bound, reduces, body } = looped;
        let (vars, inits): (Vec<Var>, Vec<Atom>) = params.into_iter().unzip();
        let [round, from, to, end] = [(); 4].map(|()| self.new_i64());
        let [outer, between, after] = [(); 3].map(|()| self.fresh_like(&vars));
        let atoms = |vars: &[Var]| vars.iter().map(|&var| Atom::Var(var)).collect::<Vec<_>>();
        let mut stms = Vec::new();

        let mut copy = Copy::new(self.vars).with_known(cuts.known);
        let (mut inner_params, mut inner_index, mut inner) = (vars.clone(), index, body.clone());
        inner_params.iter_mut().for_each(|param| copy.binder(param));
        copy.binder(&mut inner_index);
        copy.body(&mut inner);

        let carried = |params: Vec<Var>, values: &[Var]| params.into_iter().zip(atoms(values)).collect();
        let count = self.binary(BinOp::Sub, Atom::Var(to), Atom::Var(from), &mut stms);
        let params = carried(vars, &outer);
        let (index, body) = self.count_from_zero(from, index, body, origin);
        stms.push(CountedLoop { binders: between.clone(), params, index, bound: count, reduces, body }.stm());
        let count = self.binary(BinOp::Sub, Atom::Var(end), Atom::Var(to), &mut stms);
        let params = carried(inner_params, &between);
        let (index, body) = self.count_from_zero(to, inner_index, inner, origin);
        stms.push(CountedLoop { binders: after.clone(), params, index, bound: count, reduces, body }.stm());

        let result = [atoms(&after), vec![Atom::Var(end), bound, bound]].concat();
        let limits = [(from, Atom::i64(0)), (to, start), (end, stop)];
        let params = outer.into_iter().zip(inits).chain(limits).collect();
        binders.extend([(); 3].map(|()| self.new_i64()));
        let body = Body { stms: Step::all(origin, stms).collect(), result };
        CountedLoop { binders, params, index: round, bound: Atom::i64(2), reduces: false, body }.stm()
    }

    /// Lets a loop count from 0. Returns its new counter, and the body, which first computes the old counter as `first` plus
    /// the new one.
    fn count_from_zero<L: Level>(
        &mut self,
        first: Var,
        counter: Var,
        mut body: Body<L>,
        origin: &Arc<Origin>,
    ) -> (Var, Body<L>) {
        let index = self.new_i64();
        let exp = ScalarExp::Binary(BinOp::Add, Atom::Var(first), Atom::Var(index));
        body.stms.insert(0, Step::new(origin, Stm::Let { var: counter, exp }));
        (index, body)
    }

    /// The minimum or maximum (`extreme`) of `first` and all these limits `value + add`. The sums do not wrap around. A sum
    /// of constants saturates. A variable `value` is clamped first: to at least 0 if `add` is negative, and to at most twice
    /// `INTERIOR_END` if `add` is positive. Counters of the interior lie between 0 and `INTERIOR_END`, so this does not
    /// change the interior.
    fn limits<L: Level>(
        &mut self,
        extreme: BinOp,
        first: Atom,
        limits: &[Limit],
        to: &mut Vec<Stm<L>>,
    ) -> Atom {
        limits.iter().fold(first, |value, limit| {
            let limit = match (limit.value, limit.add) {
                (Atom::Const(constant), add) => {
                    Atom::i64(constant.as_i64().expect("a limit of an index is an i64").saturating_add(add))
                }
                (limit, 0) => limit,
                (limit, add) => {
                    let (clamp, safe) =
                        if add < 0 { (BinOp::Max, 0) } else { (BinOp::Min, 2 * INTERIOR_END) };
                    let clamped = self.binary(clamp, limit, Atom::i64(safe), to);
                    self.binary(BinOp::Add, clamped, Atom::i64(add), to)
                }
            };
            self.binary(extreme, value, limit, to)
        })
    }

    fn binary<L: Level>(&mut self, op: BinOp, a: Atom, b: Atom, to: &mut Vec<Stm<L>>) -> Atom {
        let var = self.new_i64();
        to.push(Stm::Let { var, exp: ScalarExp::Binary(op, a, b) });
        Atom::Var(var)
    }

    /// A new variable of type i64.
    fn new_i64(&mut self) -> Var {
        self.vars.push(VarInfo { hint: None, ty: Type::Scalar(PrimType::I64) })
    }

    /// New variables of the same types and hints as these.
    fn fresh_like(&mut self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|&var| self.vars.push(self.vars[var].clone())).collect()
    }
}

/// The number of statements of a body; `None` if it has a loop, call or segment.
fn size<L: Level>(body: &Body<L>) -> Option<u64> {
    let statement = |step: &Step<L>| match &step.stm {
        Stm::If { then, otherwise, .. } => Some(1 + size(then)? + size(otherwise)?),
        Stm::Loop { .. } | Stm::Call { .. } | Stm::Segment(_) => None,
        _ => Some(1),
    };
    body.stms.iter().map(statement).sum()
}
