//! Expressions in tail position, whose value is the result of a function or of an expression with a written type.
//!
//! Of a sum type, a constructor shows only its own payload. If a type is written, it completes the sum where a `let` or
//! branch ends: only then is it known where the sizes are in the type, so that a size can become existential.

use ravel_syntax::ast;

use crate::checker::Checker;
use crate::report::Context;
use crate::tast::{Exp, Type, TypeParamId};
use crate::unify::ERROR;

/// An expression in tail position.
pub(crate) struct Tail<'a> {
    pub(crate) exp: &'a ast::Exp,
    /// The written type of the result.
    pub(crate) expected: Option<Type>,
}

impl Checker<'_> {
    /// Checks an expression in tail position. If its type is a sum of which only some constructors are known, the written
    /// type gives the others. Arrays in their payloads are absent, so they may have any size. What an application has not
    /// decided yet of the written type is not decided here.
    pub(crate) fn tail(&mut self, Tail { exp, expected }: Tail<'_>) -> Exp {
        self.expected = expected.clone();
        let mut exp = self.exp(exp);
        let Some(expected) = expected.filter(|_| self.unifier.has_open_sum(&exp.ty)) else { return exp };
        let expected = self.unifier.resolve(&expected);
        let mut open: Vec<(TypeParamId, Type)> = Vec::new();
        expected.each_param(&mut |id| {
            let is_new = open.iter().all(|(known, _)| *known != id);
            if is_new && let Some(class) = self.unifier.constraints(id).map(|open| open.class) {
                open.push((id, self.unifier.fresh(class, exp.span)));
            }
        });
        let mut fresh = Vec::new();
        let of_any_size = expected.map(
            &mut |id| open.iter().find(|(known, _)| *known == id).map(|(_, ty)| ty.clone()),
            &mut |_| {
                fresh.push(self.unifier.fresh_size(exp.span));
                fresh[fresh.len() - 1].clone()
            },
        );
        if self.unify(exp.span, &of_any_size, &exp.ty, Context::Result) {
            fresh.iter().for_each(|size| self.unifier.make_absent(size));
        } else {
            exp.ty = ERROR;
        }
        exp
    }
}
