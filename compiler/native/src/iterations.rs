//! Loops whose iterations run in lanes (*inner* vectorising), in the code of points that run one by one.
//!
//! A counted loop is like a row of points: its iterations are the points. So `walk` runs it, in rows that are as long as the
//! interval between two polls of the stop flag. The loop may carry totals: sums and products of floats, to which each
//! iteration adds one number. The numbers are the results of the points, and are combined in order.
//!
//! A long reduction combines its numbers in strands instead, if the points of the segment have no vector form. The other
//! loops may be part of strips, where each lane has totals of its own; they combine in order with and without lanes, so
//! that the results are the same, bit for bit, in vectors of any size.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_base::Origin;
use ravel_kernel::{
    Atom, Body, Combiner, Distinct, GridSegment, LoopForm, ScalarExp, Step, Stm, Target, Thread, Type, Var,
    VarTable, Visit,
};
use ravel_prim::{BinOp, PrimType, PrimValue};
use ravel_vector::{Refusal, Strands as InStrands, Strip};
use ravel_x86::Results;

use crate::emitter::Emitter;
use crate::lanes::{self, Plan, Strips, Vectors};
use crate::strands::{self, Fold, Span};
use crate::walk::{PointCode, Row};
use crate::{stack, stop};

/// The fewest iterations of a reduction in strands. Fewer take longer to combine their strands than to add up.
/// Both are operations of the same processor, so their ratio is no setting of the target.
const LONG: i64 = 32;

/// The iterations of a loop.
pub(crate) struct Iterations<'p> {
    body: &'p Body<Thread>,
    /// For each merge parameter, its total.
    totals: Vec<Total<'p>>,
    /// The number of strands of the totals; `None` if they are combined in order.
    strands: Option<usize>,
    /// The number of iterations between two polls of the stop flag.
    interval: u64,
}

/// A merge parameter to which each iteration applies an operator, once, at the end.
struct Total<'p> {
    op: BinOp,
    ty: PrimType,
    /// The merge parameter, which is the first operand.
    param: Var,
    /// The second operand.
    number: Atom,
    /// The statement that binds the next value.
    step: &'p Step<Thread>,
    /// The next value.
    next: Var,
}

impl Total<'_> {
    /// The neutral element.
    fn neutral(&self) -> PrimValue {
        InStrands::neutral(self.op, self.ty)
    }

    /// The operator for the lanes of a strip, if the number is a variable.
    fn combiner(&self) -> Option<Combiner> {
        Some(Combiner {
            left: vec![self.param],
            right: vec![self.number.var()?],
            body: Body { stms: vec![self.step.clone()], result: vec![Atom::Var(self.next)] },
            neutral: vec![Atom::Const(self.neutral())],
            commutative: true,
            outs: Vec::new(),
        })
    }
}

impl<'p> Iterations<'p> {
    /// The iterations of a loop with these merge parameters, if they all are totals, and if the body has neither loops nor
    /// checks. A check that every iteration needs is a sign of scattered accesses, or of the few iterations at the end of an
    /// array. `in_strands` says whether the totals may be combined in strands.
    pub fn of(
        params: &[(Var, Atom)],
        body: &'p Body<Thread>,
        in_strands: bool,
        on_stack: &BTreeSet<Var>,
        vars: &VarTable,
        target: &Target,
    ) -> Option<Iterations<'p>> {
        let interval = stop::interval([body], on_stack).filter(|_| !has_check(body))?;
        let total = |(&(param, _), &next): (&(Var, Atom), &Atom)| {
            let next = next.var()?;
            let (step, exp) = body.stms.iter().find_map(|step| match &step.stm {
                Stm::Let { var, exp } if *var == next => Some((step, exp)),
                _ => None,
            })?;
            let &ScalarExp::Binary(op @ (BinOp::Add | BinOp::Mul), Atom::Var(left), number) = exp else {
                return None;
            };
            let Type::Scalar(ty) = vars[param].ty else { return None };
            let once = |var| uses(body, var) == 1;
            let is_total = ty.is_float() && left == param && once(param) && once(next);
            is_total.then_some(Total { op, ty, param, number, step, next })
        };
        let totals: Option<Vec<Total<'p>>> = params.iter().zip(&body.result).map(total).collect();
        let totals = totals?;
        // The operators of strands bind the variable of a number anew, so it must be a variable of the iteration.
        let is_own = |total: &Total<'_>| total.number.var().is_some_and(|number| binds(body, number));
        let in_strands = in_strands && totals.iter().all(is_own);
        let strands = strands::count_of(totals.iter().map(|total| total.ty), target).filter(|_| in_strands);
        Some(Iterations { body, totals, strands, interval })
    }

    /// The statements that do not compute totals.
    fn steps(&self) -> impl Iterator<Item = &'p Step<Thread>> {
        let is_total = |step: &Step<Thread>| matches!(step.stm, Stm::Let { var, .. } if self.totals.iter().any(|total| total.next == var));
        self.body.stms.iter().filter(move |step| !is_total(step))
    }

    /// The strip that runs several of them at once.
    ///
    /// # Errors
    /// The reason why there is none.
    fn strip(
        &self,
        counter: (Var, Atom),
        distinct: &Distinct,
        vars: &VarTable,
        target: &Target,
    ) -> Result<Strip, Refusal> {
        let points = Body {
            stms: self.steps().cloned().collect(),
            result: self.totals.iter().map(|total| total.number).collect(),
        };
        let combiners = self.totals.iter().filter(|_| self.strands.is_some());
        let combiners: Vec<Combiner> = combiners.filter_map(Total::combiner).collect();
        lanes::strip_of_loop(counter, (&points, &combiners), distinct, vars, target)
    }

    /// How the strip runs in vectors of at most so many bits, if that pays.
    fn plan(&self, strip: Strip, vectors: Vectors) -> Option<Plan> {
        let operators: Vec<BinOp> = self.totals.iter().map(|total| total.op).collect();
        let results = self.strands.map_or(Results::Folded(&operators), Results::Strands);
        lanes::plan(strip, results, vectors).ok()
    }

    /// Emits an iteration. Returns its numbers.
    fn numbers(&self, emitter: &mut Emitter<'p, '_>) -> Vec<Value> {
        let mut owned = Vec::new();
        emitter.in_scope(|emitter| self.steps().for_each(|step| emitter.step(step, &mut owned)));
        let numbers = self.totals.iter().map(|total| emitter.atom(total.number)).collect();
        emitter.release_all(owned);
        numbers
    }

    /// Emits the operators of the totals.
    fn combine(&self, emitter: &mut Emitter<'p, '_>, left: &[Value], right: &[Value]) -> Vec<Value> {
        let pairs = left.iter().zip(right).zip(&self.totals);
        pairs.map(|((&a, &b), total)| emitter.binary(total.op, total.ty, a, b)).collect()
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

/// Whether a body binds a variable.
fn binds(body: &Body<Thread>, var: Var) -> bool {
    struct Finder(Var, bool);
    impl Visit for Finder {
        fn binder(&mut self, var: &Var) {
            self.1 |= *var == self.0;
        }
    }
    let mut finder = Finder(var, false);
    finder.body(body);
    finder.1
}

/// The loops in the code of points that combine in strands if they are long, by their counters: what strips of points that
/// are alike must do too.
pub(crate) fn in_strands(
    body: &Body<Thread>,
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> BTreeMap<Var, InStrands> {
    let mut found = BTreeMap::new();
    for (_, counter, iterations) in counted_loops(body, true, vars, target) {
        if let Some(count) = iterations.strands
            && iterations.strip(counter, distinct, vars, target).is_ok()
        {
            let operators = iterations.totals.iter().map(|total| total.op).collect();
            found.insert(counter.0, InStrands { count, fewest: LONG, operators });
        }
    }
    found
}

/// The loops in the code of points that are like rows of points, with their places, counters and bounds.
fn counted_loops<'b>(
    body: &'b Body<Thread>,
    in_strands: bool,
    vars: &VarTable,
    target: &Target,
) -> Vec<(&'b Origin, (Var, Atom), Iterations<'b>)> {
    let on_stack = stack::blocks(body, vars, target);
    let (mut found, mut pending) = (Vec::new(), vec![body]);
    while let Some(body) = pending.pop() {
        for step in &body.stms {
            match &step.stm {
                Stm::If { then, otherwise, .. } => pending.extend([then, otherwise]),
                Stm::Loop { params, form, body, .. } => {
                    pending.push(body);
                    let LoopForm::For { index, bound, reduces } = *form else { continue };
                    let iterations =
                        Iterations::of(params, body, reduces && in_strands, &on_stack, vars, target);
                    found.extend(iterations.map(|iterations| (&*step.origin, (index, bound), iterations)));
                }
                _ => {}
            }
        }
    }
    found
}

/// The loops of a segment that run in lanes, with the place of each and the lanes in words.
pub(crate) fn describe<'s>(
    segment: &'s GridSegment,
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> Vec<(&'s Origin, String)> {
    let Some((_, body)) = segment.threads() else { return Vec::new() };
    let Some(vectors) = Vectors::of(target).for_loops(segment.lanes) else { return Vec::new() };
    let (strip, results) = lanes::strip_of_segment(segment, distinct, vars, target);
    let has_form = strip.as_ref().is_ok_and(|strip| !strip.alike);
    let of_points = Vectors::of(target).for_points(segment.lanes);
    if has_form && of_points.and_then(|vectors| lanes::plan(strip?, results, vectors)).is_ok() {
        return Vec::new();
    }
    let loops = counted_loops(body, !has_form, vars, target).into_iter();
    let in_lanes = loops.filter_map(|(origin, counter, iterations)| {
        let strip = iterations.strip(counter, distinct, vars, target).ok()?;
        let plan = iterations.plan(strip, vectors)?;
        Some((origin, format!("inner, {}", plan.description())))
    });
    in_lanes.collect()
}

impl<'p> Emitter<'p, '_> {
    /// Emits a loop over the index, up to the bound, if its iterations can run in lanes and that pays, or if it combines in
    /// strands. Returns the last totals.
    pub fn iterations(
        &mut self,
        counter: (Var, Atom),
        iterations: &Iterations<'p>,
        first: &[Value],
    ) -> Option<Vec<Value>> {
        let distinct = self.shared.distinct?;
        let strip = iterations.strip(counter, distinct, self.vars, self.shared.target).ok()?;
        let vectors = self.shared.vectors().for_loops(self.shared.attribute);
        let plan = vectors.and_then(|vectors| iterations.plan(strip, vectors));
        let strips = plan.map(|plan| plan.number(&mut self.shared.generated, None));
        match (iterations.strands, strips) {
            (Some(count), strips) => {
                Some(self.loop_in_strands(counter, iterations, count, strips.as_ref(), first))
            }
            (None, strips) => strips.map(|strips| self.loop_in_strips(counter, iterations, &strips, first)),
        }
    }

    /// Emits a loop that combines its numbers in strands if it is long, and otherwise in order.
    fn loop_in_strands(
        &mut self,
        (index, bound): (Var, Atom),
        iterations: &Iterations<'p>,
        count: usize,
        strips: Option<&Strips>,
        first: &[Value],
    ) -> Vec<Value> {
        let types = self.types_of(first);
        let ((long, _), (short, _), (exit, last)) = (self.block(&[]), self.block(&[]), self.block(&types));
        let (zero, end) = (self.index(0), self.atom(bound));
        let is_long = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, end, LONG);
        self.branch(is_long, (long, &[]), (short, &[]));

        self.builder.switch_to_block(long);
        let interval = Some(iterations.interval);
        let span = Span { between: (zero, end), counter: Some(index), before: None, interval };
        let neutral = iterations.totals.iter().map(|total| self.constant(total.neutral())).collect();
        let element = |emitter: &mut Self| iterations.numbers(emitter);
        let combine =
            |emitter: &mut Self, left: &[Value], right: &[Value]| iterations.combine(emitter, left, right);
        let types = iterations.totals.iter().map(|total| total.ty).collect();
        let total = self.fold_in_strands(&span, Fold { count, types, neutral, element, combine }, strips);
        let total = iterations.combine(self, first, &total);
        self.jump(exit, &total);

        self.builder.switch_to_block(short);
        let most = Some(LONG as u64);
        let total = self.count_to(end, true, most, most, first, |emitter, counter, before| {
            emitter.bind(index, counter);
            let numbers = iterations.numbers(emitter);
            iterations.combine(emitter, before, &numbers)
        });
        self.jump(exit, &total);
        self.builder.switch_to_block(exit);
        last
    }

    /// Emits a loop whose iterations run in strips. Returns the last totals.
    fn loop_in_strips(
        &mut self,
        (index, bound): (Var, Atom),
        iterations: &Iterations<'p>,
        strips: &Strips,
        first: &[Value],
    ) -> Vec<Value> {
        let params = [&[I64][..], &self.types_of(first)].concat();
        let ((row, begun), (row_done, reached)) = (self.block(&params), self.block(&params));
        let ((between, _), (exit, last)) = (self.block(&[]), self.block(&params[1..]));
        let (zero, end) = (self.index(0), self.atom(bound));
        let some = self.builder.ins().icmp(IntCC::SignedLessThan, zero, end);
        self.branch(some, (row, &[&[zero][..], first].concat()), (exit, first));

        self.builder.switch_to_block(row);
        let begin = begun[0];
        let row_end = self.interval_end(begin, end, iterations.interval);
        let this_row = Row { point: None, begin, end: row_end, polls: false };
        let code = PointCode {
            element: |emitter: &mut Self| iterations.numbers(emitter),
            absorb: |emitter: &mut Self, state: &[Value], numbers: &[Value]| {
                iterations.combine(emitter, state, numbers)
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
