//! The interpreter of kernel IR bodies. A value has one cell for each lane, and a mask says which lanes run.
//!
//! Host code has a single lane. The lanes of a subgroup run in lockstep: a branch whose condition differs between
//! lanes runs both sides under masks, and a loop runs until the last lane has left it. A lane whose assertion fails
//! is dead and executes nothing more. The launch then fails with the message of the lowest-numbered point that
//! failed.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use ravel_abi::{Backtrace, BinCounts, DeviceLimitation, Failure, TraceKind, VersionCounts, failure};
use ravel_base::id::Id;
use ravel_base::{CallPath, Span, Symbol};
use ravel_kernel::*;
use ravel_prim::{CmpOp, PrimType, PrimValue, UnOp, compare, convert};

use crate::count::{Counts, SegmentCounts};
use crate::memory::{Memory, fault};
use crate::{Options, entry};

/// The maximum nesting depth of calls.
const MAX_CALLS: usize = 1000;

/// A scalar, or a memory block, given by its number in [`Memory`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    Scalar(PrimValue),
    Block(usize),
}

/// A value: the same for all lanes, or one cell for each. Lanes that did not run have none.
#[derive(Clone, Debug, PartialEq)]
pub enum Lanes {
    Uniform(Cell),
    Varying(Vec<Option<Cell>>),
}

/// Which lanes run.
pub type Mask = Vec<bool>;

/// The outcome of a step. An error ends the run.
pub type Run<T = ()> = Result<T, Failure>;

/// The failure of the point numbered `point`.
pub struct FailedPoint {
    pub point: usize,
    pub failure: Failure,
}

/// The machine, running one call of an entry point.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub options: Options<'a>,
    pub describe: &'a dyn Fn(Span) -> String,
    pub memory: Memory,
    /// The place in the source of the statement that runs, and the inlined calls that lead there.
    pub path: Option<CallPath>,
    /// The variables of the function that runs, and their values.
    pub vars: &'a VarTable,
    values: Vec<Option<Lanes>>,
    /// The call sites that lead to this function.
    sites: Vec<MessageId>,
    /// For each lane, the point that it runs; `None` for the single lane of host code, and for a lane without a point.
    pub points: Vec<Option<usize>>,
    /// The lanes that have failed.
    pub dead: Mask,
    /// The failure of the lowest-numbered point that failed.
    pub failed: Option<FailedPoint>,
    /// The counts of the current launch.
    pub counts: Counts,
    /// The issue slots that the current subgroup has used so far; in code of a workgroup, the slots that the workgroup has
    /// used. An `f64` operation may take several.
    pub slots_used: u64,
    /// The number of threads that a lane represents: 1, or all threads of a workgroup while code of the workgroup runs.
    pub threads_per_lane: u64,
    /// The number of threads of the workgroups of the current launch.
    pub workgroup_threads: usize,
    /// Whether a thread of the current workgroup may still run an earlier segment, because no barrier has followed it.
    pub needs_barrier: bool,
    /// The blocks of device memory that the workgroups of the current launch both store to and load from.
    pub reread: BTreeSet<Var>,
    /// The counts of the segments of the workgroups of the current launch.
    pub inner: Vec<SegmentCounts>,
    /// The counts of each segment and of each copy of the host, with the address of its statement.
    pub segments: Vec<(*const (), SegmentCounts)>,
    /// How often each of two versions ran.
    pub versions: Vec<VersionCounts>,
    /// The bins of nests.
    pub bins: Vec<BinCounts>,
}

impl<'a> Machine<'a> {
    /// A machine at host level, in a function with these variables.
    pub fn new(
        program: &'a Program,
        vars: &'a VarTable,
        options: Options<'a>,
        describe: &'a dyn Fn(Span) -> String,
    ) -> Machine<'a> {
        Machine {
            program,
            options,
            describe,
            memory: Memory::new(options.device),
            path: None,
            vars,
            values: vec![None; vars.len()],
            sites: Vec::new(),
            points: vec![None],
            dead: vec![false],
            failed: None,
            counts: Counts::default(),
            slots_used: 0,
            threads_per_lane: 1,
            workgroup_threads: 1,
            needs_barrier: false,
            reread: BTreeSet::new(),
            inner: Vec::new(),
            segments: Vec::new(),
            versions: Vec::new(),
            bins: Vec::new(),
        }
    }

    /// Gives a variable its value in all lanes. An earlier value is lost, also in lanes that do not run.
    pub fn bind(&mut self, var: Var, value: Lanes) {
        self.values[var.index()] = Some(value);
    }

    fn bind_all(&mut self, vars: &[Var], values: Vec<Lanes>) {
        for (&var, value) in vars.iter().zip(values) {
            self.bind(var, value);
        }
    }

    /// The value of an atom in all lanes.
    pub fn value(&self, atom: Atom) -> Run<Lanes> {
        match atom {
            Atom::Const(value) => Ok(Lanes::Uniform(Cell::Scalar(value))),
            Atom::Var(var) => match &self.values[var.index()] {
                Some(value) => Ok(value.clone()),
                None => fault(&format!("{} has no value", name_of(self.vars, var))),
            },
        }
    }

    /// The value of an atom in one lane.
    pub fn cell(&self, atom: Atom, lane: usize) -> Run<Cell> {
        let cell = match atom {
            Atom::Const(value) => Some(Cell::Scalar(value)),
            Atom::Var(var) => match &self.values[var.index()] {
                Some(Lanes::Uniform(cell)) => Some(*cell),
                Some(Lanes::Varying(cells)) => cells.get(lane).copied().flatten(),
                None => None,
            },
        };
        cell.map_or_else(|| fault(&format!("{atom:?} has no value in lane {lane}")), Ok)
    }

    fn scalar(&self, atom: Atom, lane: usize) -> Run<PrimValue> {
        match self.cell(atom, lane)? {
            Cell::Scalar(value) => Ok(value),
            Cell::Block(_) => fault("a memory block where a scalar is needed"),
        }
    }

    /// The value of an i64 atom in one lane.
    pub fn number(&self, atom: Atom, lane: usize) -> Run<i64> {
        match self.scalar(atom, lane)? {
            PrimValue::I64(value) => Ok(value),
            other => fault(&format!("{other:?} where an i64 is needed")),
        }
    }

    /// The value of an i64 atom at host level.
    pub fn host_number(&self, atom: Atom) -> Run<i64> {
        self.number(atom, 0)
    }

    fn is_uniform(&self, atom: Atom) -> bool {
        let lanes = atom.var().and_then(|var| self.values[var.index()].as_ref());
        !matches!(lanes, Some(Lanes::Varying(_)))
    }

    /// The lanes of a mask that are alive.
    fn alive(&self, mask: &Mask) -> Mask {
        mask.iter().zip(&self.dead).map(|(&runs, &dead)| runs && !dead).collect()
    }

    /// Runs a body in the lanes of a mask and returns its results.
    pub fn body<L: Level + 'a>(&mut self, body: &'a Body<L>, mask: &Mask) -> Run<Vec<Lanes>> {
        if self.options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Failure::stopped());
        }
        for step in &body.stms {
            let active = self.alive(mask);
            if !active.contains(&true) {
                return Ok(vec![Lanes::Varying(vec![None; mask.len()]); body.result.len()]);
            }
            let enclosing = std::mem::replace(&mut self.path, step.origin.path());
            self.stm(&step.stm, &active)?;
            self.path = enclosing;
        }
        body.result.iter().map(|&atom| self.value(atom)).collect()
    }

    /// Runs the body of a branch or of a loop.
    fn nested_body<L: Level + 'a>(&mut self, body: &'a Body<L>, mask: &Mask) -> Run<Vec<Lanes>> {
        self.record_control_flow::<L>();
        let results = self.body(body, mask)?;
        self.record_control_flow::<L>();
        Ok(results)
    }

    /// Where the control flow of a workgroup branches or joins, the code does not depend on which segment ran last.
    fn record_control_flow<L: Level>(&mut self) {
        self.needs_barrier |= L::NAME == LevelName::Workgroup;
    }

    /// Counts an operation of the subgroup.
    pub fn count(&mut self, active: &Mask, ty: Option<PrimType>) {
        if self.points.iter().any(Option::is_some) {
            let slots = match ty {
                Some(PrimType::F64) => self.options.device.f64_slots.unwrap_or(1),
                _ => 1,
            };
            let issued = active.len() as u64 * self.threads_per_lane;
            self.counts.issued += issued;
            self.counts.useful += lanes_of(active).count() as u64 * self.threads_per_lane;
            self.counts.slots += issued * slots;
            self.slots_used += slots;
        }
    }

    fn stm<L: Level + 'a>(&mut self, stm: &'a Stm<L>, active: &Mask) -> Run {
        match stm {
            Stm::Let { var, exp } => {
                let value = self.scalar_exp(exp, active)?;
                self.bind(*var, value);
            }
            Stm::SineCosine { sine, cosine, angle } => {
                for (var, op) in [(sine, UnOp::Sin), (cosine, UnOp::Cos)] {
                    let value = self.scalar_exp(&ScalarExp::Unary(op, *angle), active)?;
                    self.bind(*var, value);
                }
            }
            Stm::View(_) => (),
            Stm::Alloc { block, count } => self.alloc(*block, *count, active)?,
            Stm::Constants { block, values } => {
                let elem = values.first().map_or(PrimType::Bool, |value| value.ty());
                let made = self.memory.allocate_filled(elem, values.iter().copied())?;
                self.bind(*block, Lanes::Uniform(Cell::Block(made)));
            }
            Stm::Load { var, array, indices } => {
                let places = self.places(*array, indices, active)?;
                let mut cells = vec![None; active.len()];
                for &(lane, place) in &places {
                    cells[lane] = Some(Cell::Scalar(self.memory.load(place, self.points[lane])?));
                }
                match L::NAME {
                    LevelName::Workgroup => self.uniform_access(*array, &places)?,
                    _ => self.access(&places, active),
                }
                self.bind(*var, join_cells(cells));
            }
            Stm::Store { array, indices, value } => {
                let places = self.places(*array, indices, active)?;
                for &(lane, place) in &places {
                    let value = self.scalar(*value, lane)?;
                    self.memory.store(place, Some(value), self.points[lane])?;
                }
                self.access(&places, active);
            }
            Stm::Combine { array, indices, op, value } => {
                let places = self.places(*array, indices, active)?;
                let mut ty = PrimType::I32;
                for &(lane, place) in &places {
                    let value = self.scalar(*value, lane)?;
                    ty = value.ty();
                    self.memory.combine(place, *op, value)?;
                }
                self.combination(&places, ty, active);
            }
            Stm::Copy { to, from } if L::NAME == LevelName::Host => self.launch_copy(to, *from)?,
            Stm::Copy { to, from } => self.copy(*to, *from, active)?,
            Stm::If { binders, cond, then, otherwise } => {
                self.count(active, None);
                let mut sides = [vec![false; active.len()], vec![false; active.len()]];
                for lane in lanes_of(active) {
                    let holds = self.scalar(*cond, lane)? == PrimValue::Bool(true);
                    sides[usize::from(!holds)][lane] = true;
                }
                let [first, second] = sides;
                let results = match (first.contains(&true), second.contains(&true)) {
                    (_, false) => self.nested_body(then, &first)?,
                    (false, true) => self.nested_body(otherwise, &second)?,
                    (true, true) => {
                        let ones = self.nested_body(then, &first)?;
                        let others = self.nested_body(otherwise, &second)?;
                        ones.into_iter()
                            .zip(others)
                            .map(|(one, other)| select_lanes(&first, one, other))
                            .collect()
                    }
                };
                self.bind_all(binders, results);
            }
            Stm::Loop { binders, params, form, body } => {
                let (vars, inits): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
                let inits = inits.into_iter().map(|init| self.value(init)).collect::<Run<Vec<_>>>()?;
                let results = self.iterate(&vars, inits, *form, body, active)?;
                self.bind_all(binders, results);
            }
            Stm::Trace { trace, args } => match trace.kind {
                TraceKind::Shown => (),
                TraceKind::Bins => {
                    let args = args.iter().map(|&arg| self.value(arg)).collect::<Run<Vec<_>>>()?;
                    let values = entry::fetch(self, &trace.values, args)?;
                    match BinCounts::of(&trace.to_abi(self.describe), &values) {
                        Some(counts) => counts.add_to(&mut self.bins),
                        None => return fault("a trace of bins with other values"),
                    }
                }
            },
            Stm::Choose { versions, cond } => {
                let chosen = self.scalar(*cond, 0)?;
                self.choose(*versions, chosen == PrimValue::Bool(true));
            }
            Stm::Assert { cond, message, args } => {
                self.count(active, None);
                for lane in lanes_of(active) {
                    if self.scalar(*cond, lane)? != PrimValue::Bool(true) {
                        self.fail(lane, *message, args)?;
                    }
                }
            }
            Stm::Call { binders, function, args, site } => {
                let args = args.iter().map(|arg| self.value(arg.value)).collect::<Run<Vec<_>>>()?;
                let results = self.call::<L>(*function, args, *site, active)?;
                self.bind_all(binders, results);
            }
            Stm::Segment(segment) => match L::segment(segment) {
                AnySegment::Grid(segment) => self.segment(segment)?,
                AnySegment::Inner(segment) => self.inner_segment(segment)?,
            },
        }
        Ok(())
    }

    /// Counts which of two versions runs.
    fn choose(&mut self, versions: Versions, first: bool) {
        let versions = versions.to_abi(self.path.map(CallPath::span).map(self.describe));
        let known = self.versions.iter().position(|known| known.versions == versions);
        let number = known.unwrap_or_else(|| {
            self.versions.push(VersionCounts { versions, counts: [0, 0] });
            self.versions.len() - 1
        });
        self.versions[number].counts[usize::from(!first)] += 1;
    }

    fn alloc(&mut self, block: Var, count: Atom, active: &Mask) -> Run {
        let Type::Block(BlockType { elem, space }) = self.vars[block].ty else {
            return fault("an allocation of something that is not a memory block");
        };
        let mut cells = vec![None; active.len()];
        for lane in lanes_of(active) {
            let count = self.number(count, lane)?;
            cells[lane] = Some(Cell::Block(self.memory.allocate(elem, count, space)?));
        }
        self.bind(block, join_cells(cells));
        Ok(())
    }

    fn scalar_exp(&mut self, exp: &ScalarExp, active: &Mask) -> Run<Lanes> {
        let operands = exp.operands();
        let mut ty = None;
        let mut evaluate = |lane: usize| {
            let values = operands.iter().map(|&atom| self.scalar(atom, lane)).collect::<Run<Vec<_>>>()?;
            ty = values.last().map(|value| value.ty());
            self.evaluate(exp, &values).map(Cell::Scalar)
        };
        let value = if operands.iter().all(|&atom| self.is_uniform(atom)) {
            let first = lanes_of(active).next().unwrap_or(0);
            Lanes::Uniform(evaluate(first)?)
        } else {
            let mut cells = vec![None; active.len()];
            for lane in lanes_of(active) {
                cells[lane] = Some(evaluate(lane)?);
            }
            Lanes::Varying(cells)
        };
        let in_thread = self.points.iter().any(Option::is_some);
        if in_thread && ty == Some(PrimType::F64) && self.options.device.f64_slots.is_none() {
            return Err(DeviceLimitation::NoF64.failure());
        }
        if !matches!(exp, ScalarExp::Atom(_)) {
            self.count(active, ty);
        }
        Ok(value)
    }

    fn evaluate(&self, exp: &ScalarExp, operands: &[PrimValue]) -> Run<PrimValue> {
        let value = match (exp, operands) {
            (ScalarExp::Atom(_), &[a]) => Some(a),
            (ScalarExp::Unary(op, _), &[a]) => ravel_prim::unary(*op, a),
            (ScalarExp::Binary(op, ..), &[a, b]) => ravel_prim::binary(*op, a, b),
            (ScalarExp::Compare(op, ..), &[a, b]) => compare(*op, a, b).map(PrimValue::Bool),
            (ScalarExp::Convert(ty, _), &[a]) => Some(convert(a, *ty)),
            (ScalarExp::Select(..), &[c, a, b]) => Some(if c == PrimValue::Bool(true) { a } else { b }),
            (&ScalarExp::Param(name, default), _) => {
                Some(PrimValue::I64(self.options.tuning.get(name.as_str()).unwrap_or(default)))
            }
            (ScalarExp::PrivateLimit(_), &[PrimValue::I64(for_one_thread)]) => {
                Some(PrimValue::I64(for_one_thread.max(self.options.private_limit)))
            }
            _ => None,
        };
        value.map_or_else(|| fault(&format!("{exp:?} of {operands:?} has no value")), Ok)
    }

    fn iterate<L: Level + 'a>(
        &mut self,
        vars: &[Var],
        mut values: Vec<Lanes>,
        form: LoopForm,
        body: &'a Body<L>,
        active: &Mask,
    ) -> Run<Vec<Lanes>> {
        let mut running = active.clone();
        for round in 0.. {
            self.bind_all(vars, values.clone());
            let mut goes_on = vec![false; running.len()];
            for lane in lanes_of(&self.alive(&running)) {
                goes_on[lane] = match form {
                    LoopForm::For { bound, .. } => {
                        let bound = self.scalar(bound, lane)?;
                        compare(CmpOp::Lt, convert(PrimValue::I64(round), bound.ty()), bound) == Some(true)
                    }
                    LoopForm::While(cond) => self.scalar(Atom::Var(cond), lane)? == PrimValue::Bool(true),
                };
            }
            self.count(&self.alive(&running), None);
            running = goes_on;
            let Some(first) = lanes_of(&running).next() else {
                self.record_control_flow::<L>();
                break;
            };
            if let LoopForm::For { index, bound, .. } = form {
                let ty = self.scalar(bound, first)?.ty();
                self.bind(index, Lanes::Uniform(Cell::Scalar(convert(PrimValue::I64(round), ty))));
            }
            let next = self.nested_body(body, &running)?;
            values = if running == *active {
                next
            } else {
                next.into_iter().zip(values).map(|(new, old)| select_lanes(&running, new, old)).collect()
            };
        }
        Ok(values)
    }

    fn call<L: Level + 'a>(
        &mut self,
        name: Symbol,
        args: Vec<Lanes>,
        site: Option<MessageId>,
        active: &Mask,
    ) -> Run<Vec<Lanes>> {
        let program = self.program;
        let function = L::functions(program).iter().find(|function| function.name == name);
        let Some(function) = function else { return fault("a call of an unknown function") };
        if self.sites.len() >= MAX_CALLS {
            return Err(Failure::out_of_stack());
        }
        let values = std::mem::replace(&mut self.values, vec![None; function.vars.len()]);
        let vars = std::mem::replace(&mut self.vars, &function.vars);
        self.sites.extend(site);
        for (param, arg) in function.params.iter().zip(args) {
            self.bind(param.var, arg);
        }
        let results = self.body(&function.body, active)?;
        self.sites.truncate(self.sites.len() - usize::from(site.is_some()));
        (self.values, self.vars) = (values, vars);
        Ok(results)
    }

    /// Adds the place of the statement that runs to a [`Failure::Bug`] or [`Failure::Memory`]. Other failures stay as they
    /// are.
    pub fn add_place(&self, mut failure: Failure) -> Failure {
        match (&mut failure, self.path) {
            (Failure::Bug(what), Some(path)) => {
                *what = format!("{what}, at {}", (self.describe)(path.span()));
            }
            (Failure::Memory { backtrace, .. }, path) => {
                backtrace.extend(self.backtrace(path), self.describe)
            }
            _ => {}
        }
        failure
    }

    /// The places of a failure at `path`, innermost first.
    fn backtrace(&self, path: Option<CallPath>) -> impl Iterator<Item = Span> {
        let sites = self.sites.iter().rev().filter_map(|&site| self.program.messages[site].path);
        path.into_iter().chain(sites).flat_map(CallPath::spans)
    }

    /// An assertion failed in a lane. At host level that ends the run.
    fn fail(&mut self, lane: usize, message: MessageId, args: &[Atom]) -> Run {
        let values = args.iter().map(|&arg| self.scalar(arg, lane)).collect::<Run<Vec<_>>>()?;
        let Message { parts, cause, path } = &self.program.messages[message];
        let mut backtrace = Backtrace::default();
        backtrace.extend(self.backtrace(*path), self.describe);
        let failure = Failure::of_assertion(failure::fill(parts, &values), *cause, backtrace);
        let Some(point) = self.points[lane] else { return Err(failure) };
        self.dead[lane] = true;
        if self.failed.as_ref().is_none_or(|least| point < least.point) {
            self.failed = Some(FailedPoint { point, failure });
        }
        Ok(())
    }
}

/// The lanes of a mask.
pub fn lanes_of(mask: &Mask) -> impl Iterator<Item = usize> {
    mask.iter().enumerate().filter_map(|(lane, &runs)| runs.then_some(lane))
}

/// The value of these cells. A single lane is uniform.
fn join_cells(cells: Vec<Option<Cell>>) -> Lanes {
    match cells[..] {
        [Some(cell)] => Lanes::Uniform(cell),
        _ => Lanes::Varying(cells),
    }
}

/// The first value in the lanes of a mask, the second in the others.
pub fn select_lanes(mask: &Mask, first: Lanes, second: Lanes) -> Lanes {
    if first == second {
        return first;
    }
    let cell = |value: &Lanes, lane: usize| match value {
        Lanes::Uniform(cell) => Some(*cell),
        Lanes::Varying(cells) => cells[lane],
    };
    let cells = mask.iter().enumerate();
    join_cells(cells.map(|(lane, &runs)| cell(if runs { &first } else { &second }, lane)).collect())
}
