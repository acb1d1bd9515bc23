//! `if`. Where the branches' sizes differ, the result's size is known only by evaluation.

use ravel_base::Span;
use ravel_prim::PrimType;
use ravel_syntax::ast;

use crate::checker::Checker;
use crate::class::Class;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Size, Type, ValueId};

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
        let first = self.next_value;
        let then = self.exp(then);
        self.restrict(&then, Class::FIRST_ORDER, Context::Branch);
        let otherwise = self.exp(otherwise);
        let last = self.next_value;
        let mut differing: Vec<(Size, Size, ValueId)> = Vec::new();
        let next = &mut self.next_value;
        let joined = self.unifier.join(&then.ty, &otherwise.ty, &mut |unifier, a, b| {
            if unifier.unify_size(a, b).is_ok() {
                return Ok(a.clone());
            }
            let (a, b) = (unifier.size(a), unifier.size(b));
            if let Some((.., id)) = differing.iter().find(|(c, d, _)| *c == a && *d == b) {
                return Ok(Size::Var(*id));
            }
            let id = ValueId(*next);
            *next += 1;
            differing.push((a, b, id));
            Ok(Size::Var(id))
        });
        let ty = match joined {
            Ok(ty) => ty,
            Err(mismatch) => {
                self.report(otherwise.span, &then.ty, &otherwise.ty, &mismatch, Context::Branch);
                return self.broken(span);
            }
        };
        let mut exists = Vec::new();
        let ty = self.leave_names(&ty, &mut exists, &|id| (first..last).contains(&id.0));
        exists.extend(differing.into_iter().map(|(.., id)| id).filter(|&id| ty.mentions(id)));
        for &id in &exists {
            self.origins.insert(id, span);
        }
        let node = ExpNode::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        Exp { node, ty, exists, span }
    }
}
