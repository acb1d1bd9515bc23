//! Translates a segment of core IR to one segment of kernel IR, or two if some results depend on a scan
//! ([`super::scans`]): grid segments at host level, inner segments in a workgroup.
//!
//! * Without scans, one segment does everything: its body stores mapped and written values, and returns the values to
//!   reduce.
//! * Values are combined into arrays in the same segment if nothing is scanned or reduced ([`super::histogram`]),
//!   otherwise afterwards, from memory.
//! * Arrays are reduced and scanned in parts of the points ([`super::parts`]).

use ravel_base::{Diagnostic, Limitation};
use ravel_core as core;
use ravel_kernel::*;

use super::level::{CodeLevel, Parallel};
use super::scope::{Array, Result, Scope, Value};
use super::sequential::reductions;
use super::sinks::{Feed, From, Out};
use super::view::Dim;

/// The code of a point.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    /// The counter of the innermost dimension.
    pub counter: core::Var,
    /// Applied to the elements of the feeds.
    pub lambda: &'a core::Lambda,
}

/// The code applied to the elements of the feeds before they are distributed to the sinks.
pub(super) type Step<'a> = Option<Code<'a>>;

impl Scope<'_, '_, Host> {
    pub fn parallel(&mut self, binders: &[core::Var], segment: &core::Segment) -> Result {
        let core::Segment { points, ref outer, ref screma, index: counter, .. } = *segment;
        if points == core::Level::Workgroup {
            return self.blocks(binders, segment);
        }
        let (combines, carries_arrays) = (combines(screma), self.carries_arrays(screma));
        if (combines || carries_arrays) && !outer.is_empty() {
            return self.cx.limitation(Limitation::Segments);
        }
        if carries_arrays {
            return self.arrays_in_parts(binders, segment);
        }
        let step = Some(Code { counter, lambda: &screma.map });
        let width = self.cx.atom(screma.width)?;
        let feeds = self.feeds(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        if combines && screma.scans.is_empty() && reductions(screma).next().is_none() {
            self.histogram(segment, width, &feeds, step, &outs)?;
            return self.bind_outs(binders, outs, Vec::new());
        }
        let (dealt, operands) = self.store_operands(width, &outs)?;
        let cells = self.distribute_or_scan(binders, segment, &feeds, &dealt)?;
        if combines {
            let combined: Vec<Out<'_>> = outs.iter().filter(|out| out.combines()).cloned().collect();
            self.histogram(segment, width, &operands, None, &combined)?;
        }
        self.bind_outs(binders, outs, cells)
    }
}

impl Scope<'_, '_, Workgroup> {
    /// A segment of the body of a workgroup.
    pub fn inner_segment(&mut self, binders: &[core::Var], segment: &core::Segment) -> Result {
        if combines(&segment.screma) || self.carries_arrays(&segment.screma) {
            return self.cx.limitation(Limitation::Segments);
        }
        let feeds = self.feeds(&segment.screma)?;
        let outs = self.outs(binders, &segment.screma.sinks)?;
        let cells = self.distribute_or_scan(binders, segment, &feeds, &outs)?;
        self.bind_outs(binders, outs, cells)
    }
}

fn combines(screma: &core::Screma) -> bool {
    screma.sinks.iter().any(|sink| matches!(sink, core::Sink::Combine { .. }))
}

impl<L: Parallel> Scope<'_, '_, L> {
    /// Whether it reduces or scans arrays.
    fn carries_arrays(&self, screma: &core::Screma) -> bool {
        let reduced = reductions(screma).map(|(_, neutral)| neutral);
        let mut neutral = reduced.chain(screma.scans.iter().map(|scan| &scan.neutral[..])).flatten();
        neutral.any(|atom| atom.var().is_some_and(|var| !self.cx.ty(var).is_scalar()))
    }

    /// The sizes of a segment's dimensions.
    pub fn sizes(&self, segment: &core::Segment) -> Result<Vec<Atom>> {
        segment.space().map(|(_, size)| self.cx.atom(size)).collect()
    }

    /// Distributes values to sinks, none of which combines into arrays. Returns an array for every reduced value.
    fn distribute_or_scan(
        &mut self,
        binders: &[core::Var],
        segment: &core::Segment,
        feeds: &[Feed],
        outs: &[Out<'_>],
    ) -> Result<Vec<Array>> {
        let core::Segment { ref screma, index: counter, .. } = *segment;
        match screma.scans.is_empty() {
            true => {
                let step = Some(Code { counter, lambda: &screma.map });
                self.one_segment(binders, segment, feeds, step, outs)
            }
            false => self.scans(binders, segment, feeds, outs),
        }
    }

    /// One segment that applies the step and distributes to the sinks. Returns an array for every reduced value: over
    /// the outer dimensions, or of one element if there are none.
    pub fn one_segment(
        &mut self,
        binders: &[core::Var],
        segment: &core::Segment,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Result<Vec<Array>> {
        let sizes = self.sizes(segment)?;
        let mut reduced = Vec::new();
        let mut combiners = Vec::new();
        for (sink, own, _) in segment.screma.sink_ranges() {
            let core::Sink::Reduce { op, neutral, commutative } = sink else { continue };
            let mut names = Vec::new();
            for (&atom, &binder) in neutral.iter().zip(&binders[own]) {
                let elem = self.cx.prim(self.cx.atom(atom)?);
                let array = match segment.outer.is_empty() {
                    true => L::alloc(self, None, elem, &[])?,
                    false => self.make(binder)?,
                };
                names.push(array.name);
                reduced.push(array);
            }
            combiners.push(self.combiner(op, neutral, *commutative, names)?);
        }
        let written = outs.iter().any(|out| matches!(out, Out::Write(..)));
        let (hint, kind) = match (combiners.is_empty(), written) {
            (false, _) => ("reduce", SegmentKind::Reduce(combiners)),
            (true, true) => ("scatter", SegmentKind::Map),
            (true, false) => ("map", SegmentKind::Map),
        };
        L::over_points(self, hint, &sizes, kind, |scope, point| {
            let (index, feeds, outs) = scope.row_of(segment, point, feeds, outs)?;
            scope.run_step(&feeds, step, &outs, index)
        })?;
        Ok(reduced)
    }

    pub fn bind_outs(&mut self, binders: &[core::Var], outs: Vec<Out<'_>>, reduced: Vec<Array>) -> Result {
        let mut reduced = reduced.into_iter();
        let mut binders = binders.iter();
        for out in outs {
            let values = match out {
                Out::Map(array) | Out::Write(array, _) => {
                    if let Some(&binder) = binders.next() {
                        self.bind(binder, Value::Array(array))?;
                    }
                    0
                }
                Out::Combine { targets, .. } => {
                    for (target, &binder) in targets.into_iter().zip(binders.by_ref()) {
                        self.bind(binder, Value::Array(target))?;
                    }
                    0
                }
                Out::Reduce(arity) => arity,
            };
            for (&binder, array) in binders.by_ref().take(values).zip(reduced.by_ref()) {
                let value = match self.cx.ty(binder).is_scalar() {
                    true => Value::Scalar(self.load(self.cx.hint(binder), &array, Vec::new())),
                    false => Value::Array(array),
                };
                self.bind(binder, value)?;
            }
        }
        Ok(())
    }
}

impl<L: CodeLevel> Scope<'_, '_, L> {
    /// Binds the outer counters of a segment at a point; returns the innermost one, and the feeds and sinks for this
    /// row of the space.
    pub fn row_of<'a>(
        &mut self,
        segment: &core::Segment,
        point: &[Atom],
        feeds: &[Feed],
        outs: &[Out<'a>],
    ) -> Result<(Atom, Vec<Feed>, Vec<Out<'a>>)> {
        let (&index, outer) =
            point.split_last().ok_or_else(|| Diagnostic::bug("kernelise: a segment without counter"))?;
        for (&(counter, _), &at) in segment.outer.iter().zip(outer) {
            self.bind(counter, Value::Scalar(at))?;
        }
        let dims: Vec<Dim> = outer.iter().map(|&at| Dim::Fix(at)).collect();
        let mut row = |array: &Array| match dims.is_empty() {
            true => array.clone(),
            false => self.slice(None, array, &dims),
        };
        let mut in_row = |feed: &Feed| match &feed.from {
            From::Space(array) => Feed::of(feed.hint, row(array)),
            _ => feed.clone(),
        };
        let feeds = feeds.iter().map(&mut in_row).collect();
        let out_of_row = |out: &Out<'a>| match out {
            Out::Map(array) => Out::Map(row(array)),
            out => out.clone(),
        };
        Ok((index, feeds, outs.iter().map(out_of_row).collect()))
    }
}
