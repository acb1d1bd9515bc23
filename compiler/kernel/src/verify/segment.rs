//! Verification of segments and of the operators that combine their points.

use ravel_prim::PrimValue;

use super::{Checked, Verifier};
use crate::syntax::*;
use crate::workgroup_memory::combined_blocks;

impl Verifier<'_> {
    pub(super) fn grid_segment(&mut self, segment: &GridSegment) -> Checked {
        self.positions(&[segment.chunk], "a chunk")?;
        if let Atom::Const(PrimValue::I64(..=0)) = segment.chunk {
            return self.fail("a chunk without points");
        }
        let outside = self.scope.len();
        match &segment.points {
            Points::Threads { kind, body } => {
                let finish = kind.finish().map(|finish| (finish, kind.combiners().len()));
                self.points(&segment.space, LevelName::Thread, (body, finish), |verifier, results| {
                    verifier.can_run_again(segment)?;
                    verifier.results(kind, segment.space.len(), results)
                })
            }
            Points::Workgroups(body) => {
                (self.outside, self.workgroup_bytes) = (outside, 0);
                self.combined = combined_blocks(body, self.vars);
                self.points(&segment.space, LevelName::Workgroup, (body, None), |verifier, results| {
                    if !results.is_empty() {
                        return verifier.of_results(verifier.fail("the body of a workgroup yields values"));
                    }
                    verifier.can_run_again(segment)
                })
            }
        }
    }

    pub(super) fn inner_segment(&mut self, segment: &InnerSegment) -> Checked {
        if segment.kind.finish().is_some() {
            return self.fail("a scan in a workgroup does not store its prefixes");
        }
        self.points(&segment.space, LevelName::Thread, (&segment.body, None), |verifier, results| {
            verifier.results(&segment.kind, segment.space.len(), results)?;
            verifier.threads_do_not_race(segment)
        })
    }

    /// Checks an index space and the code of its points, which has this level, and code that takes their prefixes, with the
    /// number of operators. Then calls `rest` with the types of the code's results, still at this level.
    fn points<L: Level>(
        &mut self,
        space: &[(Var, Atom)],
        level: LevelName,
        (body, finish): (&Body<L>, Option<(&Finish, usize)>),
        rest: impl FnOnce(&mut Self, &[Type]) -> Checked,
    ) -> Checked {
        let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
        self.positions(&sizes, "a size of an index space")?;
        let outer = std::mem::replace(&mut self.level, level);
        let length = self.scope.len();
        for &(index, _) in space {
            self.bind(index)?;
            self.positions(&[Atom::Var(index)], "a counter")?;
        }
        let results = self.body(body)?;
        if let Some((finish, operators)) = finish {
            // In the text, the operators come first.
            self.bodies += operators;
            self.finish(finish, space.len(), &results)?;
            self.bodies = 1;
        }
        self.leave(length);
        rest(self, &results)?;
        self.level = outer;
        Ok(())
    }

    /// Checks the code that takes the prefixes of a point.
    fn finish(&mut self, finish: &Finish, dimensions: usize, results: &[Type]) -> Checked {
        if dimensions != 1 {
            return self.fail("a scan of several dimensions does not store its prefixes");
        }
        for &prefix in &finish.prefixes {
            self.bind(prefix)?;
        }
        self.expect_types(results, &finish.prefixes, "a prefix").map_err(|error| error.in_results(0))?;
        if finish.can_fail() {
            return self.fail("the code after a scan can fail");
        }
        match self.body(&finish.body)?.is_empty() {
            true => Ok(()),
            false => self.of_results(self.fail("the code after a scan yields values")),
        }
    }

    /// Checks the results of the points, and the operators that combine them.
    fn results(&mut self, kind: &SegmentKind, dimensions: usize, results: &[Type]) -> Checked {
        let rank = match kind {
            SegmentKind::Map if results.is_empty() => return Ok(()),
            SegmentKind::Map => return self.of_results(self.fail("a map segment yields values")),
            SegmentKind::Reduce(_) => dimensions.checked_sub(1),
            SegmentKind::Scan(..) => Some(dimensions),
        };
        let stores = kind.finish().is_none();
        match (rank, kind.combiners()) {
            (Some(rank), combiners @ [_, ..]) if dimensions > 0 => {
                self.combiners(combiners, rank, results, stores)
            }
            _ => self.fail("a reduction or scan has no dimensions or no operators"),
        }
    }

    fn combiners(&mut self, combiners: &[Combiner], rank: usize, results: &[Type], stores: bool) -> Checked {
        let mut rest = results;
        for combiner in combiners {
            let arity = combiner.neutral.len();
            if arity == 0 || rest.len() < arity {
                let wrong = self.fail("a segment yields fewer values than its operators combine");
                return wrong.map_err(|error| error.in_results(0));
            }
            let (types, others) = rest.split_at(arity);
            rest = others;
            self.combiner(combiner, types)?;
            match stores {
                true => self.outs(combiner, types, rank)?,
                false if combiner.outs.is_empty() => {}
                false => return self.fail("a scan with code after it stores its prefixes too"),
            }
        }
        if rest.is_empty() {
            Ok(())
        } else {
            self.fail("a segment yields more values than its operators combine")
                .map_err(|error| error.in_results(0))
        }
    }

    fn combiner(&mut self, combiner: &Combiner, types: &[Type]) -> Checked {
        if types.iter().any(|ty| !matches!(ty, Type::Scalar(_))) {
            let wrong = self.fail("an operator combines values that are not scalars");
            return wrong.map_err(|error| error.in_results(0));
        }
        let neutral = combiner.neutral.iter().map(|&atom| self.atom(atom)).collect::<Checked<Vec<_>>>()?;
        let length = self.scope.len();
        for &var in combiner.left.iter().chain(&combiner.right) {
            self.bind(var)?;
        }
        for side in [&combiner.left, &combiner.right] {
            self.expect_types(types, side, "an operand").map_err(|error| error.in_results(0))?;
        }
        self.expect_types(&neutral, &combiner.left, "a neutral element")?;
        let results = self.body(&combiner.body)?;
        self.leave(length);
        self.of_results(self.expect_types(&results, &combiner.left, "an operator"))
    }

    fn outs(&self, combiner: &Combiner, types: &[Type], rank: usize) -> Checked {
        if combiner.outs.len() != types.len() {
            return self.fail("an operator has different numbers of outs and values");
        }
        for (&out, ty) in combiner.outs.iter().zip(types) {
            let view = self.array(out)?;
            if view.shape.len() != rank || *ty != Type::Scalar(view.elem) {
                let out = self.show(out);
                return self
                    .fail(format!("{out} has not the type or the dimensions of the operator's results"));
            }
            self.writable(out)?;
            if matches!(self.var(view.block)?, Type::Block(BlockType { space: Space::Private, .. })) {
                return self.fail(format!("{} is private", self.show(out)));
            }
        }
        Ok(())
    }
}
