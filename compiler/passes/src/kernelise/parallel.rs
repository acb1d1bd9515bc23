//! A Screma at host level: one segment, or two when something must wait for a scan.
//!
//! * Without scans, one segment does everything: its body stores what is mapped and written, and
//!   gives what is reduced. A map that only maps is one segment with those perfectly nested in it ([`super::nest`]).
//! * A scan whose results are all just kept is one scan segment; its body stores what passes by.
//! * Any other scan is materialised together with what passes by; a second segment goes on from
//!   there. What passes by as a source has it is read there again.
//! * What combines into arrays does so beside the rest where there is nothing to scan or reduce
//!   ([`super::histogram`]), else behind it, from memory.
//! * What reduces or scans arrays does so in parts of the points ([`super::parts`]); where something is combined
//!   into arrays besides, it runs sequentially in a segment of one point.

use ravel_core as core;
use ravel_kernel::*;

use super::nest::inner_maps;
use super::scope::{Array, Made, Scope, Value};
use super::sequential::reductions;
use super::sinks::{Feed, From, Out};
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
        let cells = self.materialised(screma, width, feeds, scanned, &dealt)?;
        if combines {
            let combined: Vec<Out<'_>> = outs.iter().filter(|out| out.combines()).cloned().collect();
            self.histogram(screma, width, &operands, None, &combined)?;
        }
        self.bind_outs(binders, outs, cells)
    }

    /// Deals to sinks none of which combines. Gives a cell for every reduced value.
    fn materialised(
        &mut self,
        screma: &core::Screma,
        width: Atom,
        feeds: Vec<Feed>,
        scanned: usize,
        outs: &[Out<'_>],
    ) -> Made<Vec<Array>> {
        let kept = |out: &Out<'_>| matches!(out, Out::Map(_));
        if scanned == 0 {
            self.deal_all(screma, width, &feeds, Some(&screma.map), outs)
        } else if screma.post.is_none()
            && outs.iter().take(scanned).all(kept)
            && outs.iter().all(|out| !matches!(out, Out::Reduce(_)))
        {
            let (kept, passing) = outs.split_at(scanned.min(outs.len()));
            let targets = kept.iter().filter_map(|out| match out {
                Out::Map(array) => Some(array.clone()),
                _ => None,
            });
            self.scan(screma, width, &feeds, &targets.collect::<Vec<_>>(), passing)?;
            Ok(Vec::new())
        } else {
            // What just passes by is read from its source once more.
            let results = screma.map.body.result.iter().enumerate();
            let passes_by = |(at, result): (usize, &core::Atom)| {
                let source = screma.map.params.iter().position(|&param| result.var() == Some(param));
                source.filter(|_| at >= scanned).map(|source| feeds[source].from.clone())
            };
            let read_again: Vec<Option<From>> = results.map(passes_by).collect();
            let mut first = screma.clone();
            let mut made = read_again.iter().map(Option::is_none);
            first.map.body.result.retain(|_| made.next() == Some(true));
            let stream = self.stream(&first, width)?;
            let (kept, passing) = stream.split_at(scanned.min(stream.len()));
            let passing: Vec<Out<'_>> = passing.iter().cloned().map(Out::Map).collect();
            self.scan(&first, width, &feeds, kept, &passing)?;
            let names: Vec<_> = screma.post.iter().flat_map(|post| &post.params).collect();
            let hint = |at: usize| names.get(at).and_then(|&&param| self.cx.hint(param));
            let mut stream = stream.into_iter().map(From::Array);
            let from = read_again.into_iter().filter_map(|source| source.or_else(|| stream.next()));
            let feeds = from.enumerate().map(|(at, from)| Feed { hint: hint(at), from });
            let feeds: Vec<Feed> = feeds.collect();
            self.deal_all(screma, width, &feeds, screma.post.as_ref(), outs)
        }
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

    /// One segment that maps, keeps what is scanned and deals what passes by.
    fn scan(
        &mut self,
        screma: &core::Screma,
        width: Atom,
        feeds: &[Feed],
        kept: &[Array],
        passing: &[Out<'_>],
    ) -> Made {
        let mut names = kept.iter().map(|array| array.name);
        let mut combiners = Vec::new();
        for scan in &screma.scans {
            let outs = names.by_ref().take(scan.neutral.len()).collect();
            combiners.push(self.combiner(&scan.op, &scan.neutral, false, outs)?);
        }
        self.segment("scan", &[width], SegmentKind::Scan(combiners), |scope, point| {
            let index = point[0];
            let elements = feeds.iter().map(|feed| scope.element(feed, index)).collect();
            let mut places: Vec<Option<Array>> = kept.iter().map(|_| None).collect();
            places.extend(scope.places(passing, index));
            let mut scanned = scope.apply(&screma.map, elements, places)?;
            let rest = scanned.split_off(kept.len().min(scanned.len()));
            scope.deal(passing, index, rest)?;
            Ok(scanned)
        })
    }

    /// Memory for everything that the map lambda gives.
    fn stream(&mut self, screma: &core::Screma, width: Atom) -> Made<Vec<Array>> {
        let results = &screma.map.body.result;
        let types = results.iter().map(|&atom| core::atom_type(&self.cx.function.vars, atom));
        types
            .collect::<Vec<core::Type>>()
            .iter()
            .map(|ty| {
                let mut shape = vec![width];
                shape.extend(self.cx.shape(ty)?);
                Host::alloc(self, None, ty.elem, &shape)
            })
            .collect()
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
