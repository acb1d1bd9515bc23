//! Loops whose iterations run in lanes (*inner* vectorising), in the code of points that run one by one.
//!
//! A counted loop is like a row of points: its iterations are the points. So `walk` runs it, in rows that are as long as the
//! interval between two polls of the stop flag. The loop may carry totals: sums and products of floats, to which each
//! iteration adds one number. The numbers are the results of the points, and are combined in order.

use std::collections::BTreeSet;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_base::Origin;
use ravel_kernel::{
    Atom, Body, Distinct, GridSegment, LoopForm, ScalarExp, Step, Stm, Target, Thread, Type, Var, VarTable,
    Visit,
};
use ravel_prim::{BinOp, PrimType};

use crate::emitter::Emitter;
use crate::lanes::{self, Plan, Strips};
use crate::walk::{PointCode, Row};
use crate::{Choice, stack, stop};

/// The iterations of a loop.
pub(crate) struct Iterations<'p> {
    body: &'p Body<Thread>,
    /// For each merge parameter, its total.
    totals: Vec<Total>,
    /// The number of iterations between two polls of the stop flag.
    interval: u64,
}

/// A merge parameter to which each iteration applies an operator, once, at the end.
struct Total {
    op: BinOp,
    ty: PrimType,
    /// The second operand.
    number: Atom,
    /// The next value.
    next: Var,
}

impl<'p> Iterations<'p> {
    /// The iterations of a loop with these merge parameters, if they all are totals, and if the body has neither loops nor
    /// checks. A check that every iteration needs is a sign of scattered accesses, or of the few iterations at the end of an
    /// array.
    pub fn of(
        params: &[(Var, Atom)],
        body: &'p Body<Thread>,
        on_stack: &BTreeSet<Var>,
        vars: &VarTable,
    ) -> Option<Iterations<'p>> {
        let interval = stop::interval([body], on_stack).filter(|_| !has_check(body))?;
        let total = |(&(param, _), &next): (&(Var, Atom), &Atom)| {
            let next = next.var()?;
            let exp = body.stms.iter().find_map(|step| match &step.stm {
                Stm::Let { var, exp } if *var == next => Some(exp),
                _ => None,
            });
            let Some(&ScalarExp::Binary(op @ (BinOp::Add | BinOp::Mul), Atom::Var(left), number)) = exp
            else {
                return None;
            };
            let Type::Scalar(ty) = vars[param].ty else { return None };
            let once = |var| uses(body, var) == 1;
            let is_total = ty.is_float() && left == param && once(param) && once(next);
            is_total.then_some(Total { op, ty, number, next })
        };
        let totals: Option<Vec<Total>> = params.iter().zip(&body.result).map(total).collect();
        Some(Iterations { body, totals: totals?, interval })
    }

    /// The statements that do not compute totals.
    fn steps(&self) -> impl Iterator<Item = &'p Step<Thread>> {
        let is_total = |step: &Step<Thread>| matches!(step.stm, Stm::Let { var, .. } if self.totals.iter().any(|total| total.next == var));
        self.body.stms.iter().filter(move |step| !is_total(step))
    }

    /// How they run in vectors of at most so many bits, if that pays.
    fn plan(
        &self,
        counter: (Var, Atom),
        distinct: &Distinct,
        vars: &VarTable,
        bits: u32,
        choice: Choice,
    ) -> Option<Plan> {
        let operators: Vec<BinOp> = self.totals.iter().map(|total| total.op).collect();
        lanes::plan_loop(counter, (&self.points(), &operators), distinct, vars, bits, choice).ok()
    }

    /// The body with the numbers as results.
    fn points(&self) -> Body<Thread> {
        Body {
            stms: self.steps().cloned().collect(),
            result: self.totals.iter().map(|total| total.number).collect(),
        }
    }
}

/// Whether a body without loops has a check.
fn has_check(body: &Body<Thread>) -> bool {
    body.stms.iter().any(|step| match &step.stm {
        Stm::Assert { .. } => true,
        Stm::If { then, otherwise, .. } => has_check(then) || has_check(otherwise),
        _ => false,
    })
}

/// How often a body uses a variable.
fn uses(body: &Body<Thread>, var: Var) -> usize {
    struct Counter(Var, usize);
    impl Visit for Counter {
        fn var(&mut self, var: &Var) {
            self.1 += usize::from(*var == self.0);
        }
    }
    let mut counter = Counter(var, 0);
    counter.body(body);
    counter.1
}

/// The loops of a segment that run in lanes, with the place of each and the lanes in words.
pub(crate) fn describe<'s>(
    segment: &'s GridSegment,
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> Vec<(&'s Origin, String)> {
    let Some((_, body)) = segment.threads().filter(|_| !lanes::has_strips(segment, vars, target)) else {
        return Vec::new();
    };
    let on_stack = stack::blocks(body, vars);
    let (mut found, mut pending) = (Vec::new(), vec![body]);
    while let Some(body) = pending.pop() {
        for step in &body.stms {
            match &step.stm {
                Stm::If { then, otherwise, .. } => pending.extend([then, otherwise]),
                Stm::Loop { params, form, body, .. } => {
                    pending.push(body);
                    let LoopForm::For { index, bound } = *form else { continue };
                    let iterations = Iterations::of(params, body, &on_stack, vars);
                    let (bits, choice) = (target.vector_bits, Choice::ByCost);
                    let plan = iterations
                        .and_then(|iterations| iterations.plan((index, bound), distinct, vars, bits, choice));
                    found.extend(plan.map(|plan| (&*step.origin, format!("inner, {}", plan.in_words()))));
                }
                _ => {}
            }
        }
    }
    found
}

impl<'p> Emitter<'p, '_> {
    /// The code for several iterations at once of a loop with this index and bound, if that pays.
    pub fn strips_of_loop(&mut self, counter: (Var, Atom), iterations: &Iterations<'p>) -> Option<Strips> {
        let distinct = self.shared.distinct?;
        let (bits, choice) = (self.shared.lanes, self.shared.choice);
        let plan = iterations.plan(counter, distinct, self.vars, bits, choice)?;
        Some(plan.number(&mut self.shared.strips))
    }

    /// Emits a loop over the index, up to the bound. Returns the last totals.
    pub fn loop_in_strips(
        &mut self,
        (index, bound): (Var, Atom),
        iterations: &Iterations<'p>,
        strips: &Strips,
        first: &[Value],
    ) -> Vec<Value> {
        let types = self.types_of(first);
        let params = [&[I64][..], &types].concat();
        let ((row, begun), (row_done, reached)) = (self.block(&params), self.block(&params));
        let ((between, _), (exit, last)) = (self.block(&[]), self.block(&types));
        let (zero, end) = (self.index(0), self.atom(bound));
        let some = self.builder.ins().icmp(IntCC::SignedLessThan, zero, end);
        self.branch(some, (row, &[&[zero][..], first].concat()), (exit, first));

        self.builder.switch_to_block(row);
        let begin = begun[0];
        let row_end = self.interval_end(begin, end, iterations.interval);
        let this_row = Row { point: None, begin, end: row_end, polls: false };
        let code = PointCode {
            element: |emitter: &mut Self| {
                let mut owned = Vec::new();
                iterations.steps().for_each(|step| emitter.step(step, &mut owned));
                let numbers = iterations.totals.iter().map(|total| emitter.atom(total.number)).collect();
                emitter.release_all(owned);
                numbers
            },
            absorb: |emitter: &mut Self, state: &[Value], numbers: &[Value]| {
                let pairs = state.iter().zip(numbers).zip(&iterations.totals);
                pairs.map(|((&a, &b), total)| emitter.binary(total.op, total.ty, a, b)).collect()
            },
            strips: Some(strips),
        };
        self.walk_row(&this_row, Some(index), &begun[1..], row_done, code);

        self.builder.switch_to_block(row_done);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, reached[0], end);
        self.branch(more, (between, &[]), (exit, &reached[1..]));
        self.builder.switch_to_block(between);
        self.builder.set_cold_block(between);
        self.poll_stop();
        self.jump(row, &reached);
        self.builder.switch_to_block(exit);
        last
    }
}
