//! A segment of core IR: one of kernel IR, or two when something must wait for a scan ([`super::scans`]).
//!
//! * Without scans, one segment does everything: its body stores what is mapped and written, and
//!   gives what is reduced.
//! * What combines into arrays does so beside the rest where there is nothing to scan or reduce
//!   ([`super::histogram`]), else behind it, from memory.
//! * What reduces or scans arrays does so in parts of the points ([`super::parts`]).

use ravel_base::{Diagnostic, Limitation};
use ravel_core as core;
use ravel_kernel::*;

use super::scope::{Array, Made, Scope, Value};
use super::sequential::reductions;
use super::sinks::{Feed, Out};
use super::site::Site;
use super::view::Dim;

/// The code of a point.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    /// The counter of the innermost dimension.
    pub counter: core::Var,
    /// Applied to the elements of the feeds.
    pub lambda: &'a core::Lambda,
}

/// What happens to the elements of the feeds before they are dealt to the sinks.
pub(super) type Step<'a> = Option<Code<'a>>;

impl<'p> Scope<'_, 'p, Host> {
    pub fn parallel(&mut self, binders: &[core::Var], segment: &core::Segment) -> Made {
        let core::Segment { points, ref outer, ref screma, index: counter, .. } = *segment;
        // Those that do something along the innermost dimension.
        let is_combined = |sink| matches!(sink, &core::Sink::Reduce { .. } | &core::Sink::Combine { .. });
        let is_along = !screma.scans.is_empty() || screma.sinks.iter().any(is_combined);
        if points == core::Level::Block || is_along && !outer.is_empty() {
            return self.cx.limitation(Limitation::Segments);
        }
        let combines = screma.sinks.iter().any(|sink| matches!(sink, core::Sink::Combine { .. }));
        let reduces_arrays = reductions(screma).any(|(_, neutral)| self.has_array(neutral));
        let scans_arrays = screma.scans.iter().any(|scan| self.has_array(&scan.neutral));
        if reduces_arrays || scans_arrays {
            return self.arrays_in_parts(binders, segment);
        }
        let step = Some(Code { counter, lambda: &screma.map });
        let width = self.cx.atom(screma.width)?;
        let feeds = self.feeds(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let scanned: usize = screma.scans.iter().map(|scan| scan.neutral.len()).sum();
        if combines && scanned == 0 && reductions(screma).next().is_none() {
            self.histogram(segment, width, &feeds, step, &outs)?;
            return self.bind_outs(binders, outs, Vec::new());
        }
        let (dealt, operands) = self.set_aside(width, &outs)?;
        let cells = match scanned {
            0 => self.deal_all(segment, &feeds, step, &dealt)?,
            _ => self.scans(segment, width, &feeds, &dealt)?,
        };
        if combines {
            let combined: Vec<Out<'_>> = outs.iter().filter(|out| out.combines()).cloned().collect();
            self.histogram(segment, width, &operands, None, &combined)?;
        }
        self.bind_outs(binders, outs, cells)
    }

    /// Is one of these an array?
    fn has_array(&self, atoms: &[core::Atom]) -> bool {
        let is_array = |atom: &core::Atom| atom.var().is_some_and(|var| !self.cx.ty(var).is_scalar());
        atoms.iter().any(is_array)
    }

    /// One segment that takes the step and deals to the sinks. Gives a cell for every reduced value.
    pub fn deal_all(
        &mut self,
        segment: &core::Segment,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Made<Vec<Array>> {
        let sizes = segment.space().map(|(_, size)| self.cx.atom(size)).collect::<Made<Vec<_>>>()?;
        let mut cells = Vec::new();
        let mut combiners = Vec::new();
        for sink in &segment.screma.sinks {
            let core::Sink::Reduce { op, neutral, commutative } = sink else { continue };
            let mut names = Vec::new();
            for &atom in neutral {
                let elem = self.cx.prim(self.cx.atom(atom)?);
                let cell = Host::alloc(self, None, elem, &[])?;
                names.push(cell.name);
                cells.push(cell);
            }
            combiners.push(self.combiner(op, neutral, *commutative, names)?);
        }
        let written = outs.iter().any(|out| matches!(out, Out::Write(..)));
        let (hint, kind) = match (combiners.is_empty(), written) {
            (false, _) => ("reduce", SegmentKind::Reduce(combiners)),
            (true, true) => ("scatter", SegmentKind::Map),
            (true, false) => ("map", SegmentKind::Map),
        };
        self.segment(hint, &sizes, kind, |scope, point| {
            let (index, outs) = scope.row_of(segment, point, outs)?;
            scope.take(feeds, step, &outs, index)
        })?;
        Ok(cells)
    }

    fn bind_outs(&mut self, binders: &[core::Var], outs: Vec<Out<'_>>, cells: Vec<Array>) -> Made {
        let mut cells = cells.into_iter();
        let mut binders = binders.iter();
        for out in outs {
            let reduced = match out {
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
            for (&binder, cell) in binders.by_ref().take(reduced).zip(cells.by_ref()) {
                let value = self.load(self.cx.hint(binder), &cell, Vec::new());
                self.bind(binder, Value::Scalar(value))?;
            }
        }
        Ok(())
    }
}

impl Scope<'_, '_, Thread> {
    /// Gives the outer counters of a segment their values at a point; gives the innermost one, and the sinks for this row of
    /// the space.
    fn row_of<'a>(
        &mut self,
        segment: &core::Segment,
        point: &[Atom],
        outs: &[Out<'a>],
    ) -> Made<(Atom, Vec<Out<'a>>)> {
        let (&index, outer) =
            point.split_last().ok_or_else(|| Diagnostic::bug("kernelise: a segment without counter"))?;
        for (&(counter, _), &at) in segment.outer.iter().zip(outer) {
            self.bind(counter, Value::Scalar(at))?;
        }
        let dims: Vec<Dim> = outer.iter().map(|&at| Dim::Fix(at)).collect();
        let row = |out: &Out<'a>| match out {
            Out::Map(array) if !dims.is_empty() => Out::Map(self.slice(None, array, &dims)),
            out => out.clone(),
        };
        Ok((index, outs.iter().map(row).collect()))
    }
}
