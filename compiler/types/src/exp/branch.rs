//! `if` and `match`. If a size differs between the branches, it is existential in the result. An open size of one
//! branch counts as different: it is not unified with the size of another branch.

use ravel_base::Span;
use ravel_prim::PrimType;
use ravel_syntax::ast;

use crate::checker::Checker;
use crate::class::Class;
use crate::pattern::Group;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Pattern, Size, Type, ValueId};
use crate::unify::ERROR_SIZE;

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
            let joined = self.unifier.join(&ty, &branch.ty, &mut |unifier, a, b| {
                let (a, b) = (unifier.size(a), unifier.size(b));
                if a == b || [&a, &b].contains(&&ERROR_SIZE) {
                    return unifier.unify_size(&a, &b).map(|()| a);
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
