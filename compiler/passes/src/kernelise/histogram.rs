//! Segments that combine into arrays (histograms), which `flatten` has divided into parts.
//!
//! A segment over the parts initialises a private histogram for each part with the neutral element and runs the points
//! of the part sequentially. Then a segment over the bins combines the histograms in order.

use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::fixed_places::Carry;
use super::level::CodeLevel;
use super::parallel::Code;
use super::scope::{Array, ONE, Result, Scope, Value};
use super::sinks::{Feed, Out};

impl Scope<'_, '_, Host> {
    /// A segment whose sinks combine, map and write.
    pub fn histogram(&mut self, binders: &[core::Var], segment: &core::Segment, parts: core::Atom) -> Result {
        let core::Segment { ref screma, index: counter, .. } = *segment;
        let parts = self.part_count(parts)?;
        let width = self.cx.atom(screma.width)?;
        let feeds = self.feeds(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let code = Code { counter, lambda: &screma.map };
        self.private_histograms(width, parts, &feeds, code, &outs)?;
        self.bind_outs(binders, outs, Vec::new())
    }

    /// The number of parts, at least 1.
    pub fn part_count(&mut self, parts: core::Atom) -> Result<Atom> {
        let parts = self.cx.atom(parts)?;
        Ok(self.max(parts, ONE))
    }

    /// Combines the values of each part in its own histogram, and then the histograms.
    fn private_histograms(
        &mut self,
        width: Atom,
        parts: Atom,
        feeds: &[Feed],
        code: Code<'_>,
        outs: &[Out<'_>],
    ) -> Result {
        let most = self.ceil_div(width, parts);
        let mut own = Vec::new();
        for out in outs {
            let mut histograms = Vec::new();
            for target in out.targets() {
                histograms.push(self.alloc_rows(target.view.elem, parts, &target.view.shape)?);
            }
            own.push(histograms);
        }
        self.segment("histogram", &[parts], SegmentKind::Map, |scope, point| {
            let mut part_outs = Vec::new();
            for (out, own) in outs.iter().zip(&own) {
                let Out::Combine { neutral, op, .. } = *out else {
                    part_outs.push(out.clone());
                    continue;
                };
                let targets: Vec<Array> = own.iter().map(|own| scope.own_row(own, point[0])).collect();
                for (target, &neutral) in targets.iter().zip(neutral) {
                    let value = scope.cx.value(neutral)?;
                    scope.fill(target, &value)?;
                }
                part_outs.push(Out::Combine { targets, op, neutral });
            }
            let (start, bound) = scope.part_range(width, most, point[0]);
            scope.all_points(start, bound, feeds, code, &part_outs)?;
            Ok(Vec::new())
        })?;
        for (out, own) in outs.iter().zip(&own) {
            if let Out::Combine { targets, op, .. } = out {
                self.combine_parts(parts, targets, own, op)?;
            }
        }
        Ok(())
    }

    /// Combines the targets with the private histograms of all parts, in order. A point may fail and run again, so it must
    /// not read what it overwrites. So the sums go to new memory and are copied.
    fn combine_parts(&mut self, parts: Atom, targets: &[Array], own: &[Array], op: &core::Lambda) -> Result {
        let Some(&bins) = targets.first().and_then(|target| target.view.shape.first()) else { return Ok(()) };
        let mut sums = Vec::new();
        for target in targets {
            sums.push(Host::alloc(self, None, target.view.elem, &target.view.shape.clone())?);
        }
        self.segment("combine", &[bins], SegmentKind::Map, |scope, point| {
            let bin = point[0];
            let mut carries = Vec::new();
            for (target, sum) in targets.iter().zip(&sums) {
                carries.push(match scope.element(&Feed::of(None, target.clone()), bin) {
                    Value::Scalar(first) => Carry::Scalar(None, first),
                    Value::Array(first) => {
                        let place = scope.row(sum, bin);
                        Thread::copy(scope, &place, &first)?;
                        Carry::Array(place)
                    }
                });
            }
            let finals = scope.carried_loop(carries, |scope, carried| {
                let part = scope.fresh(None, PrimType::I64);
                let mut args = carried.to_vec();
                for own in own {
                    let histogram = scope.own_row(own, Atom::Var(part));
                    args.push(scope.element(&Feed::of(None, histogram), bin));
                }
                Ok((LoopForm::For { index: part, bound: parts }, scope.apply(op, args, Vec::new())?))
            })?;
            for (sum, value) in sums.iter().zip(finals) {
                if let Value::Scalar(_) = value {
                    scope.put(sum, &[bin], value)?;
                }
            }
            Ok(Vec::new())
        })?;
        targets.iter().zip(&sums).try_for_each(|(target, sum)| Host::copy(self, target, sum))
    }
}

impl Scope<'_, '_, Thread> {
    /// A loop that runs the code of `bound` points from `start` on and distributes the values to the sinks.
    fn all_points(
        &mut self,
        start: Atom,
        bound: Atom,
        feeds: &[Feed],
        code: Code<'_>,
        outs: &[Out<'_>],
    ) -> Result {
        self.carried_loop(Vec::new(), |scope, _| {
            let round = scope.fresh(None, PrimType::I64);
            let index = scope.add(start, Atom::Var(round));
            scope.run_code(feeds, code, outs, index)?;
            Ok((LoopForm::For { index: round, bound }, Vec::new()))
        })?;
        Ok(())
    }

    /// Sets all elements of an array to a value.
    pub fn fill(&mut self, array: &Array, value: &Value) -> Result {
        Thread::for_each(self, "fill", &array.view.shape, &mut |scope, point| {
            let element = match value {
                Value::Scalar(atom) => *atom,
                Value::Array(row) => scope.load(None, row, point[1..].to_vec()),
            };
            scope.put(array, point, Value::Scalar(element))
        })
    }
}
