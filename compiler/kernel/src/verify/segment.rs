//! Segments and their operators.

use super::{Checked, Verifier};
use crate::syntax::*;

impl Verifier<'_> {
    pub(super) fn segment(&mut self, segment: &GridSegment) -> Checked {
        let sizes: Vec<Atom> = segment.space.iter().map(|&(_, size)| size).collect();
        self.positions(&sizes, "a size of an index space")?;
        self.positions(&[segment.chunk], "a chunk")?;
        self.in_thread = true;
        let length = self.scope.len();
        for &(index, _) in &segment.space {
            self.bind(index)?;
            self.positions(&[Atom::Var(index)], "a counter")?;
        }
        let results = self.body(&segment.body)?;
        self.leave(length);
        self.can_run_again(segment)?;
        let rank = match &segment.kind {
            SegmentKind::Map if results.is_empty() => None,
            SegmentKind::Map => return self.fail("a map segment yields values"),
            SegmentKind::Reduce(_) => Some(0),
            SegmentKind::Scan(_) => Some(1),
        };
        if let Some(rank) = rank {
            self.combiners(segment, rank, &results)?;
        }
        self.in_thread = false;
        Ok(())
    }

    fn combiners(&mut self, segment: &GridSegment, rank: usize, results: &[Type]) -> Checked {
        let combiners = segment.kind.combiners();
        if segment.space.len() != 1 || combiners.is_empty() {
            return self.fail("a reduction or scan over other than one dimension or without operators");
        }
        let mut rest = results;
        for combiner in combiners {
            let arity = combiner.neutral.len();
            if arity == 0 || rest.len() < arity {
                return self.fail("an operator with another number of values than its segment yields");
            }
            let (types, others) = rest.split_at(arity);
            rest = others;
            self.combiner(combiner, types)?;
            self.outs(combiner, types, rank)?;
        }
        if rest.is_empty() { Ok(()) } else { self.fail("a segment yields more than its operators take") }
    }

    fn combiner(&mut self, combiner: &Combiner, types: &[Type]) -> Checked {
        if types.iter().any(|ty| !matches!(ty, Type::Scalar(_))) {
            return self.fail("an operator on values that are no scalars");
        }
        let neutral = combiner.neutral.iter().map(|&atom| self.atom(atom)).collect::<Checked<Vec<_>>>()?;
        let length = self.scope.len();
        for &var in combiner.left.iter().chain(&combiner.right) {
            self.bind(var)?;
        }
        for side in [&combiner.left, &combiner.right] {
            self.expect_types(types, side, "an operand")?;
        }
        self.expect_types(&neutral, &combiner.left, "a neutral element")?;
        let results = self.body(&combiner.body)?;
        self.leave(length);
        self.expect_types(&results, &combiner.left, "an operator")
    }

    fn outs(&self, combiner: &Combiner, types: &[Type], rank: usize) -> Checked {
        if combiner.outs.len() != types.len() {
            return self.fail("an operator with another number of outs than of values");
        }
        for (&out, ty) in combiner.outs.iter().zip(types) {
            let view = self.array(out)?;
            if view.shape.len() != rank || *ty != Type::Scalar(view.elem) {
                return self.fail(format!("{} cannot take what the operator gives", self.show(out)));
            }
            self.writable(out)?;
            if matches!(self.var(view.block)?, Type::Block(BlockType { space: Space::Private, .. })) {
                return self.fail(format!("{} is private", self.show(out)));
            }
        }
        Ok(())
    }
}
