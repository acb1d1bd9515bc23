//! The premises of `block-level`, which concern the body of a workgroup.

use ravel_core::{Atom, Body, Exp, LoopForm, Screma, Sink, Stm, Type, Var, VarTable, atom_type};
use ravel_kernel::Target;

use super::super::sizes::{KnownScalars, is_view};
use super::{KNOWN_SIZES, NO_CALL, PARALLEL_BODY, SCALAR_OPERATORS, SMALL_ARRAYS};
use crate::Premise;

/// A premise that does not hold, and the statement to blame if it is not the construct itself.
type Obstacle<'a> = (Premise, Option<&'a Stm>);

/// The reason why workgroups cannot compute the points of a construct, if there is one.
pub(super) fn obstacle<'a>(vars: &VarTable, target: &Target, screma: &'a Screma) -> Option<Obstacle<'a>> {
    let mut survey = BodyCheck { vars, target, known: KnownScalars::default(), is_parallel: false };
    survey.known.record_varying(screma.map.params.iter().copied());
    let found = survey.body(&screma.map.body);
    match survey.is_parallel {
        false => found.or(Some((PARALLEL_BODY, None))),
        true => found,
    }
}

/// An array that a thread of a construct creates and that does not fit its private memory.
pub(in super::super) fn large_array<'a>(
    vars: &VarTable,
    target: &Target,
    screma: &'a Screma,
) -> Option<&'a Stm> {
    let survey = BodyCheck { vars, target, known: KnownScalars::default(), is_parallel: false };
    survey.large_array(screma).and_then(|(_, stm)| stm)
}

/// The facts about a workgroup's body.
struct BodyCheck<'v> {
    vars: &'v VarTable,
    target: &'v Target,
    /// The scalars of the body that can be computed before the segment.
    known: KnownScalars,
    /// Whether the body has a parallel construct.
    is_parallel: bool,
}

impl BodyCheck<'_> {
    fn body<'a>(&mut self, body: &'a Body) -> Option<Obstacle<'a>> {
        body.stms.iter().find_map(|stm| self.stm(stm))
    }

    fn stm<'a>(&mut self, stm: &'a Stm) -> Option<Obstacle<'a>> {
        let premise = match &stm.exp {
            Exp::Call(_) => Some(NO_CALL),
            Exp::Screma(screma) => {
                self.is_parallel = true;
                match () {
                    () if !self.is_scalar(screma) => Some(SCALAR_OPERATORS),
                    () if !self.is_scanned_in_bounds(screma) => Some(KNOWN_SIZES),
                    () => return self.record(stm).or_else(|| self.large_array(screma)),
                }
            }
            Exp::If { then, otherwise, .. } => {
                let inside = self.body(then).or_else(|| self.body(otherwise));
                return inside.or_else(|| self.record(stm));
            }
            Exp::Loop(looped) => {
                self.known.record_varying(looped.params.iter().map(|&(param, _)| param));
                if let LoopForm::For { index, .. } = looped.form {
                    self.known.record_varying([index]);
                }
                return self.body(&looped.body).or_else(|| self.record(stm));
            }
            _ => return self.record(stm),
        };
        premise.map(|premise| (premise, Some(stm)))
    }

    /// Records the binders of a statement. An array that it creates must have a known size.
    fn record<'a>(&mut self, stm: &'a Stm) -> Option<Obstacle<'a>> {
        self.known.record(stm);
        let mut sizes = stm.binders.iter().flat_map(|&binder| &self.vars[binder].ty.shape);
        let is_known = is_view(&stm.exp) || sizes.all(|&size| self.known.is_known(size));
        (!is_known).then_some((KNOWN_SIZES, Some(stm)))
    }

    /// Whether the construct scans nothing, or the sizes of its scanned values, and of the values that bypass the
    /// scans, are known before the segment.
    fn is_scanned_in_bounds(&self, screma: &Screma) -> bool {
        let types = screma.map.body.result.iter().map(|&result| atom_type(self.vars, result));
        let mut sizes = types.flat_map(|ty| ty.shape).chain([screma.width]);
        screma.scans.is_empty() || sizes.all(|size| self.known.is_known(size))
    }

    /// Whether the construct reduces and scans only scalars, and combines into no array.
    fn is_scalar(&self, screma: &Screma) -> bool {
        let is_scalar = |neutral: &[Atom]| neutral.iter().all(|&atom| atom_type(self.vars, atom).is_scalar());
        screma.scans.iter().all(|scan| is_scalar(&scan.neutral))
            && screma.sinks.iter().all(|sink| match sink {
                Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => true,
                Sink::Reduce { neutral, .. } => is_scalar(neutral),
                Sink::Combine { .. } => false,
            })
    }

    /// An array that a thread of a construct creates and that does not fit its private memory.
    fn large_array<'a>(&self, screma: &'a Screma) -> Option<Obstacle<'a>> {
        if self.target.thread_allocation {
            return None;
        }
        screma.lambdas().find_map(|lambda| self.large_in(&lambda.body, true))
    }

    /// An array that a body of a thread creates and that does not fit its private memory. If `placed`, the results of the
    /// body are written to memory allocated elsewhere, and need not fit.
    fn large_in<'a>(&self, body: &'a Body, placed: bool) -> Option<Obstacle<'a>> {
        let is_placed = |binder: &Var| placed && body.result.contains(&Atom::Var(*binder));
        body.stms.iter().find_map(|stm| {
            let mut made = stm.binders.iter().filter(|binder| !is_placed(binder));
            let fits = |atom: Atom| self.fits_thread(&atom_type(self.vars, atom));
            let carried = stm.exp.screma().into_iter().flat_map(|screma| &screma.scans);
            let mut carried = carried.flat_map(|scan| &scan.neutral);
            let is_large = made.any(|&binder| !fits(Atom::Var(binder))) || carried.any(|&atom| !fits(atom));
            if is_large && !self.is_thread_view(&stm.exp) {
                return Some((SMALL_ARRAYS, Some(stm)));
            }
            match &stm.exp {
                Exp::If { then, otherwise, .. } => {
                    self.large_in(then, true).or_else(|| self.large_in(otherwise, true))
                }
                // The arrays of this iteration and of the next one are live at the same time.
                Exp::Loop(looped) => self.large_in(&looped.body, false),
                exp => {
                    let mut lambdas = exp.screma().into_iter().flat_map(Screma::lambdas);
                    lambdas.find_map(|lambda| self.large_in(&lambda.body, true))
                }
            }
        })
    }

    /// Whether a thread needs no memory for the result. The elements of an array of one dimension are evenly spaced, so they have an
    /// index function in every shape.
    fn is_thread_view(&self, exp: &Exp) -> bool {
        is_view(exp) || matches!(exp, Exp::Reshape(array) if self.vars[*array].ty.rank() == 1)
    }

    fn fits_thread(&self, ty: &Type) -> bool {
        let size = |size: &Atom| match size {
            Atom::Const(size) => size.as_i64(),
            Atom::Var(_) => None,
        };
        let count = ty.shape.iter().try_fold(1, |count: i64, extent| count.checked_mul(size(extent)?));
        ty.is_scalar() || count.is_some_and(|count| count <= self.target.private_capacity)
    }
}
