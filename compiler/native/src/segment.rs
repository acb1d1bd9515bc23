//! Segments: the host starts a segment by `fork`, which runs a segment function for each chunk of its points.
//!
//! The variables that a segment captures are words of its environment, an array that the segment function receives.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Function, InstBuilder, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_abi::native::Context;
use ravel_base::CallPath;
use ravel_kernel::{
    Body, Combiner, Distinct, GridSegment, Points, Program, SegmentKind, Thread, Uses, Var, VarTable,
    Workgroup,
};

use ravel_vector::Refusal;
use ravel_x86::Results;

use crate::emitter::{BlobParts, Emitter};
use crate::lanes::{Plan, Strips};
use crate::walk::PointCode;
use crate::{lanes, stack, stop, strands};

/// A segment function that was requested and is emitted later.
pub(crate) struct OutlinedFunction<'p> {
    /// The variables of the entry point or function.
    pub vars: &'p VarTable,
    /// The segment.
    pub segment: &'p GridSegment,
    /// Its place in the source, and the inlined calls that lead there.
    pub path: Option<CallPath>,
    /// The task of the function.
    pub task: Task<'p>,
    /// The variables whose values are the first words of the environment.
    pub captured: Vec<Var>,
    /// The code for several points at once, if it pays.
    pub strips: Option<Strips>,
    /// Whether the points have a vector form that need not be alike, be it used or not.
    pub has_form: bool,
    /// Which blocks of the entry point or function are different memory.
    pub distinct: Option<&'p Distinct>,
}

impl OutlinedFunction<'_> {
    /// A name for profiles.
    pub(crate) fn name(&self) -> String {
        let hint = self.segment.hint.map(|hint| hint.to_string());
        match self.task {
            Task::Map(_) => hint.unwrap_or_else(|| "map".to_owned()),
            Task::Workgroups(_) => hint.unwrap_or_else(|| "blocks".to_owned()),
            Task::Fold(..) => hint.unwrap_or_else(|| "fold".to_owned()),
            Task::Prefixes(..) => hint.map_or(String::new(), |hint| hint + ", ") + "prefixes",
        }
    }
}

/// The task of a segment function.
#[derive(Clone, Copy)]
pub(crate) enum Task<'p> {
    /// Runs a thread for each point.
    Map(&'p Body<Thread>),
    /// Runs a workgroup for each point.
    Workgroups(&'p Body<Workgroup>),
    /// Combines the results of all threads and stores the total as the partial result of the chunk.
    Fold(&'p Body<Thread>, &'p [Combiner]),
    /// Combines the results of the threads, beginning with the total of all earlier chunks, and stores each prefix.
    Prefixes(&'p Body<Thread>, &'p [Combiner]),
}

/// The chunk of points that a call of a segment function runs.
pub(crate) struct Chunk {
    /// Its number.
    pub number: Value,
    /// The flat index of its first point.
    pub first: Value,
    /// The flat index after its last point.
    pub end: Value,
    /// For reductions and scans, the address of the partial results of all chunks.
    pub partials: Value,
}

impl<'p> Emitter<'p, '_> {
    /// Runs a segment from the host.
    pub fn segment(&mut self, segment: &'p GridSegment) {
        match &segment.points {
            Points::Threads { kind: SegmentKind::Map, body } => self.map(segment, Task::Map(body)),
            Points::Threads { kind: SegmentKind::Reduce(combiners), body } => match segment.space.len() {
                1 => self.reduce(segment, body, combiners),
                _ => self.reduce_rows(segment, body, combiners),
            },
            Points::Threads { kind: SegmentKind::Scan(combiners, _), body } => match segment.space.len() {
                1 => self.scan(segment, body, combiners),
                _ => self.scan_rows(segment, body, combiners),
            },
            Points::Workgroups(body) => self.map(segment, Task::Workgroups(body)),
        }
    }

    /// Runs a task on all points of a segment.
    fn map(&mut self, segment: &'p GridSegment, task: Task<'p>) {
        let mut points = self.index(1);
        for &(_, size) in &segment.space {
            let size = self.atom(size);
            points = self.builder.ins().imul(points, size);
        }
        let captured = self.captured_vars(segment);
        let environment = self.environment(&captured, &[]);
        let chunk = self.atom(segment.chunk);
        let outlined = self.segment_function(segment, task, captured);
        let chunk = match &outlined.strips {
            Some(strips) => self.whole_strips(strips.lanes(), points, chunk),
            None => chunk,
        };
        self.fork(outlined, environment, points, chunk);
    }

    /// The segment function for a task of the current statement, which is this segment.
    pub fn segment_function(
        &mut self,
        segment: &'p GridSegment,
        task: Task<'p>,
        captured: Vec<Var>,
    ) -> OutlinedFunction<'p> {
        let (target, vectors) = (self.shared.target, self.shared.vectors());
        let operators = match task {
            Task::Fold(_, combiners) if strands::count(combiners, self.vars, target).is_some() => combiners,
            _ => &[],
        };
        let results = lanes::results(operators, self.vars, target);
        let strip = lanes::strip(segment, operators, self.shared.distinct, self.vars, target);
        let has_form = strip.as_ref().is_ok_and(|strip| !strip.alike);
        let scan = match task {
            Task::Prefixes(..) => lanes::strip_of_scan(segment, self.vars, target),
            _ => Err(Refusal::Rows),
        };
        let vectors = vectors.for_points(segment.lanes);
        let scan = scan.and_then(|strip| lanes::plan(strip, Results::Carried, vectors?));
        let plan = scan.or_else(|_| strip.and_then(|strip| lanes::plan(strip, results, vectors?)));
        let strips = plan.ok().map(|plan| {
            let switches = self.shared.switches.as_mut().filter(|_| matches!(plan, Plan::Function { .. }));
            let switch = switches.map(|switches| switches.of_segment(segment));
            plan.number(&mut self.shared.generated, switch)
        });
        let (vars, path, distinct) = (self.vars, self.path, self.shared.distinct);
        OutlinedFunction { vars, segment, path, task, captured, strips, has_form, distinct }
    }

    /// The chunk size of a map with strips: a multiple of the number of lanes, if there is a strip for each thread.
    fn whole_strips(&mut self, lanes: i64, points: Value, chunk: Value) -> Value {
        let raised = self.builder.ins().iadd_imm_s(chunk, lanes - 1);
        let whole = self.builder.ins().band_imm_s(raised, -lanes);
        let threads = self.context_word(offset_of!(Context, threads));
        let busy = self.builder.ins().imul_imm_s(threads, lanes);
        let many = self.builder.ins().icmp(IntCC::SignedGreaterThanOrEqual, points, busy);
        self.builder.ins().select(many, whole, chunk)
    }

    /// The scalars and blocks that a segment uses but does not bind.
    pub fn captured_vars(&self, segment: &GridSegment) -> Vec<Var> {
        let Uses { mut scalars, blocks, .. } = Uses::of_segment(segment, self.vars);
        scalars.extend(blocks.iter().map(|block| block.block));
        scalars
    }

    /// Stores the environment of a segment function for the next fork: the captured variables and other words. Returns its
    /// address.
    pub fn environment(&mut self, captured: &[Var], others: &[Value]) -> Value {
        let mut words = Vec::new();
        for &var in captured {
            let value = self.value(var);
            words.push(self.word_of(value));
        }
        words.extend(others);
        self.spill(&words)
    }
}

/// The step of points that have no state.
fn stateless<'p>(_: &mut Emitter<'p, '_>, _: &[Value], _: &[Value]) -> Vec<Value> {
    Vec::new()
}

/// Emits a segment function. It starts no segments and contains no constants. If its points run in lanes, only few run one by
/// one, so their loops do not run in lanes, unless points may not be alike.
pub(crate) fn emit<'p>(
    program: &'p Program,
    outlined: &OutlinedFunction<'p>,
    function: &mut Function,
    builder_context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
    shared: &mut BlobParts<'p>,
) {
    let few_others = outlined.strips.as_ref().is_some_and(|strips| !strips.strip().alike);
    shared.distinct = outlined.distinct.filter(|_| !few_others);
    shared.in_strands = !outlined.has_form;
    shared.attribute = outlined.segment.lanes;
    let types = [I64; 4];
    let (mut emitter, params) =
        Emitter::begin(function, builder_context, isa, program, outlined.vars, &types, shared);
    let environment = params[0];
    for (number, &var) in outlined.captured.iter().enumerate() {
        let value = emitter.load_word(emitter.var_type(var), environment, number);
        emitter.bind(var, value);
    }
    let mut chunk = Chunk { number: params[1], first: params[2], end: params[3], partials: environment };
    if let Task::Fold(..) | Task::Prefixes(..) = outlined.task {
        chunk.partials = emitter.load_word(I64, environment, outlined.captured.len());
        let is_scan = matches!(outlined.segment.threads(), Some((SegmentKind::Scan(..), _)));
        if is_scan && outlined.segment.space.len() == 1 {
            // The points before those of the round.
            let before = emitter.load_word(I64, environment, outlined.captured.len() + 1);
            chunk.first = emitter.builder.ins().iadd(chunk.first, before);
            chunk.end = emitter.builder.ins().iadd(chunk.end, before);
        }
    }
    emitter.point = chunk.first;
    emitter.path = outlined.path;
    emitter.with_lane_memory(outlined.strips.as_ref(), |emitter| run(emitter, outlined, environment, &chunk));
    emitter.finish(isa);
}

/// Emits the task of a segment function.
fn run<'p>(
    emitter: &mut Emitter<'p, '_>,
    outlined: &OutlinedFunction<'p>,
    environment: Value,
    chunk: &Chunk,
) {
    let space = &outlined.segment.space;
    match outlined.task {
        Task::Map(body) => {
            emitter.on_stack = stack::blocks(body, outlined.vars, emitter.shared.target);
            let interval = stop::interval([body], &emitter.on_stack);
            let strips = outlined.strips.as_ref();
            let code = PointCode {
                element: |emitter: &mut Emitter<'p, '_>| emitter.body(body),
                absorb: stateless,
                strips,
            };
            emitter.points(space, interval, chunk, Vec::new(), code);
        }
        Task::Workgroups(body) => {
            emitter.on_stack = stack::blocks(body, outlined.vars, emitter.shared.target);
            emitter.with_workgroup_memory(body, |emitter| {
                let element = |emitter: &mut Emitter<'p, '_>| emitter.body(body);
                let code = PointCode { element, absorb: stateless, strips: None };
                emitter.points(space, None, chunk, Vec::new(), code);
            });
        }
        Task::Fold(body, combiners) => {
            emitter.on_stack = stack::blocks(body, outlined.vars, emitter.shared.target);
            if space.len() == 1 {
                emitter.fold_chunk(outlined.segment, body, combiners, chunk, outlined.strips.as_ref());
            } else {
                let rows = emitter.rows_of(environment, outlined.captured.len());
                emitter.fold_parts(
                    outlined.segment,
                    (body, combiners),
                    chunk,
                    rows,
                    outlined.strips.as_ref(),
                );
            }
        }
        Task::Prefixes(body, combiners) => {
            emitter.on_stack = stack::blocks(body, outlined.vars, emitter.shared.target);
            if space.len() == 1 {
                let finish = outlined.segment.threads().and_then(|(kind, _)| kind.finish());
                emitter.prefix_chunk(
                    outlined.segment,
                    body,
                    (combiners, finish),
                    chunk,
                    outlined.strips.as_ref(),
                );
            } else {
                let rows = emitter.rows_of(environment, outlined.captured.len());
                emitter.prefixes_of_parts(outlined.segment, (body, combiners), chunk, rows);
            }
        }
    }
}
