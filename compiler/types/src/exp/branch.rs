//! `if` and `match`. If a size differs between the branches, it is existential in the result. An open size of one
//! branch counts as different: it is not unified with the size of another branch.
//!
//! There is one exception. Inside `loop w = a … do … if c then w else a …`, the size of `w` is open, but it begins as the
//! size of `a`. So the branch decides that it is invariant. But `w` may change its size after the branch, as in
//! `(if c then w else a) ++ b`. Then there is an error in the loop. The definition is checked again, and no branch
//! decides about a loop that contained an error.

use ravel_base::Span;
use ravel_prim::PrimType;
use ravel_syntax::ast;

use crate::checker::Checker;
use crate::class::Class;
use crate::exp::LoopSize;
use crate::pattern::Group;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Pattern, Size, Type, ValueId};
use crate::unify::{ERROR_SIZE, Unifier};

/// The decisions of a definition's branches that sizes of loops are invariant.
#[derive(Debug, Default)]
pub(crate) struct BranchDecisions {
    /// Whether there is one.
    pub(crate) any: bool,
    /// The places of errors in an earlier check of the definition. No branch decides about a loop that contains one.
    pub(crate) errors: Vec<Span>,
}

impl Checker<'_> {
    /// `if c then a else b`.
    pub(crate) fn branch(
        &mut self,
        condition: &ast::Exp,
        then: &ast::Exp,
        otherwise: &ast::Exp,
        span: Span,
    ) -> Exp {
        let condition = self.expect(condition, &Type::Prim(PrimType::Bool), Context::Condition);
        let first = self.free.value;
        let then = self.exp(then);
        self.restrict(&then, Class::FIRST_ORDER, Context::Branch);
        let otherwise = self.exp(otherwise);
        let Some((ty, exists)) = self.join_branches(first, [&then, &otherwise], Context::Branch, span) else {
            return self.broken(span);
        };
        let node = ExpNode::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        Exp { node, ty, exists, span }
    }

    /// `match e case p -> a …`.
    pub(crate) fn match_exp(
        &mut self,
        subject: &ast::Exp,
        written: &[(ast::Pattern, ast::Exp)],
        span: Span,
    ) -> Exp {
        let subject = self.exp(subject);
        let first = self.free.value;
        let mut cases: Vec<(Pattern, Exp)> = Vec::new();
        for (pattern, body) in written {
            let scope = self.scopes.mark();
            let pattern = self.pattern(pattern, &subject.ty, &mut Group::default());
            let body = self.exp(body);
            self.scopes.leave(scope);
            if cases.is_empty() {
                self.restrict(&body, Class::FIRST_ORDER, Context::Case);
            }
            cases.push((pattern, body));
        }
        let bodies = cases.iter().map(|(_, body)| body);
        let Some((ty, exists)) = self.join_branches(first, bodies, Context::Case, span) else {
            return self.broken(span);
        };
        Exp { node: ExpNode::Match(Box::new(subject), cases), ty, exists, span }
    }

    /// The common type of the branches, and its existential sizes. Ids from `first` on belong to the branches.
    fn join_branches<'e>(
        &mut self,
        first: u32,
        branches: impl IntoIterator<Item = &'e Exp>,
        context: Context,
        span: Span,
    ) -> Option<(Type, Vec<ValueId>)> {
        let last = self.free.value;
        let mut branches = branches.into_iter();
        let mut ty = branches.next()?.ty.clone();
        let mut differing: Vec<(Size, Size, ValueId)> = Vec::new();
        for branch in branches {
            let next = &mut self.free.value;
            let (loop_sizes, decisions) = (&self.loop_sizes, &mut self.branch_decisions);
            let joined = self.unifier.join(&ty, &branch.ty, &mut |unifier, a, b| {
                let (a, b) = (unifier.size(a), unifier.size(b));
                if a == b || [&a, &b].contains(&&ERROR_SIZE) {
                    return unifier.unify_size(&a, &b).map(|()| a);
                }
                let [initial_a, initial_b] =
                    [&a, &b].map(|size| initial_size(unifier, loop_sizes, &decisions.errors, size));
                if initial_a == initial_b && unifier.unify_size(&a, &b).is_ok() {
                    decisions.any = true;
                    return Ok(a);
                }
                if let Some((.., id)) = differing.iter().find(|(c, d, _)| *c == a && *d == b) {
                    return Ok(Size::Var(*id));
                }
                let id = ValueId(*next);
                *next += 1;
                differing.push((a, b, id));
                Ok(Size::Var(id))
            });
            ty = match joined {
                Ok(joined) => joined,
                Err(mismatch) => {
                    self.report(branch.span, &ty, &branch.ty, &mismatch, context);
                    return None;
                }
            };
        }
        let mut exists = Vec::new();
        let ty = self.leave_scope(&ty, &mut exists, &|id| (first..last).contains(&id.0));
        exists.extend(differing.into_iter().map(|(.., id)| id).filter(|&id| ty.mentions(id)));
        for &id in &exists {
            self.origins.insert(id, span);
        }
        Some((ty, exists))
    }
}

/// The size with the open sizes of these loops replaced by the sizes that they begin with, except those of loops that
/// contain errors.
fn initial_size(unifier: &Unifier, loop_sizes: &[LoopSize], errors: &[Span], size: &Size) -> Size {
    unifier.size(size).map(&mut |id| {
        let at = loop_sizes.iter().position(|open| unifier.size(&open.var) == Size::Var(id))?;
        let LoopSize { init, of, .. } = &loop_sizes[at];
        if errors.iter().any(|error| of.holds(*error)) {
            return None;
        }
        // An initial size mentions only sizes of the loops around.
        Some(initial_size(unifier, &loop_sizes[..at], errors, init))
    })
}
