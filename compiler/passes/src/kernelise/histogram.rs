//! Segments that combine into arrays (histograms).
//!
//! * With parts, a segment over the parts initialises a private histogram for each part with the neutral element and runs
//!   the points of the part sequentially. Then a segment over the bins combines the histograms in order.
//! * Without parts, a segment computes the values to combine for all points, unless they are in memory already. Then a
//!   single thread combines them.

use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::fixed_places::Carry;
use super::level::CodeLevel;
use super::parallel::{Code, Step};
use super::scope::{Array, ONE, Result, Scope, Value, ZERO};
use super::sinks::{Feed, Out};

impl Scope<'_, '_, Host> {
    /// Applies the step to all points and distributes the values to the sinks. Some sinks combine, none reduces.
    pub fn histogram(
        &mut self,
        segment: &core::Segment,
        width: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Result {
        match segment.parts {
            Some(parts) => {
                let parts = self.part_count(parts)?;
                self.in_parts(width, parts, feeds, step, outs)
            }
            None => self.in_one_thread(segment, width, feeds, step, outs),
        }
    }

    /// The number of parts, at least 1.
    pub fn part_count(&mut self, parts: core::Atom) -> Result<Atom> {
        let parts = self.cx.atom(parts)?;
        Ok(self.max(parts, ONE))
    }

    /// The translation with a private histogram for each part.
    fn in_parts(
        &mut self,
        width: Atom,
        parts: Atom,
        feeds: &[Feed],
        step: Step<'_>,
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
            scope.all_points(start, bound, feeds, step, &part_outs)?;
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

    /// The translation in which a single thread combines all values.
    fn in_one_thread(
        &mut self,
        segment: &core::Segment,
        width: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Result {
        let combines: Vec<Out<'_>> = outs.iter().filter(|out| out.combines()).cloned().collect();
        let feeds = match self.unchanged_feeds(feeds, step).filter(|_| combines.len() == outs.len()) {
            Some(feeds) => feeds,
            None => {
                let (kept, operands) = self.store_operands(width, outs)?;
                self.one_segment(&[], segment, feeds, step, &kept)?;
                operands
            }
        };
        self.one_point_segment("combine", &[], |scope| scope.all_points(ZERO, width, &feeds, None, &combines))
    }

    /// The feeds that provide the results of the step, if it computes nothing.
    fn unchanged_feeds(&self, feeds: &[Feed], step: Step<'_>) -> Option<Vec<Feed>> {
        let Some(code) = step else { return Some(feeds.to_vec()) };
        let Code { lambda, .. } = code;
        lambda.body.result.iter().map(|&result| self.reread(code, feeds, result)).collect()
    }

    /// Replaces each sink that combines by sinks that store its values for all points. Returns the sinks, and the stored
    /// values as feeds.
    pub fn store_operands<'a>(&mut self, width: Atom, outs: &[Out<'a>]) -> Result<(Vec<Out<'a>>, Vec<Feed>)> {
        let (mut kept, mut operands) = (Vec::new(), Vec::new());
        for out in outs {
            if !out.combines() {
                kept.push(out.clone());
                continue;
            }
            let positions = Host::alloc(self, None, PrimType::I64, &[width])?;
            let mut values = vec![positions];
            for target in out.targets() {
                let mut shape = vec![width];
                shape.extend(target.view.shape.iter().skip(1));
                values.push(Host::alloc(self, None, target.view.elem, &shape)?);
            }
            operands.extend(values.iter().map(|array| Feed::of(None, array.clone())));
            kept.extend(values.into_iter().map(Out::Map));
        }
        Ok((kept, operands))
    }
}

impl Scope<'_, '_, Thread> {
    /// A loop that applies the step to `bound` points from `start` on and distributes the values to the sinks.
    fn all_points(
        &mut self,
        start: Atom,
        bound: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Result {
        self.carried_loop(Vec::new(), |scope, _| {
            let round = scope.fresh(None, PrimType::I64);
            let index = scope.add(start, Atom::Var(round));
            scope.run_step(feeds, step, outs, index)?;
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
