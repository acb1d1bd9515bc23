//! Translates a segment of core IR: to a grid segment at host level, and to an inner segment in a workgroup. Its body
//! stores mapped and written values, and returns the values to reduce or scan.
//!
//! No segment both reduces and scans, because the rule `split-scan` of `flatten` has split it. Code after a scan takes only the
//! scanned values (`finish-scan`). None reduces or scans arrays, and only the threads of a workgroup combine into arrays, which
//! are in workgroup memory: `flatten` has divided their points into parts (`histogram-in-workgroups`, `histogram-in-parts`,
//! `arrays-in-parts`).

use ravel_base::{Diagnostic, Limitation};
use ravel_core as core;
use ravel_kernel::*;

use super::level::{CodeLevel, Parallel};
use super::scope::{Array, Result, Scope, Value};
use super::sequential::reductions;
use super::sinks::Out;
use super::view::Dim;
use crate::flatten::{atomic_operation, carries_arrays, combines};
use crate::simplify::commutative::commutes;

/// The code of a point.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    /// The counter of the innermost dimension.
    pub counter: core::Var,
    /// Applied to the elements of the inputs.
    pub lambda: &'a core::Lambda,
}

impl Scope<'_, '_, Host> {
    pub fn parallel(&mut self, binders: &[core::Var], segment: &core::Segment) -> Result {
        match segment.points {
            core::Level::Workgroup => self.blocks(binders, segment),
            _ if segment.screma.post.is_some() => self.finished(binders, segment),
            _ => self.stored(binders, segment),
        }
    }

    /// A segment that scans, and runs code with the prefixes of each point.
    fn finished(&mut self, binders: &[core::Var], segment: &core::Segment) -> Result {
        let core::Segment { ref screma, index: counter, .. } = *segment;
        let Some(post) = screma.post.as_ref().filter(|post| is_finish(screma, post)) else {
            return Err(Diagnostic::bug("kernelise: a segment that scans has not been split"));
        };
        let sizes = self.sizes(segment)?;
        let inputs = self.inputs(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let operators = screma.scans.iter();
        let combiners = operators.map(|scan| self.scan(scan, Vec::new()));
        let combiners = combiners.collect::<Result<Vec<Combiner>>>()?;
        let scanned: Vec<Out<'_>> = post.params.iter().map(|_| Out::Reduce(1)).collect();
        let (space, body) = self.points(&sizes, |scope, point| {
            scope.run_code(&inputs, Code { counter, lambda: &screma.map }, &scanned, point[0])
        })?;
        let index = Atom::Var(space[0].0);
        let prefixes: Vec<Var> = combiners
            .iter()
            .flat_map(|combiner| &combiner.left)
            .zip(&post.params)
            .map(|(&operand, &param)| {
                let elem = self.cx.prim(Atom::Var(operand));
                self.fresh(self.cx.hint(param), elem)
            })
            .collect();
        let (stms, result) = self.cx.body::<Thread, _>(|scope| {
            scope.bind(counter, Value::Scalar(index))?;
            let prefixes = prefixes.iter().map(|&prefix| Value::Scalar(Atom::Var(prefix))).collect();
            let values = scope.apply(post, prefixes, Vec::new())?;
            scope.distribute(&outs, index, values)?;
            Ok(Vec::new())
        })?;
        let finish = Finish { prefixes, body: Body { stms, result } };
        self.grid("scan", space, Points::Threads { kind: SegmentKind::Scan(combiners, Some(finish)), body });
        self.bind_outs(binders, outs, Vec::new())
    }
}

/// Whether the code after the scans takes only the prefixes, and its values are stored.
fn is_finish(screma: &core::Screma, post: &core::Lambda) -> bool {
    let scanned = screma.scanned_count();
    let stores = |sink: &core::Sink| matches!(sink, core::Sink::Map | core::Sink::Write { .. });
    post.params.len() == scanned && screma.map.body.result.len() == scanned && screma.sinks.iter().all(stores)
}

impl<L: Parallel> Scope<'_, '_, L> {
    /// The sizes of a segment's dimensions.
    pub fn sizes(&self, segment: &core::Segment) -> Result<Vec<Atom>> {
        segment.space().map(|(_, size)| self.cx.atom(size)).collect()
    }

    /// A segment that scans, reduces or only stores.
    pub fn stored(&mut self, binders: &[core::Var], segment: &core::Segment) -> Result {
        let core::Segment { ref screma, index: counter, .. } = *segment;
        let is_inner = L::NAME == LevelName::Workgroup;
        if carries_arrays(&self.cx.function.vars, screma) || combines(screma) && !is_inner {
            return self.cx.limitation(Limitation::Segments);
        }
        let sizes = self.sizes(segment)?;
        let inputs = self.inputs(screma)?;
        if segment.is_single_point() {
            self.prefer_consumed(binders, screma);
        }
        let mut outs = self.outs(binders, &screma.sinks)?;
        outs.iter_mut().try_for_each(|out| self.share(out))?;
        let (mut point_outs, mut reduced) = (outs.clone(), Vec::new());
        let is = |kind: fn(&Out<'_>) -> bool| outs.iter().any(kind);
        let (hint, kind) = match () {
            () if !screma.scans.is_empty() => {
                ("scan", SegmentKind::Scan(self.scans(screma, &mut point_outs)?, None))
            }
            () if reductions(screma).next().is_some() => {
                let combiners;
                (combiners, reduced) = self.reductions(binders, segment)?;
                ("reduce", SegmentKind::Reduce(combiners))
            }
            () if is(|out| matches!(out, Out::Write(..))) => ("scatter", SegmentKind::Map),
            () if is(|out| matches!(out, Out::Shared(..))) => ("combine", SegmentKind::Map),
            () if is(|out| matches!(out, Out::Concat(..))) => ("concat", SegmentKind::Map),
            () if segment.is_single_point() => ("one_thread", SegmentKind::Map),
            () => ("map", SegmentKind::Map),
        };
        L::over_points(self, hint, &sizes, kind, |scope, point| {
            let (index, outs) = scope.row_of(segment, point, &point_outs)?;
            scope.run_code(&inputs, Code { counter, lambda: &screma.map }, &outs, index)
        })?;
        self.bind_outs(binders, outs, reduced)
    }

    /// Lets the threads of a workgroup combine into one array of its memory.
    fn share(&self, out: &mut Out<'_>) -> Result {
        let Out::Combine { targets, op } = out else { return Ok(()) };
        let in_workgroup = |target: &Array| matches!(self.cx.vars[target.view.block].ty, Type::Block(ty) if ty.space == Space::Workgroup);
        match (&targets[..], atomic_operation(&self.cx.function.vars, op)) {
            ([target], Some(op)) if in_workgroup(target) => {
                *out = Out::Shared(target.clone(), op);
                Ok(())
            }
            _ => self.cx.limitation(Limitation::Segments),
        }
    }

    /// Lets the results of a single point take the memory of the arrays that it consumes.
    fn prefer_consumed(&mut self, binders: &[core::Var], screma: &core::Screma) {
        for (sink, own, values) in screma.sink_ranges() {
            let core::Sink::Map = sink else { continue };
            let body = &screma.map.body;
            if let Some(array) = self.cx.consumed_ancestor(body, body.result[values.start]) {
                let row = self.single_row(&array);
                self.cx.dests.insert(binders[own.start], row);
            }
        }
    }

    /// The operators of the scans. The first sinks keep the scanned values: a point returns these values and does not store
    /// them.
    fn scans(&mut self, screma: &core::Screma, outs: &mut [Out<'_>]) -> Result<Vec<Combiner>> {
        let is_split = screma.post.is_none() && reductions(screma).next().is_none();
        let mut kept = outs.iter_mut();
        let mut combiners = Vec::new();
        for scan in &screma.scans {
            let own = kept.by_ref().take(scan.neutral.len());
            let arrays = own.map(|out| match std::mem::replace(out, Out::Reduce(1)) {
                Out::Map(array) if is_split => Ok(array.name),
                _ => Err(Diagnostic::bug("kernelise: a segment that scans has not been split")),
            });
            let arrays = arrays.collect::<Result<Vec<Var>>>()?;
            combiners.push(self.scan(scan, arrays)?);
        }
        Ok(combiners)
    }

    /// The operator of a scan, and the destination of its values.
    fn scan(&mut self, scan: &core::Scan, outs: Vec<Var>) -> Result<Combiner> {
        let commutes = commutes(&scan.op, &self.cx.function.vars);
        self.combiner(&scan.op, &scan.neutral, commutes, outs)
    }

    /// The operators of the reductions, and an array for every reduced value, with an element for each point of the outer
    /// dimensions. Without outer dimensions the array has one element.
    fn reductions(
        &mut self,
        binders: &[core::Var],
        segment: &core::Segment,
    ) -> Result<(Vec<Combiner>, Vec<Array>)> {
        let (mut combiners, mut reduced) = (Vec::new(), Vec::new());
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
        Ok((combiners, reduced))
    }

    pub fn bind_outs(&mut self, binders: &[core::Var], outs: Vec<Out<'_>>, reduced: Vec<Array>) -> Result {
        let mut reduced = reduced.into_iter();
        let mut binders = binders.iter();
        for out in outs {
            let values = match out {
                Out::Map(array) | Out::Concat(array, _) | Out::Write(array, _) | Out::Shared(array, _) => {
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
    /// Binds the outer counters of a segment at a point; returns the innermost one, and the sinks for this row of the
    /// space.
    pub fn row_of<'a>(
        &mut self,
        segment: &core::Segment,
        point: &[Atom],
        outs: &[Out<'a>],
    ) -> Result<(Atom, Vec<Out<'a>>)> {
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
        let out_of_row = |out: &Out<'a>| match out {
            Out::Map(array) => Out::Map(row(array)),
            Out::Concat(array, size) => Out::Concat(row(array), *size),
            out => out.clone(),
        };
        Ok((index, outs.iter().map(out_of_row).collect()))
    }
}
