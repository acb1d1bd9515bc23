//! A Screma that reduces arrays: the points are cut into parts, each of which is reduced from its first
//! point to its last, and the results of the parts are combined in their order by a single thread.
//!
//! No operator of a segment takes arrays, but a thread can: what it combines lies in the part's row of memory made for
//! all parts. How many there are depends on sizes and on the target alone, so results repeat bit for bit whatever the number of
//! threads; and they have no more memory together than the elements that are reduced would take.

use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::fixed::Carry;
use super::scope::{Array, Made, ONE, Scope, Value};
use super::sequential::reductions;
use super::sinks::Out;
use super::site::Site;

/// The least number of points that a part has: each of them is a loop over an array at least.
const LEAST_POINTS: i64 = 16;

impl Scope<'_, '_, Host> {
    /// A Screma without scans and combining sinks, some of whose reductions are of arrays.
    pub fn reduce_in_parts(&mut self, binders: &[core::Var], screma: &core::Screma) -> Made {
        let width = self.cx.atom(screma.width)?;
        let feeds = self.feeds(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let neutrals: Vec<core::Atom> =
            reductions(screma).flat_map(|(_, neutral)| neutral).copied().collect();
        let mut shapes = Vec::new();
        let mut elements = ONE;
        for &neutral in &neutrals {
            let ty = core::atom_type(&self.cx.function.vars, neutral);
            let shape = self.cx.shape(&ty)?;
            let count = self.count(&shape);
            elements = self.add(elements, count);
            shapes.push((ty.elem, shape));
        }
        let parts = self.parts_of_points(width, elements, LEAST_POINTS);
        let parts = self.max(parts, ONE);
        let most = self.quot_up(width, parts);
        let mut kept = Vec::new();
        for (elem, shape) in shapes {
            let shape = [&[parts], &shape[..]].concat();
            kept.push(Host::alloc(self, None, elem, &shape)?);
        }
        self.segment("reduce", &[parts], SegmentKind::Map, |scope, point| {
            let part = point[0];
            let (start, bound) = scope.stretch_of(width, most, part);
            let carries = neutrals.iter().zip(&kept).map(|(&neutral, kept)| scope.first(neutral, kept, part));
            let carries = carries.collect::<Made<Vec<_>>>()?;
            let finals = scope.rounds(carries, |scope, accumulators| {
                let round = scope.fresh(None, PrimType::I64);
                let index = scope.add(start, Atom::Var(round));
                let next = scope.round(screma, &feeds, &outs, index, accumulators)?;
                Ok((LoopForm::For { index: round, bound }, next))
            })?;
            for (kept, value) in kept.iter().zip(finals) {
                if let Value::Scalar(_) = value {
                    scope.put(kept, &[part], value)?;
                }
            }
            Ok(Vec::new())
        })?;
        let (mut rest, mut kept) = (binders, kept.into_iter());
        for (sink, out) in screma.sinks.iter().zip(outs) {
            let (own, others) = rest.split_at(sink.results().min(rest.len()));
            rest = others;
            match (sink, out) {
                (core::Sink::Reduce { op, neutral, .. }, _) => {
                    let kept: Vec<Array> = kept.by_ref().take(own.len()).collect();
                    self.alone("combine", own, |scope| scope.fold(own, op, Some(neutral), &kept, parts))?;
                }
                (_, Out::Map(array) | Out::Write(array, _)) => {
                    own.iter().try_for_each(|&binder| self.bind(binder, Value::Array(array.clone())))?;
                }
                _ => (),
            }
        }
        Ok(())
    }
}

impl Scope<'_, '_, Thread> {
    /// What a part begins with; an array lies in the part's row.
    fn first(&mut self, neutral: core::Atom, kept: &Array, part: Atom) -> Made<Carry> {
        Ok(match self.cx.value(neutral)? {
            Value::Scalar(first) => Carry::Scalar(None, first),
            Value::Array(first) => {
                let row = self.row(kept, part);
                Thread::copy(self, &row, &first)?;
                Carry::Array(row)
            }
        })
    }
}
