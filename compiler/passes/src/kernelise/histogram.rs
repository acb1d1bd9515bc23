//! A Screma that combines into arrays: histograms of its own for stretches of the points, and
//! then, bin by bin, one behind the other.
//!
//! How many **parts** the points are cut into depends on sizes and on what the segment says alone, and parts
//! are combined in their order, so results repeat bit for bit whatever the number of threads. The
//! parts' own histograms are worth their memory where points are many and bins are few.
//!
//! * Several parts: a segment over the parts, each of which starts from the neutral element and
//!   takes its points in turn through everything that the Screma does; then a segment over the bins.
//! * One part, since the bins are too many or the segment has no parts: what is to be combined is computed for all points in a
//!   segment of its own unless it lies there already, and combined by a single thread.
//!
//! If the segment has parts, the program finds out when it runs which of the two it is, as it knows the sizes only then.

use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::fixed::Carry;
use super::parallel::{Code, Step};
use super::scope::{Array, Made, ONE, Scope, Value, ZERO};
use super::sinks::{Feed, Out};
use super::site::Site;

impl<'p> Scope<'_, 'p, Host> {
    /// Takes the step for all points and deals to the sinks, some of which combine and none reduces.
    pub fn histogram(
        &mut self,
        segment: &core::Segment,
        width: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Made {
        let Some(parts) = segment.parts else { return self.in_turn(segment, width, feeds, step, outs) };
        let parts = self.parts(parts, width, outs);
        let cond = self.is_less(ONE, parts);
        let then = self.alternative(|scope| scope.in_parts(width, parts, feeds, step, outs))?;
        let otherwise = self.alternative(|scope| scope.in_turn(segment, width, feeds, step, outs))?;
        self.push(Stm::If { binders: Vec::new(), cond, then, otherwise });
        Ok(())
    }

    /// How many parts are worth their memory.
    fn parts(&mut self, parts: core::Parts, width: Atom, outs: &[Out<'_>]) -> Atom {
        let mut bins = ZERO;
        for target in outs.iter().flat_map(Out::targets) {
            let count = self.count(&target.view.shape);
            bins = self.add(bins, count);
        }
        self.parts_of_points(parts, width, bins)
    }

    /// How many parts of the points, each with so many elements of its own, are worth their memory.
    pub fn parts_of_points(&mut self, parts: core::Parts, width: Atom, elements: Atom) -> Atom {
        let points = self.quot(elements, Atom::i64(parts.spread));
        let points = self.max(points, Atom::i64(parts.points));
        let count = self.quot(width, points);
        self.min(count, Atom::i64(parts.most))
    }

    /// One of two translations of the same code, which know nothing of each other.
    fn alternative(&mut self, write: impl FnOnce(&mut Scope<'_, 'p, Host>) -> Made) -> Made<Body<Host>> {
        let mark = self.cx.values.mark();
        let (stms, ()) = self.nested(write)?;
        self.cx.values.forget(mark);
        self.cx.dests.clear();
        Ok(Body { stms, result: Vec::new() })
    }

    fn in_parts(
        &mut self,
        width: Atom,
        parts: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Made {
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
            let mut dealt = Vec::new();
            for (out, own) in outs.iter().zip(&own) {
                let Out::Combine { neutral, op, .. } = *out else {
                    dealt.push(out.clone());
                    continue;
                };
                let targets: Vec<Array> = own.iter().map(|own| scope.own_row(own, point[0])).collect();
                for (target, &neutral) in targets.iter().zip(neutral) {
                    let value = scope.cx.value(neutral)?;
                    scope.fill(target, &value)?;
                }
                dealt.push(Out::Combine { targets, op, neutral });
            }
            let (start, bound) = scope.stretch_of(width, most, point[0]);
            scope.all_points(start, bound, feeds, step, &dealt)?;
            Ok(Vec::new())
        })?;
        for (out, own) in outs.iter().zip(&own) {
            if let Out::Combine { targets, op, .. } = out {
                self.gather(parts, targets, own, op)?;
            }
        }
        Ok(())
    }

    /// Combines what is in the targets with the parts' own histograms, from the first to the last.
    /// A point must not read what it overwrites, since it may fail: the sums are made apart.
    fn gather(&mut self, parts: Atom, targets: &[Array], own: &[Array], op: &core::Lambda) -> Made {
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
            let finals = scope.rounds(carries, |scope, carried| {
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

    fn in_turn(
        &mut self,
        segment: &core::Segment,
        width: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Made {
        let combines: Vec<Out<'_>> = outs.iter().filter(|out| out.combines()).cloned().collect();
        let feeds = match self.as_they_are(feeds, step).filter(|_| combines.len() == outs.len()) {
            Some(feeds) => feeds,
            None => {
                let (kept, operands) = self.set_aside(width, outs)?;
                self.deal_all(&[], segment, feeds, step, &kept)?;
                operands
            }
        };
        self.alone("combine", &[], |scope| scope.all_points(ZERO, width, &feeds, None, &combines))
    }

    /// The results of a step that computes none of them.
    fn as_they_are(&self, feeds: &[Feed], step: Step<'_>) -> Option<Vec<Feed>> {
        let Some(code) = step else { return Some(feeds.to_vec()) };
        let Code { lambda, .. } = code;
        lambda.body.result.iter().map(|&result| self.reread(code, feeds, result)).collect()
    }

    /// The sinks with memory for the values of all points in place of those that combine, and these
    /// values as feeds.
    pub fn set_aside<'a>(&mut self, width: Atom, outs: &[Out<'a>]) -> Made<(Vec<Out<'a>>, Vec<Feed>)> {
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
    /// Takes the step for `bound` points from `start` on, one after the other.
    fn all_points(
        &mut self,
        start: Atom,
        bound: Atom,
        feeds: &[Feed],
        step: Step<'_>,
        outs: &[Out<'_>],
    ) -> Made {
        self.rounds(Vec::new(), |scope, _| {
            let round = scope.fresh(None, PrimType::I64);
            let index = scope.add(start, Atom::Var(round));
            scope.take(feeds, step, outs, index)?;
            Ok((LoopForm::For { index: round, bound }, Vec::new()))
        })?;
        Ok(())
    }

    /// Makes all elements the same.
    pub fn fill(&mut self, array: &Array, value: &Value) -> Made {
        Thread::for_each(self, "fill", &array.view.shape, &mut |scope, point| {
            let element = match value {
                Value::Scalar(atom) => *atom,
                Value::Array(row) => scope.load(None, row, point[1..].to_vec()),
            };
            scope.put(array, point, Value::Scalar(element))
        })
    }
}
