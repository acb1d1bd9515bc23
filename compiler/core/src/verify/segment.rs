//! Checks the level and the index space of a segment.

use ravel_prim::PrimType;

use super::check::Checker;
use super::screma::PointContext;
use super::{Verified, require};
use crate::syntax::*;

impl Checker<'_> {
    /// Checks a segment and returns the types of its results.
    pub(super) fn segment(&mut self, segment: &Segment) -> Verified<Vec<Type>> {
        let Segment { level, points, ref outer, index, ref screma } = *segment;
        self.levels.has_segments = true;
        require(level == self.level && level != Level::Thread, || {
            let place = match self.level {
                Level::Grid => "host code",
                Level::Workgroup => "the body of a workgroup",
                Level::Thread => "code of a thread",
            };
            format!("a {} segment is in {place}", level.name())
        })?;
        require(points > level, || {
            format!("the points of a {} segment run at level {}", level.name(), points.name())
        })?;
        let reads = screma.sources.iter().any(|source| source.array().is_some());
        require(!reads, || "a source of a segment is an array, not an iota".to_owned())?;
        segment.outer_sizes().try_for_each(|size| self.expect_scalar(size, PrimType::I64))?;
        let mark = self.enter();
        let counters: Vec<Var> = outer.iter().map(|&(counter, _)| counter).chain([index]).collect();
        for &counter in &counters {
            self.bind(counter)?;
            self.expect_scalar(Atom::Var(counter), PrimType::I64)?;
        }
        self.leave(mark);
        let mut results = self.screma_at(screma, PointContext { counters: &counters, points })?;
        for (sink, own, _) in screma.sink_ranges() {
            if let Sink::Map | Sink::Concat { .. } | Sink::Reduce { .. } = sink {
                results[own].iter_mut().for_each(|ty| *ty = ty.over(segment.outer_sizes()));
            }
        }
        Ok(results)
    }
}
