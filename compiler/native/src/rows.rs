//! Reductions and scans of a grid along the innermost of several dimensions.
//!
//! A *row* is the points with the same outer counters. It is cut into *parts* of as many points as a chunk has, so a
//! short row is one part. A worker takes consecutive parts that together have as many points as a chunk. It folds each
//! part in order, from the neutral element, or in strands (`strands`) if parts have at least [`LONG`] points. A
//! reduction stores the total of a row that is one part at once; otherwise the host combines the totals of the row's
//! parts in order. A scan of rows of several parts first folds the parts; then it runs all points, each part from the
//! prefix of the parts before it. The last part of a row is folded only if a point may fail. Thus the tree of
//! combinations depends on the sizes and the chunk alone.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_kernel::{Atom, Body, Combiner, GridSegment, SegmentKind, Thread, Var};

use crate::emitter::Emitter;
use crate::lanes::Strips;
use crate::segment::{Chunk, Task};
use crate::stop;
use crate::strands::{self, Span};

/// The fewest points of a part that is folded in strands. Shorter ones take longer to combine their strands than to fold.
/// Both are operations of the same processor, so their ratio is no setting of the target.
const LONG: i64 = 64;

/// The division of an index space of several dimensions.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// The block of partial results: a row of words for each part.
    partials: Value,
    /// The number of parts of a row, at least 1.
    parts: Value,
    /// The number of those among them that are tasks. They come first.
    tasks: Value,
    /// The most points of a part.
    length: Value,
}

impl Rows {
    /// The number of words in the environment of a task.
    const WORDS: usize = 4;

    fn words(self) -> [Value; Rows::WORDS] {
        [self.partials, self.parts, self.tasks, self.length]
    }
}

impl<'p> Emitter<'p, '_> {
    /// Runs a reduction from the host.
    pub fn reduce_rows(
        &mut self,
        segment: &'p GridSegment,
        body: &'p Body<Thread>,
        combiners: &'p [Combiner],
    ) {
        let types = self.state_types(combiners);
        let (rows, count) = self.divide(segment, types.len());
        self.fork_rows(segment, Task::Fold(body, combiners), rows, count);
        let (gather, _) = self.block(&[]);
        let (done, _) = self.block(&[]);
        let (several, none) = (self.is_several(rows), self.index(0));
        self.branch(several, (gather, &[]), (done, &[]));
        self.builder.switch_to_block(gather);
        self.rounds((none, count), &[], |emitter, row, _| {
            let first_part = emitter.builder.ins().imul(row, rows.parts);
            let first = emitter.load_row(rows.partials, first_part, &types);
            let one = emitter.index(1);
            let total = emitter.rounds((one, rows.parts), &first, |emitter, part, before| {
                let at = emitter.builder.ins().iadd(first_part, part);
                let total = emitter.load_row(rows.partials, at, &types);
                emitter.combine(combiners, before, &total)
            });
            let at = emitter.outer_counters(&segment.space, row);
            emitter.store_outs(combiners, &at, &total);
            Vec::new()
        });
        self.jump(done, &[]);
        self.builder.switch_to_block(done);
        self.release(rows.partials);
    }

    /// Runs a scan from the host.
    pub fn scan_rows(&mut self, segment: &'p GridSegment, body: &'p Body<Thread>, combiners: &'p [Combiner]) {
        let types = self.state_types(combiners);
        let (rows, count) = self.divide(segment, types.len());
        let (several, none) = (self.is_several(rows), self.index(0));
        let all_but_last = self.builder.ins().iadd_imm_s(rows.parts, -1);
        let tasks = match segment.can_fail() {
            // The last part of a row may fail, and a part of the next row as well.
            true => self.builder.ins().select(several, rows.parts, none),
            false => all_but_last,
        };
        self.fork_rows(segment, Task::Fold(body, combiners), Rows { tasks, ..rows }, count);
        let (spread, _) = self.block(&[]);
        let (done, _) = self.block(&[]);
        self.branch(several, (spread, &[]), (done, &[]));
        self.builder.switch_to_block(spread);
        // Puts in place of each total the combination of those before it in its row.
        self.rounds((none, count), &[], |emitter, row, _| {
            let first_part = emitter.builder.ins().imul(row, rows.parts);
            let neutral = emitter.neutral(combiners);
            let whole = emitter.rounds((none, all_but_last), &neutral, |emitter, part, before| {
                let at = emitter.builder.ins().iadd(first_part, part);
                let total = emitter.load_row(rows.partials, at, &types);
                emitter.store_row(rows.partials, at, before);
                emitter.combine(combiners, before, &total)
            });
            let last = emitter.builder.ins().iadd(first_part, all_but_last);
            emitter.store_row(rows.partials, last, &whole);
            Vec::new()
        });
        self.jump(done, &[]);
        self.builder.switch_to_block(done);
        self.fork_rows(segment, Task::Prefixes(body, combiners), rows, count);
        self.release(rows.partials);
    }

    /// Folds the parts of a task, which a worker takes; stores the totals.
    pub fn fold_parts(
        &mut self,
        segment: &'p GridSegment,
        (body, combiners): (&'p Body<Thread>, &'p [Combiner]),
        chunk: &Chunk,
        rows: Rows,
        strips: Option<&Strips>,
    ) {
        let reduces = matches!(segment.threads(), Some((SegmentKind::Reduce(_), _)));
        self.parts(segment, body, combiners, chunk, rows, |emitter, part| {
            let total = match strands::count(combiners, emitter.vars, emitter.shared.target) {
                Some(count) => emitter.long_or_short(part, count, (body, combiners), rows, strips),
                None => emitter.fold_in_order(part, body, combiners),
            };
            let (keep, _) = emitter.block(&[]);
            let (next, _) = emitter.block(&[]);
            if reduces {
                let (finish, _) = emitter.block(&[]);
                let several = emitter.is_several(rows);
                emitter.branch(several, (keep, &[]), (finish, &[]));
                emitter.builder.switch_to_block(finish);
                emitter.store_outs(combiners, &part.outer, &total);
                emitter.jump(next, &[]);
            } else {
                emitter.jump(keep, &[]);
            }
            emitter.builder.switch_to_block(keep);
            emitter.store_row(rows.partials, part.number, &total);
            emitter.jump(next, &[]);
            emitter.builder.switch_to_block(next);
        });
    }

    /// The total of a part, which is folded in so many strands if parts are long.
    fn long_or_short(
        &mut self,
        part: &Part,
        count: usize,
        (body, combiners): (&'p Body<Thread>, &'p [Combiner]),
        rows: Rows,
        strips: Option<&Strips>,
    ) -> Vec<Value> {
        let types = self.state_types(combiners);
        let ((long, _), (short, _), (end, total)) = (self.block(&[]), self.block(&[]), self.block(&types));
        let is_long = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, rows.length, LONG);
        self.branch(is_long, (long, &[]), (short, &[]));
        self.builder.switch_to_block(long);
        let (between, counter) = ((part.first, part.last), Some(part.counter));
        let span = Span { between, counter, before: Some(part.before), interval: part.interval };
        let in_strands = self.fold_span(&span, count, (body, combiners), strips);
        self.jump(end, &in_strands);
        self.builder.switch_to_block(short);
        let in_order = self.fold_in_order(part, body, combiners);
        self.jump(end, &in_order);
        self.builder.switch_to_block(end);
        total
    }

    /// The total of a part, from its first point to its last.
    fn fold_in_order(
        &mut self,
        part: &Part,
        body: &'p Body<Thread>,
        combiners: &'p [Combiner],
    ) -> Vec<Value> {
        let neutral = self.neutral(combiners);
        self.part(part, &neutral, |emitter, _, before| {
            let element = emitter.body(body);
            emitter.combine(combiners, before, &element)
        })
    }

    /// Stores the prefixes of the points of the parts that a worker takes.
    pub fn prefixes_of_parts(
        &mut self,
        segment: &'p GridSegment,
        (body, combiners): (&'p Body<Thread>, &'p [Combiner]),
        chunk: &Chunk,
        rows: Rows,
    ) {
        let types = self.state_types(combiners);
        self.parts(segment, body, combiners, chunk, rows, |emitter, part| {
            let neutral = emitter.neutral(combiners);
            let (load, _) = emitter.block(&[]);
            let (walk, before) = emitter.block(&types);
            let several = emitter.is_several(rows);
            emitter.branch(several, (load, &[]), (walk, &neutral));
            emitter.builder.switch_to_block(load);
            let kept = emitter.load_row(rows.partials, part.number, &types);
            emitter.jump(walk, &kept);
            emitter.builder.switch_to_block(walk);
            emitter.part(part, &before, |emitter, index, before| {
                let element = emitter.body(body);
                let prefix = emitter.combine(combiners, before, &element);
                emitter.store_outs(combiners, &[&part.outer[..], &[index]].concat(), &prefix);
                prefix
            });
        });
    }

    /// The division that the environment of a task states, after so many captured variables.
    pub fn rows_of(&mut self, environment: Value, captured: usize) -> Rows {
        let word = |number| self.load_word(I64, environment, captured + number);
        let [partials, parts, tasks, length] = [0, 1, 2, 3].map(word);
        Rows { partials, parts, tasks, length }
    }

    /// Divides the space of a segment whose state has so many words. Returns also the number of rows.
    fn divide(&mut self, segment: &GridSegment, words: usize) -> (Rows, Value) {
        let (&(_, size), outer) = segment.space.split_last().expect("verified: a row to combine");
        let mut count = self.index(1);
        for &(_, size) in outer {
            let size = self.atom(size);
            count = self.builder.ins().imul(count, size);
        }
        let (size, chunk, one) = (self.atom(size), self.atom(segment.chunk), self.index(1));
        let length = self.builder.ins().smin(chunk, size);
        let length = self.builder.ins().smax(length, one);
        let last = self.builder.ins().iadd_imm_s(size, -1);
        let last = self.builder.ins().sdiv(last, length);
        let parts = self.builder.ins().iadd_imm_s(last, 1);
        let parts = self.builder.ins().smax(parts, one);
        let all = self.builder.ins().imul(count, parts);
        let words = self.builder.ins().imul_imm_s(all, words as i64);
        let none = self.index(0);
        let several = self.builder.ins().icmp(IntCC::SignedLessThan, one, parts);
        let words = self.builder.ins().select(several, words, none);
        let partials = self.allocate(words, 8);
        (Rows { partials, parts, tasks: parts, length }, count)
    }

    /// Whether a row has several parts.
    fn is_several(&mut self, rows: Rows) -> Value {
        let one = self.index(1);
        self.builder.ins().icmp(IntCC::SignedLessThan, one, rows.parts)
    }

    /// Runs a task for the parts of so many rows.
    fn fork_rows(&mut self, segment: &'p GridSegment, task: Task<'p>, rows: Rows, count: Value) {
        let captured = self.captured_vars(segment);
        let environment = self.environment(&captured, &rows.words());
        let all = self.builder.ins().imul(count, rows.tasks);
        let (chunk, one) = (self.atom(segment.chunk), self.index(1));
        let together = self.builder.ins().udiv(chunk, rows.length);
        let together = self.builder.ins().smax(together, one);
        let outlined = self.segment_function(segment, task, captured);
        self.fork(outlined, environment, all, together);
    }

    /// Emits a loop over the parts that a worker takes, with the outer counters bound.
    fn parts(
        &mut self,
        segment: &'p GridSegment,
        body: &'p Body<Thread>,
        combiners: &'p [Combiner],
        chunk: &Chunk,
        rows: Rows,
        run: impl FnOnce(&mut Self, &Part),
    ) {
        let interval = stop::thread_interval(body, combiners, &self.on_stack);
        let (&(counter, size), _) = segment.space.split_last().expect("verified: a row to combine");
        self.rounds((chunk.first, chunk.end), &[], |emitter, task, _| {
            let row = emitter.builder.ins().udiv(task, rows.tasks);
            let in_row = emitter.builder.ins().urem(task, rows.tasks);
            let outer = emitter.outer_counters(&segment.space, row);
            let first_part = emitter.builder.ins().imul(row, rows.parts);
            let number = emitter.builder.ins().iadd(first_part, in_row);
            let first = emitter.builder.ins().imul(in_row, rows.length);
            let size = emitter.atom(size);
            let left = emitter.builder.ins().isub(size, first);
            let length = emitter.builder.ins().smin(left, rows.length);
            let last = emitter.builder.ins().iadd(first, length);
            let before = emitter.builder.ins().imul(row, size);
            run(emitter, &Part { outer, number, first, last, before, counter, interval });
            Vec::new()
        });
    }

    /// Emits a loop over the points of a part, with all counters bound.
    fn part(
        &mut self,
        part: &Part,
        state: &[Value],
        round: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        self.rounds_with_polls((part.first, part.last), part.interval, state, |emitter, index, state| {
            emitter.bind(part.counter, index);
            emitter.point = emitter.builder.ins().iadd(part.before, index);
            round(emitter, index, state)
        })
    }

    /// Emits a loop from one i64 to below another one, which polls the stop flag in every iteration.
    fn rounds(
        &mut self,
        between: (Value, Value),
        state: &[Value],
        round: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        self.rounds_with_polls(between, None, state, round)
    }

    /// [`Self::rounds`] with a poll after every `interval` iterations.
    fn rounds_with_polls(
        &mut self,
        (first, last): (Value, Value),
        interval: Option<u64>,
        state: &[Value],
        round: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let count = self.builder.ins().isub(last, first);
        self.count_to(count, true, None, interval, state, |emitter, number, state| {
            let index = emitter.builder.ins().iadd(first, number);
            round(emitter, index, state)
        })
    }

    /// Binds the outer counters of a space in this row; returns them.
    fn outer_counters(&mut self, space: &[(Var, Atom)], row: Value) -> Vec<Value> {
        let outer = &space[..space.len() - 1];
        let counters = self.counters(outer, row);
        for (&(var, _), &counter) in outer.iter().zip(&counters) {
            self.bind(var, counter);
        }
        counters
    }
}

/// A part of a row.
struct Part {
    /// The outer counters.
    outer: Vec<Value>,
    /// Its number among the parts of all rows.
    number: Value,
    /// Its first inner index, and the one after its last.
    first: Value,
    last: Value,
    /// The number of points of the rows before.
    before: Value,
    /// The inner counter.
    counter: Var,
    /// After how many points the stop flag is polled.
    interval: Option<u64>,
}
