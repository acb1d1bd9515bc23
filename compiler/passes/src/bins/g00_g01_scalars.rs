//! G0 and G1: what a point computes outside of inner constructs.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G0 | `let v = v1 op v2`: one map for each operation, its result in memory | one map for all operations up to the next construct; it stores what later code reads |
//! | G1 | `let v = q[i]`: a map that reads `qs[B_shp[k] + is[k]]` | a part of this map: it reads a view of the lanes or of the row |
//!
//! Cheap operations are not stored at all, but computed again where they are read, if that needs no more values than before.

use std::collections::BTreeSet;

use ravel_core::visit::Visit;
use ravel_core::{Atom, Body, Exp, Loop, Screma, Stm, Var, VarTable, exp_without_bodies, free_in_stm};
use ravel_prim::BinOp;

use super::code::{Code, Lift, Over, is_small};
use super::context::Lifted;
use crate::simplify::dead;

pub(super) const G0: &str = "G0";
pub(super) const G1: &str = "G1";

impl Code<'_> {
    /// Whether each point can run the statement by itself: it computes scalars or small arrays, without inner parallelism of
    /// the width.
    pub(super) fn is_scalar(&self, stm: &Stm) -> bool {
        stm.binders.iter().all(|&binder| self.is_private(binder)) && self.is_sequential(&stm.exp)
    }

    /// Whether a point keeps the value by itself.
    fn is_private(&self, var: Var) -> bool {
        let ty = &self.builder.vars()[var].ty;
        is_small(ty) && (ty.is_scalar() || self.context_of(&ty.shape).is_none())
    }

    fn is_sequential(&self, exp: &Exp) -> bool {
        let body = |body: &Body| body.stms.iter().all(|stm| self.is_scalar(stm));
        match exp {
            Exp::Screma(screma) => {
                let mut lambdas = screma.lambdas();
                let vars = self.builder.vars();
                !self.is_width(screma.width)
                    && lambdas.all(|lambda| private_array(vars, &lambda.body).is_none())
            }
            Exp::If { then, otherwise, .. } => body(then) && body(otherwise),
            Exp::Loop(looped) => {
                looped.params.iter().all(|&(param, _)| self.is_private(param)) && body(&looped.body)
            }
            Exp::Segment(_) | Exp::Stream(_) => false,
            exp_without_bodies!() => true,
        }
    }

    /// The code of the bin for scalar statements of the source, which `later` statements and the result of the body follow.
    pub(super) fn scalars(&mut self, mut run: Vec<Stm>, later: &[Stm], result: &[Atom]) -> Lift<()> {
        run = run.into_iter().flat_map(|stm| self.without_check(stm)).collect();
        if run.is_empty() {
            return Ok(());
        }
        let vars = self.builder.vars();
        let mut needed: BTreeSet<Var> = later.iter().flat_map(|stm| free_in_stm(vars, stm)).collect();
        needed.extend(result.iter().filter_map(|atom| atom.var()));
        // The contexts have the widths.
        needed.retain(|&var| !self.is_width(Atom::Var(var)));
        let (mut again, mut stored) = (Vec::new(), Vec::new());
        for stm in run.iter().rev() {
            if !stm.binders.iter().any(|binder| needed.contains(binder)) {
                continue;
            }
            let operands = free_in_stm(vars, stm);
            let is_kept = stm.binders.iter().any(|binder| self.kept.contains_key(binder));
            if is_cheap(&stm.exp) && !is_kept && operands.difference(&needed).count() <= 1 {
                needed.extend(operands.into_iter().filter(|&var| !self.is_width(Atom::Var(var))));
                again.push(stm.clone());
            } else {
                stored.extend(stm.binders.iter().copied().filter(|binder| needed.contains(binder)));
            }
        }
        stored.reverse();
        let checks = run.iter().filter(|stm| can_fail(&stm.exp)).flat_map(|stm| &stm.binders);
        let live: Vec<Atom> = stored.iter().chain(checks).map(|&var| Atom::Var(var)).collect();
        if !live.is_empty() {
            self.fire(G0)?;
            let origin = self.builder.set_origin(run[0].origin.inside());
            let mut piece = Body { stms: run, result: live };
            dead::slice(self.builder.vars(), &mut piece);
            piece.result.truncate(stored.len());
            let kept: Vec<Option<Var>> = stored.iter().copied().map(Some).collect();
            let arrays = self.map(
                Over::Points,
                |code, place| {
                    if code.reads_expanded(&piece) {
                        code.fire(G1)?;
                    }
                    code.copy(place, &piece)
                },
                |code, place, types| code.idle(place, &kept, types),
            )?;
            self.builder.set_origin(origin);
            for (&var, array) in stored.iter().zip(arrays) {
                self.lifted.insert(var, Lifted::Points(array));
            }
        }
        for stm in again {
            self.lifted.insert(stm.binders[0], Lifted::Again(stm));
        }
        Ok(())
    }

    /// The statement without its check, if the inspector makes the check for all points.
    fn without_check(&self, stm: Stm) -> Vec<Stm> {
        match stm {
            Stm { binders, exp: Exp::Assert { values, .. }, origin }
                if self.checked.contains(&binders[0]) =>
            {
                let copies = binders.into_iter().zip(values);
                copies
                    .map(|(binder, value)| Stm {
                        binders: vec![binder],
                        exp: Exp::Atom(value),
                        origin: origin.clone(),
                    })
                    .collect()
            }
            stm => vec![stm],
        }
    }

    /// Whether the code reads an array that has elements for lanes or rows for points.
    fn reads_expanded(&self, piece: &Body) -> bool {
        let is_expanded = |var: &Var| {
            matches!(
                self.lifted.get(var),
                Some(Lifted::Lanes { .. } | Lifted::Rows { .. } | Lifted::Last { .. })
            )
        };
        ravel_core::free_in_body(self.builder.vars(), piece).iter().any(is_expanded)
    }
}

/// An array that the code of a thread makes and that needs memory of a size that is not constant.
pub(super) fn private_array(vars: &VarTable, body: &Body) -> Option<Var> {
    struct Arrays<'a>(&'a VarTable, Option<Var>);
    impl Visit for Arrays<'_> {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            let is_view = matches!(
                stm.exp,
                Exp::Atom(_) | Exp::Assert { .. } | Exp::Slice(..) | Exp::Rearrange(..) | Exp::Update { .. }
            );
            let mut large = stm.binders.iter().copied().filter(|&binder| !is_small(&self.0[binder].ty));
            self.1 = self.1.or_else(|| large.next().filter(|_| !is_view));
            self.exp(&stm.exp);
        }
    }
    let mut arrays = Arrays(vars, None);
    arrays.body(body);
    arrays.1
}

/// Whether it costs less to compute the value again than to store it.
pub(super) fn is_cheap(exp: &Exp) -> bool {
    match exp {
        Exp::Atom(_) | Exp::Compare(..) | Exp::Convert(..) => true,
        Exp::Unary(op, _) => op.is_short(),
        Exp::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Min | BinOp::Max),
        _ => false,
    }
}

/// Whether the code has a check.
fn can_fail(exp: &Exp) -> bool {
    struct Checks(bool);
    impl Visit for Checks {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn exp(&mut self, exp: &Exp) {
            self.0 |= matches!(exp, Exp::Assert { .. } | Exp::Call(_));
            match exp {
                Exp::If { then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                }
                Exp::Loop(Loop { body, .. }) => self.body(body),
                exp => {
                    exp.screma().into_iter().flat_map(Screma::lambdas).for_each(|lambda| self.lambda(lambda))
                }
            }
        }
    }
    let mut checks = Checks(false);
    checks.exp(exp);
    checks.0
}
