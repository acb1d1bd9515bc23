//! Interiors: index-set splitting for strips.
//!
//! A body with cuts (`uniformity::cuts`), such as the conditions at the borders of a stencil, is translated twice:
//!
//! ```text
//! some = any(a cut lies in the strip)
//! if some { general } else { interior }
//! ```
//!
//! In the *interior*, comparisons at cuts have one outcome in all lanes, and clamps have no effect. So the branches that
//! depend on them are uniform, their accesses need no masks, and clamped positions are contiguous.
//!
//! [`INTERIOR`] states what must hold.

use std::collections::BTreeMap;

use ravel_kernel::{self as ir, Atom, ScalarExp, Thread, Var};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

use super::Vectoriser;
use crate::form::{Body, Exp, Operand, Position, Stm, Value};
use crate::refusal::Refusal;
use crate::rewrite::Rewrite;
use crate::uniformity::{Cut, CutKind, UniformityAnalysis};

/// The rewrite `interior`.
pub(crate) const INTERIOR: Rewrite = Rewrite {
    name: "interior",
    about: "A strip gets a second form for the points between the borders, without the tests of borders.",
    premises: &[
        ("cuts", "some comparisons or clamps of the body change their outcome only at borders of a row"),
        ("no-arrays", "no point allocates an array"),
        ("short", "the strip has at most as many statements as the target's setting `max_interior` permits"),
        ("fewer-masks", "the second form has fewer accesses that are masked or not contiguous"),
    ],
    switch_off: |target| target.max_interior = 0,
};

impl Vectoriser<'_> {
    /// Translates the body of the thread whose innermost counter is `counter`. Returns its results.
    pub(super) fn points(&mut self, counter: Var, body: &ir::Body<Thread>) -> Result<Vec<Operand>, Refusal> {
        let outside = self.scalars.clone();
        let (stms, result) = self.nested(|vectoriser| vectoriser.body(body, None))?;
        let general = Body { stms, result };
        let has_arrays = self.strip.memories.iter().any(|(_, memory)| memory.place.is_private());
        let suitable =
            self.uniformity.has_cuts() && !has_arrays && size(&general) as i64 <= self.target.max_interior;
        let general_obstacles = obstacles(&general);
        if !suitable || general_obstacles == 0 {
            self.stms.extend(general.stms);
            return Ok(general.result);
        }
        let restarts = self.restarts.len();
        let interior = self.interior(counter, body, outside)?;
        if obstacles(&interior) >= general_obstacles {
            self.restarts.truncate(restarts);
            self.stms.extend(general.stms);
            return Ok(general.result);
        }
        Ok(self.choose(counter, general, interior))
    }

    /// Translates the body for strips in the interior, with these scalars bound outside.
    fn interior(
        &mut self,
        counter: Var,
        body: &ir::Body<Thread>,
        outside: BTreeMap<Var, super::Scalar>,
    ) -> Result<Body, Refusal> {
        let inputs = self.strip.inputs.iter().map(|&(_, var)| (var, self.scalars[&var]));
        let scalars = outside.into_iter().chain(inputs).collect();
        let general = std::mem::replace(&mut self.scalars, scalars);
        let uniformity = UniformityAnalysis::of_interior(body, counter, self.vars);
        let uniformity = std::mem::replace(&mut self.uniformity, uniformity);
        let translated = self.nested(|vectoriser| vectoriser.body(body, None));
        self.uniformity = uniformity;
        self.scalars = general;
        let (stms, result) = translated?;
        Ok(Body { stms, result })
    }

    /// Runs the general code if a cut lies in the strip, otherwise that of the interior. Returns the results.
    fn choose(&mut self, counter: Var, general: Body, interior: Body) -> Vec<Operand> {
        let some = self.cut_in_strip(counter);
        let both = general.result.iter().zip(&interior.result);
        let kinds: Vec<(PrimType, bool)> = both
            .map(|(&a, &b)| (self.strip.ty(a), self.strip.is_varying(a) || self.strip.is_varying(b)))
            .collect();
        let binders: Vec<Value> =
            kinds.into_iter().map(|(ty, varying)| self.fresh(None, ty, varying)).collect();
        let results = binders.iter().map(|&value| Operand::Value(value)).collect();
        self.stms.push(Stm::If { binders, cond: some, then: general, otherwise: interior });
        results
    }

    /// Whether a cut lies in the strip.
    fn cut_in_strip(&mut self, counter: Var) -> Operand {
        let mut points = BTreeMap::from([(0, self.scalars[&counter].lanes)]);
        let mut some: Option<Operand> = None;
        for (cut, fixed) in std::mem::take(&mut self.cuts) {
            let point = *points.entry(cut.offset).or_insert_with(|| self.neighbours(counter, cut.offset));
            let test = match cut.kind {
                CutKind::Compare(_) => Exp::Compare(CmpOp::Eq, point, fixed),
                CutKind::Min => Exp::Compare(CmpOp::Lt, fixed, point),
                CutKind::Max => Exp::Compare(CmpOp::Lt, point, fixed),
            };
            let test = self.push(test);
            some = Some(some.map_or(test, |some| self.push(Exp::Binary(BinOp::Or, some, test))));
        }
        self.push(Exp::Any(some.expect("the interior has fewer obstacles, so there is a cut")))
    }

    /// The counter in each lane, plus a constant.
    fn neighbours(&mut self, counter: Var, offset: i64) -> Operand {
        let first = self.first(Atom::Var(counter));
        let first = self.push(Exp::Binary(BinOp::Add, first, Operand::i64(offset)));
        self.push(Exp::Ramp { first, step: Operand::i64(1) })
    }

    /// Binds a scalar that has a simpler value in the interior, and notes its cut. Returns whether it is bound.
    pub(super) fn bind_interior_value(&mut self, var: Var, exp: &ScalarExp) -> bool {
        if let Some(cut) = self.uniformity.cut(exp) {
            self.note_cut(cut);
        }
        let atom = match self.uniformity.outcome(Atom::Var(var)) {
            Some(outcome) => Some(Atom::Const(PrimValue::Bool(outcome))),
            None => self.uniformity.interior_value(exp),
        };
        if let Some(atom) = atom {
            self.rename(var, atom);
        }
        atom.is_some()
    }

    fn note_cut(&mut self, cut: Cut) {
        let fixed = self.first(cut.fixed);
        let is_like = |&(other, of): &(Cut, Operand)| {
            let like = match (other.kind, cut.kind) {
                (CutKind::Compare(_), CutKind::Compare(_)) => true,
                (a, b) => a == b,
            };
            like && other.offset == cut.offset && of == fixed
        };
        if !self.cuts.iter().any(is_like) {
            self.cuts.push((cut, fixed));
        }
    }
}

/// The number of accesses to shared memory that are masked, or at positions that are not contiguous.
fn obstacles(body: &Body) -> usize {
    let of = |stm: &Stm| match stm {
        Stm::Load { position, mask, .. } | Stm::Store { position, mask, .. } => {
            usize::from(mask.is_some() || matches!(position, Position::Varying(_)))
        }
        Stm::If { then, otherwise, .. } => obstacles(then) + obstacles(otherwise),
        Stm::Loop { body, .. } => obstacles(body),
        Stm::Let { .. } | Stm::LoadRow { .. } | Stm::Fail(_) => 0,
    };
    body.stms.iter().map(of).sum()
}

/// The number of statements.
fn size(body: &Body) -> usize {
    let of = |stm: &Stm| match stm {
        Stm::If { then, otherwise, .. } => 1 + size(then) + size(otherwise),
        Stm::Loop { body, .. } => 1 + size(body),
        _ => 1,
    };
    body.stms.iter().map(of).sum()
}
