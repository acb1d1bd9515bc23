//! A Screma at host level: one segment, or two when something must wait for a scan ([`super::scans`]).
//!
//! * Without scans, one segment does everything: its body stores what is mapped and written, and
//!   gives what is reduced. A map that only maps is one segment with those perfectly nested in it ([`super::nest`]).
//! * What combines into arrays does so beside the rest where there is nothing to scan or reduce
//!   ([`super::histogram`]), else behind it, from memory.
//! * What reduces or scans arrays does so in parts of the points ([`super::parts`]); where something is combined
//!   into arrays besides, it runs sequentially in a segment of one point.

use ravel_core as core;
use ravel_kernel::*;

use super::nest::inner_maps;
use super::scope::{Array, Made, Scope, Value};
use super::sequential::reductions;
use super::sinks::{Feed, Out};
use super::site::Site;

/// What happens to the elements of the feeds before they are dealt to the sinks.
pub(super) type Step<'a> = Option<&'a core::Lambda>;

impl<'p> Scope<'_, 'p, Host> {
    pub fn parallel(&mut self, binders: &[core::Var], screma: &core::Screma) -> Made {
        let combines = screma.sinks.iter().any(|sink| matches!(sink, core::Sink::Combine { .. }));
        let reduces_arrays = reductions(screma).any(|(_, neutral)| self.has_array(neutral));
        let scans_arrays = screma.scans.iter().any(|scan| self.has_array(&scan.neutral));
        match (reduces_arrays || scans_arrays, combines) {
            (true, false) => return self.arrays_in_parts(binders, screma),
            (true, true) => {
                return self.alone("sequential", binders, |scope| scope.sequential(binders, screma));
            }
            (false, _) => (),
        }
        let width = self.cx.atom(screma.width)?;
        let feeds = self.feeds(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let scanned: usize = screma.scans.iter().map(|scan| scan.neutral.len()).sum();
        if combines && scanned == 0 && reductions(screma).next().is_none() {
            self.histogram(screma, width, &feeds, Some(&screma.map), &outs)?;
            return self.bind_outs(binders, outs, Vec::new());
        }
        let inner = inner_maps(screma, self.cx.target.dimensions);
        if !inner.is_empty() {
            self.nest(screma, &inner, &feeds, &outs)?;
            return self.bind_outs(binders, outs, Vec::new());
        }
        let (dealt, operands) = self.set_aside(width, &outs)?;
        let cells = match scanned {
            0 => self.deal_all(screma, width, &feeds, Some(&screma.map), &dealt)?,
            _ => self.scans(screma, width, &feeds, &dealt)?,
        };
        if combines {
            let combined: Vec<Out<'_>> = outs.iter().filter(|out| out.combines()).cloned().collect();
            self.histogram(screma, width, &operands, None, &combined)?;
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
        screma: &core::Screma,
        width: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Made<Vec<Array>> {
        let mut cells = Vec::new();
        let mut combiners = Vec::new();
        for sink in &screma.sinks {
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
        self.segment(hint, &[width], kind, |scope, point| scope.take(feeds, step, outs, point[0]))?;
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
