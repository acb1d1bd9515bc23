//! Reductions and scans of a grid of one dimension.
//!
//! Every chunk folds its points in order, from the neutral element, into a row of partial
//! results: one word for each scalar of each operator. The host combines the rows in the order of
//! the chunks. A scan then runs all points a second time; each chunk begins with the combination of the
//! chunks before it, and stores the scanned values or runs the code that takes them. So the order of combination depends only on the chunk size.
//!
//! A scan takes its chunks in *rounds*, one chunk for each thread. A round folds its chunks, and then runs their points
//! again. So the second time, what they read is still in the cache, and a long scan reads its operands from memory once.
//! The number of threads decides which chunks are in a round, but not the order of combination: a round begins with the
//! combination of all chunks before it. If a thread is alone, and the bits of the results do not depend on the grouping,
//! there is one chunk, which is not folded.
//!
//! A scan whose points are short runs several sections of a chunk side by side (`sections`), and each has a row of its own.
//!
//! A reduction by a short commutative operator folds the points of a chunk in strands (`strands`) instead.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Type as ClifType, Value};
use ravel_abi::native::Context;
use ravel_kernel::{Body, Combiner, Finish, GridSegment, Thread};

use crate::carried::carried;
use crate::emitter::{Emitter, TRUSTED};
use crate::lanes::Strips;
use crate::segment::{Chunk, Task};
use crate::strands::{self, Fold, Span};
use crate::walk::PointCode;
use crate::{sections, stop};

/// The host's values for a running reduction or scan.
struct Run {
    points: Value,
    chunk: Value,
    chunks: Value,
    /// The chunks of a round: of a reduction, all.
    together: Value,
    partials: Value,
}

impl Run {
    /// The number of rounds.
    fn rounds(&self, emitter: &mut Emitter) -> Value {
        let ins = emitter.builder.ins();
        let raised = ins.iadd(self.chunks, self.together);
        let raised = emitter.builder.ins().iadd_imm_s(raised, -1);
        emitter.builder.ins().udiv(raised, self.together)
    }
}

impl<'p> Emitter<'p, '_> {
    /// Runs a reduction from the host.
    pub fn reduce(&mut self, segment: &'p GridSegment, body: &'p Body<Thread>, combiners: &'p [Combiner]) {
        let types = self.state_types(combiners);
        let run = self.begin_run(segment, &types);
        self.fork_task(segment, Task::Fold(body, combiners), &run, &[], run.points);

        let neutral = self.neutral(combiners);
        let (some, _) = self.block(&[]);
        let (round, params) = self.block(&[&[I64][..], &types].concat());
        let (done, totals) = self.block(&types);
        let zero = self.index(0);
        let any = self.builder.ins().icmp(IntCC::SignedLessThan, zero, run.chunks);
        self.branch(any, (some, &[]), (done, &neutral));
        self.builder.switch_to_block(some);
        let first = self.load_row(run.partials, zero, &types);
        let one = self.index(1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, one, run.chunks);
        self.branch(more, (round, &[&[one][..], &first].concat()), (done, &first));
        self.builder.switch_to_block(round);
        self.poll_stop();
        let partial = self.load_row(run.partials, params[0], &types);
        let total = self.combine(combiners, &params[1..], &partial);
        let next = self.builder.ins().iadd_imm_s(params[0], 1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next, run.chunks);
        self.branch(more, (round, &[&[next][..], &total].concat()), (done, &total));
        self.builder.switch_to_block(done);

        self.store_outs(combiners, &[], &totals);
        self.release(run.partials);
    }

    /// Runs a scan from the host.
    pub fn scan(&mut self, segment: &'p GridSegment, body: &'p Body<Thread>, combiners: &'p [Combiner]) {
        let types = self.state_types(combiners);
        let sections = sections::count(segment, self.vars, self.shared.target);
        let run = self.begin_scan(segment, combiners, sections, &types);
        let (rounds, neutral) = (run.rounds(self), self.neutral(combiners));
        self.count_to(rounds, true, None, None, &neutral, |emitter, round, before| {
            let first = emitter.builder.ins().imul(round, run.together);
            let end = emitter.builder.ins().iadd(first, run.together);
            let end = emitter.builder.ins().smin(end, run.chunks);
            // The total of the last chunk is not needed, unless it has sections.
            let last = emitter.builder.ins().iadd_imm_s(run.chunks, -1);
            let last = if sections == 1 { last } else { run.chunks };
            let folded = emitter.builder.ins().smin(end, last);
            let folded = emitter.builder.ins().isub(folded, first);
            let first_point = emitter.builder.ins().imul(first, run.chunk);
            let points = emitter.builder.ins().imul(folded, run.chunk);
            let points_left = emitter.builder.ins().isub(run.points, first_point);
            let points = emitter.builder.ins().smin(points, points_left);
            emitter.fork_task(segment, Task::Fold(body, combiners), &run, &[first_point], points);

            // Replaces the total of each row by the combination of the totals before it.
            let rows = emitter.builder.ins().imul_imm_s(folded, sections as i64);
            let after = emitter.count_to(rows, true, None, None, before, |emitter, number, before| {
                let total = emitter.load_row(run.partials, number, &types);
                emitter.store_row(run.partials, number, before);
                emitter.combine(combiners, before, &total)
            });
            emitter.store_row(run.partials, rows, &after);

            let end_point = emitter.builder.ins().imul(end, run.chunk);
            let end_point = emitter.builder.ins().smin(end_point, run.points);
            let points = emitter.builder.ins().isub(end_point, first_point);
            emitter.fork_task(segment, Task::Prefixes(body, combiners), &run, &[first_point], points);
            after
        });
        self.release(run.partials);
    }

    /// Folds the points of a chunk into its row of partial results, or those of its sections into theirs.
    pub fn fold_chunk(
        &mut self,
        segment: &GridSegment,
        body: &'p Body<Thread>,
        combiners: &'p [Combiner],
        chunk: &Chunk,
        strips: Option<&Strips>,
    ) {
        let sections = sections::count(segment, self.vars, self.shared.target);
        if sections == 1 {
            return self.fold_points(segment, body, combiners, chunk, strips);
        }
        if strands::count(combiners, self.vars, self.shared.target).is_some() {
            let all = self.index(sections as i64);
            self.count_to(all, true, Some(sections as u64), None, &[], |emitter, number, _| {
                let section = emitter.section(chunk, sections, number);
                emitter.fold_points(segment, body, combiners, &section, strips);
                Vec::new()
            });
            return;
        }
        let element = |emitter: &mut Self| emitter.body(body);
        let absorb = |emitter: &mut Self, before: &[Value], element: &[Value]| {
            emitter.combine(combiners, before, element)
        };
        let interval = stop::thread_interval(body, combiners, &self.on_stack);
        let neutral = vec![self.neutral(combiners); sections];
        let sections = self.sections(chunk, sections);
        let code = PointCode { element, absorb, strips };
        let totals = self.points_in_sections(&segment.space, interval, &sections, &neutral, &code);
        for (section, total) in sections.iter().zip(&totals) {
            self.store_row(chunk.partials, section.number, total);
        }
    }

    /// Folds the points of a chunk, or of a section, into its row of partial results.
    fn fold_points(
        &mut self,
        segment: &GridSegment,
        body: &'p Body<Thread>,
        combiners: &'p [Combiner],
        chunk: &Chunk,
        strips: Option<&Strips>,
    ) {
        let space = &segment.space;
        let interval = stop::thread_interval(body, combiners, &self.on_stack);
        let totals = if let Some(count) = strands::count(combiners, self.vars, self.shared.target) {
            let (between, counter) = ((chunk.first, chunk.end), space.last().map(|&(counter, _)| counter));
            let span = Span { between, counter, before: Some(self.index(0)), interval };
            self.fold_span(&span, count, (body, combiners), strips)
        } else {
            let element = |emitter: &mut Self| emitter.body(body);
            let absorb = |emitter: &mut Self, before: &[Value], element: &[Value]| {
                emitter.combine(combiners, before, element)
            };
            let neutral = self.neutral(combiners);
            self.points(space, interval, chunk, neutral, PointCode { element, absorb, strips })
        };
        self.store_row(chunk.partials, chunk.number, &totals);
    }

    /// Combines the points of a span in so many strands.
    pub fn fold_span(
        &mut self,
        span: &Span,
        count: usize,
        (body, combiners): (&'p Body<Thread>, &'p [Combiner]),
        strips: Option<&Strips>,
    ) -> Vec<Value> {
        let neutral = self.neutral(combiners);
        let element = |emitter: &mut Self| emitter.body(body);
        let combine =
            |emitter: &mut Self, left: &[Value], right: &[Value]| emitter.combine(combiners, left, right);
        let types = strands::types(combiners, self.vars);
        self.fold_in_strands(span, Fold { count, types, neutral, element, combine }, strips)
    }

    /// Stores the prefix of each point of a chunk, or runs the code that takes it. The row of partial results has the combination
    /// of all earlier chunks, and that of a section those of all earlier sections.
    pub fn prefix_chunk(
        &mut self,
        segment: &GridSegment,
        body: &'p Body<Thread>,
        (combiners, finish): (&'p [Combiner], Option<&'p Finish>),
        chunk: &Chunk,
        strips: Option<&Strips>,
    ) {
        let space = &segment.space;
        let types = self.state_types(combiners);
        let interval = stop::thread_interval(body, combiners, &self.on_stack);
        let carried = carried(combiners, finish, self.vars);
        let neutral = self.neutral(combiners);
        let carry = |values: Vec<Value>| {
            let pairs = values.into_iter().zip(&neutral).zip(&carried);
            pairs
                .map(|((value, &neutral), &carried)| if carried { value } else { neutral })
                .collect::<Vec<Value>>()
        };
        let element = |emitter: &mut Self| emitter.body(body);
        let absorb = |emitter: &mut Self, state: &[Value], element: &[Value]| {
            let prefix = emitter.combine(combiners, state, element);
            match finish {
                Some(finish) => {
                    space.iter().for_each(|&(counter, _)| emitter.bind(counter, emitter.point));
                    emitter.bind_all(&finish.prefixes, &prefix);
                    emitter.finish_point(finish);
                }
                None => emitter.store_outs(combiners, &[emitter.point], &prefix),
            }
            carry(prefix)
        };
        let sections = sections::count(segment, self.vars, self.shared.target);
        if sections == 1 {
            let before = carry(self.load_row(chunk.partials, chunk.number, &types));
            self.points(space, interval, chunk, before, PointCode { element, absorb, strips });
            return;
        }
        let sections = self.sections(chunk, sections);
        let before =
            sections.iter().map(|section| carry(self.load_row(section.partials, section.number, &types)));
        let before: Vec<Vec<Value>> = before.collect();
        let code = PointCode { element, absorb, strips };
        self.points_in_sections(space, interval, &sections, &before, &code);
    }

    /// The sections of a chunk.
    fn sections(&mut self, chunk: &Chunk, sections: usize) -> Vec<Chunk> {
        let section = |number| {
            let number = self.index(number);
            self.section(chunk, sections, number)
        };
        (0..sections as i64).map(section).collect()
    }

    /// Begins a reduction: counts the chunks, and allocates a row of partial results for each.
    fn begin_run(&mut self, segment: &GridSegment, types: &[ClifType]) -> Run {
        let chunk = self.atom(segment.chunk);
        let run = self.count_chunks(segment, chunk);
        let partials = self.allocate_rows(run.chunks, types);
        Run { partials, ..run }
    }

    /// Begins a scan: counts the chunks, and allocates rows of partial results for the sections of each chunk of a round and
    /// for those after it.
    /// A thread alone needs no totals, so if they cannot change a result, there is one chunk.
    fn begin_scan(
        &mut self,
        segment: &GridSegment,
        combiners: &[Combiner],
        sections: usize,
        types: &[ClifType],
    ) -> Run {
        let threads = self.context_word(offset_of!(Context, threads));
        let mut chunk = self.atom(segment.chunk);
        if sections::group_alike(combiners, self.vars) {
            let alone = self.builder.ins().icmp_imm_s(IntCC::Equal, threads, 1);
            let points = self.points_of_row(segment);
            chunk = self.builder.ins().select(alone, points, chunk);
        }
        let run = self.count_chunks(segment, chunk);
        let rows = self.builder.ins().iadd_imm_s(threads, 1);
        let rows = self.builder.ins().imul_imm_s(rows, sections as i64);
        let partials = self.allocate_rows(rows, types);
        Run { together: threads, partials, ..run }
    }

    fn allocate_rows(&mut self, rows: Value, types: &[ClifType]) -> Value {
        let words = self.builder.ins().imul_imm_s(rows, types.len() as i64);
        self.allocate(words, 8)
    }

    /// The points of a segment of at most one dimension.
    fn points_of_row(&mut self, segment: &GridSegment) -> Value {
        match segment.space.first() {
            Some(&(_, size)) => self.atom(size),
            None => self.index(1),
        }
    }

    /// The chunks of a segment, without memory for their partial results.
    fn count_chunks(&mut self, segment: &GridSegment, chunk: Value) -> Run {
        let points = self.points_of_row(segment);
        let (zero, one) = (self.index(0), self.index(1));
        let chunk = self.builder.ins().smax(chunk, one);
        let some = self.builder.ins().icmp(IntCC::SignedLessThan, zero, points);
        let last = self.builder.ins().isub(points, one);
        let last_chunk = self.builder.ins().udiv(last, chunk);
        let all = self.builder.ins().iadd(last_chunk, one);
        let chunks = self.builder.ins().select(some, all, zero);
        Run { points, chunk, chunks, together: chunks, partials: zero }
    }

    /// Runs a task on so many points, after other words of its environment.
    fn fork_task(
        &mut self,
        segment: &'p GridSegment,
        task: Task<'p>,
        run: &Run,
        words: &[Value],
        points: Value,
    ) {
        let captured = self.captured_vars(segment);
        let environment = self.environment(&captured, &[&[run.partials], words].concat());
        let outlined = self.segment_function(segment, task, captured);
        self.fork(outlined, environment, points, run.chunk);
    }

    pub fn state_types(&self, combiners: &[Combiner]) -> Vec<ClifType> {
        combiners.iter().flat_map(|combiner| self.var_types(&combiner.left)).collect()
    }

    /// The neutral elements of all operators.
    pub fn neutral(&mut self, combiners: &[Combiner]) -> Vec<Value> {
        combiners.iter().flat_map(|combiner| self.atoms(&combiner.neutral)).collect()
    }

    /// Applies all operators: each combines its part of `left` with its part of `right`.
    pub fn combine(&mut self, combiners: &'p [Combiner], left: &[Value], right: &[Value]) -> Vec<Value> {
        let mut results = Vec::new();
        for combiner in combiners {
            let width = combiner.left.len();
            let operands = results.len()..results.len() + width;
            self.bind_all(&combiner.left, &left[operands.clone()]);
            self.bind_all(&combiner.right, &right[operands]);
            results.extend(self.body(&combiner.body));
        }
        results
    }

    /// Stores combined values at these indices of the operators' result arrays.
    pub fn store_outs(&mut self, combiners: &[Combiner], indices: &[Value], values: &[Value]) {
        let outs = combiners.iter().flat_map(|combiner| &combiner.outs);
        for (&out, &value) in outs.zip(values) {
            self.store_at(self.view(out), indices, value);
        }
    }

    fn row(&mut self, partials: Value, number: Value, width: usize) -> Value {
        let offset = self.builder.ins().imul_imm_s(number, 8 * width as i64);
        self.builder.ins().iadd(partials, offset)
    }

    pub fn load_row(&mut self, partials: Value, number: Value, types: &[ClifType]) -> Vec<Value> {
        let row = self.row(partials, number, types.len());
        let load = |(place, &ty)| self.builder.ins().load(ty, TRUSTED, row, 8 * place as i32);
        types.iter().enumerate().map(load).collect()
    }

    pub fn store_row(&mut self, partials: Value, number: Value, values: &[Value]) {
        let row = self.row(partials, number, values.len());
        for (place, &value) in values.iter().enumerate() {
            self.builder.ins().store(TRUSTED, value, row, 8 * place as i32);
        }
    }
}
