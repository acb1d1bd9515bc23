//! Segments that reduce or scan arrays. The operator of a kernel segment takes only scalars. So a thread runs the points
//! of each part in order, and a single thread combines the results of the parts in order.
//!
//! A scan needs the combination of all points before a part. So a first segment reduces every part except the last, a
//! single thread scans these totals, and a second segment runs all parts again with the right initial values. If there
//! is only one part, nothing runs twice.
//!
//! The accumulators of a part are its rows of memory that is allocated for all parts.

use ravel_base::Diagnostic;
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::fixed_places::Carry;
use super::level::CodeLevel;
use super::scope::{Array, ONE, Result, Scope, Value, ZERO};
use super::sequential::reductions;
use super::sinks::{Feed, Out};

/// The points, divided into parts.
#[derive(Clone, Copy)]
struct Parts {
    /// The number of points.
    width: Atom,
    /// The number of parts, at least one.
    count: Atom,
    /// The number of points of each part except the last.
    most: Atom,
}

impl Scope<'_, '_, Host> {
    /// A segment that reduces or scans arrays and has no `combine` sinks.
    pub fn arrays_in_parts(&mut self, binders: &[core::Var], segment: &core::Segment) -> Result {
        let core::Segment { ref screma, index: counter, .. } = *segment;
        let width = self.cx.atom(screma.width)?;
        let feeds = self.feeds(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let scanned: Vec<core::Atom> = screma.scans.iter().flat_map(|scan| scan.neutral.clone()).collect();
        let reduced: Vec<core::Atom> = reductions(screma).flat_map(|(_, neutral)| neutral).copied().collect();
        let mut shapes = Vec::new();
        for &neutral in scanned.iter().chain(&reduced) {
            let ty = core::atom_type(&self.cx.function.vars, neutral);
            shapes.push((ty.elem, self.cx.shape(&ty)?));
        }
        let count = match segment.parts {
            Some(parts) => self.part_count(parts)?,
            None => ONE,
        };
        let parts = Parts { width, count, most: self.ceil_div(width, count) };
        let mut rows = Vec::new();
        for (elem, shape) in shapes {
            rows.push(match shape[..] {
                [] => Host::alloc(self, None, elem, &[count])?,
                _ => self.alloc_rows(elem, count, &shape)?,
            });
        }
        let before = match scanned.is_empty() {
            true => Vec::new(),
            false => self.values_before_parts((counter, screma), parts, &feeds, &scanned, &rows)?,
        };
        let hint = if reduced.is_empty() { "scan" } else { "reduce" };
        self.segment(hint, &[count], SegmentKind::Map, |scope, point| {
            let part = point[0];
            let mut firsts: Vec<Value> =
                before.iter().map(|before| scope.element(&Feed::of(None, before.clone()), part)).collect();
            for &neutral in &reduced {
                firsts.push(scope.cx.value(neutral)?);
            }
            scope.part((counter, screma), parts, &feeds, &outs, (part, &rows, firsts))?;
            Ok(Vec::new())
        })?;
        let (mut rest, mut kept) = (binders, rows.split_off(scanned.len()).into_iter());
        for (sink, out) in screma.sinks.iter().zip(outs) {
            let (own, others) = rest.split_at(sink.results().min(rest.len()));
            rest = others;
            match (sink, out) {
                (core::Sink::Reduce { op, neutral, .. }, _) => {
                    let kept: Vec<Array> = kept.by_ref().take(own.len()).collect();
                    self.one_point_segment("combine", own, |scope| {
                        scope.fold(own, op, neutral, (&kept, count))
                    })?;
                }
                (_, Out::Map(array) | Out::Concat(array, _) | Out::Write(array, _)) => {
                    own.iter().try_for_each(|&binder| self.bind(binder, Value::Array(array.clone())))?;
                }
                (_, Out::Reduce(_) | Out::Combine { .. }) => {
                    return Err(Diagnostic::bug("kernelise: parts of a segment that combines into arrays"));
                }
            }
        }
        Ok(())
    }

    /// The values of the scans before each part, in newly allocated rows. `rows` are the accumulators of the parts.
    fn values_before_parts(
        &mut self,
        (counter, screma): (core::Var, &core::Screma),
        parts: Parts,
        feeds: &[Feed],
        neutrals: &[core::Atom],
        rows: &[Array],
    ) -> Result<Vec<Array>> {
        let mut scans = core::Screma { post: None, sinks: Vec::new(), ..screma.clone() };
        scans.map.body.result.truncate(neutrals.len());
        let rows = &rows[..neutrals.len()];
        let mut before = Vec::new();
        for rows in rows {
            before.push(Host::alloc(self, None, rows.view.elem, &rows.view.shape)?);
        }
        let others = self.sub(parts.count, ONE);
        self.with_undo(|scope| {
            scope.segment("scan", &[others], SegmentKind::Map, |scope, point| {
                let firsts =
                    neutrals.iter().map(|&neutral| scope.cx.value(neutral)).collect::<Result<_>>()?;
                scope.part((counter, &scans), parts, feeds, &[], (point[0], rows, firsts))?;
                Ok(Vec::new())
            })
        })?;
        self.with_undo(|scope| {
            scope.one_point_segment("combine", &[], |scope| {
                for (&neutral, before) in neutrals.iter().zip(&before) {
                    let neutral = scope.cx.value(neutral)?;
                    scope.put(before, &[ZERO], neutral)?;
                }
                scope.carried_loop(Vec::new(), |scope, _| {
                    let index = scope.fresh(None, PrimType::I64);
                    let part = Atom::Var(index);
                    let next = scope.add(part, ONE);
                    let (mut before, mut rows) = (&before[..], rows);
                    for scan in &screma.scans {
                        let (before, rows) = (split(&mut before, scan), split(&mut rows, scan));
                        let both = before.iter().chain(rows).map(|rows| Feed::of(None, rows.clone()));
                        let args = both.map(|rows| scope.element(&rows, part)).collect();
                        let results = scope.apply(&scan.op, args, Vec::new())?;
                        let to = before.iter().zip(results);
                        to.into_iter().try_for_each(|(before, value)| scope.put(before, &[next], value))?;
                    }
                    Ok((LoopForm::For { index, bound: others }, Vec::new()))
                })?;
                Ok(())
            })
        })?;
        Ok(before)
    }

    /// Runs `write`, then undoes its bindings and destinations, so that the same code can be translated again.
    fn with_undo(&mut self, write: impl FnOnce(&mut Self) -> Result) -> Result {
        let (mark, dests) = (self.cx.values.mark(), self.cx.dests.clone());
        write(self)?;
        self.cx.values.undo(mark);
        self.cx.dests = dests;
        Ok(())
    }
}

/// Removes the rows of a scan from the front.
fn split<'a>(rows: &mut &'a [Array], scan: &core::Scan) -> &'a [Array] {
    let (own, others) = rows.split_at(scan.neutral.len());
    *rows = others;
    own
}

impl Scope<'_, '_, Thread> {
    /// A loop over the points of a part. The accumulators are its rows, and their initial values are `firsts`.
    fn part(
        &mut self,
        (counter, screma): (core::Var, &core::Screma),
        parts: Parts,
        feeds: &[Feed],
        outs: &[Out<'_>],
        (part, rows, firsts): (Atom, &[Array], Vec<Value>),
    ) -> Result {
        let (start, bound) = self.part_range(parts.width, parts.most, part);
        let mut carries = Vec::new();
        for (rows, first) in rows.iter().zip(firsts) {
            carries.push(match first {
                Value::Scalar(first) => Carry::Scalar(None, first),
                Value::Array(first) => {
                    let row = self.own_row(rows, part);
                    Thread::copy(self, &row, &first)?;
                    Carry::Array(row)
                }
            });
        }
        let finals = self.carried_loop(carries, |scope, accumulators| {
            let round = scope.fresh(None, PrimType::I64);
            let index = scope.add(start, Atom::Var(round));
            scope.bind(counter, Value::Scalar(index))?;
            let next = scope.round(screma, feeds, outs, index, accumulators)?;
            Ok((LoopForm::For { index: round, bound }, next))
        })?;
        let scalars = rows.iter().zip(finals).filter(|(_, value)| matches!(value, Value::Scalar(_)));
        scalars.into_iter().try_for_each(|(rows, value)| self.put(rows, &[part], value))
    }

    /// Combines the results of all parts in order, beginning with the neutral element.
    fn fold(
        &mut self,
        binders: &[core::Var],
        op: &core::Lambda,
        neutral: &[core::Atom],
        (parts, count): (&[Array], Atom),
    ) -> Result {
        let parts: Vec<Feed> = parts.iter().map(|part| Feed::of(None, part.clone())).collect();
        let mut carries = Vec::new();
        for (&neutral, &binder) in neutral.iter().zip(binders) {
            carries.push(match self.cx.value(neutral)? {
                Value::Scalar(first) => Carry::Scalar(self.cx.hint(binder), first),
                Value::Array(first) => {
                    let place = self.make(binder)?;
                    Thread::copy(self, &place, &first)?;
                    Carry::Array(place)
                }
            });
        }
        let finals = self.carried_loop(carries, |scope, combined| {
            let index = scope.fresh(None, PrimType::I64);
            let mut args = combined.to_vec();
            args.extend(parts.iter().map(|part| scope.element(part, Atom::Var(index))));
            Ok((LoopForm::For { index, bound: count }, scope.apply(op, args, Vec::new())?))
        })?;
        for (&binder, value) in binders.iter().zip(finals) {
            self.bind(binder, value)?;
        }
        Ok(())
    }
}
