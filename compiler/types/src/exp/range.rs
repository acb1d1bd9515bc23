//! Ranges of signed integers. `0..<n` has size n, and so have `1...n`, `0..1..<n` and `1..2...n`; other
//! sizes are known only by evaluation.

use ravel_base::Span;
use ravel_prim::PrimType;
use ravel_syntax::ast::{self, ExpNode as Ast, Literal, RangeEnd};

use crate::checker::{Checker, array};
use crate::class::Class;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Range, RangeKind, Size, Type};

impl Checker<'_> {
    /// `a..b..<c` and its kin.
    pub(crate) fn range(&mut self, written: &ast::Range, span: Span) -> Exp {
        let (kind, end) = match &written.end {
            RangeEnd::Inclusive(end) => (RangeKind::Inclusive, end),
            RangeEnd::Below(end) => (RangeKind::Below, end),
            RangeEnd::Above(end) => (RangeKind::Above, end),
        };
        let start = self.exp(&written.start);
        self.restrict(&start, Class::SIGNED, Context::Bound);
        let ty = start.ty.clone();
        let second = written.second.as_ref().map(|second| self.expect(second, &ty, Context::Bound));
        let mut end = self.expect(end, &ty, Context::Bound);
        let plain = match kind {
            RangeKind::Below => starts_at(written, 0),
            RangeKind::Inclusive => starts_at(written, 1),
            RangeKind::Above => false,
        };
        let is_i64 = self.unifier.head(&ty) == Type::Prim(PrimType::I64);
        let known = if plain && is_i64 { self.size_of_exp(&end) } else { None };
        let mut exists = Vec::new();
        let size = known.unwrap_or_else(|| {
            let id = self.fresh_value();
            self.origins.insert(id, span);
            exists.push(id);
            Size::Var(id)
        });
        self.compute_as(&mut end, &size);
        let node = ExpNode::Range(Box::new(Range { start, second, end, kind }));
        Exp { node, ty: array(ty, size), exists, span }
    }
}

/// Does the range go in steps of one from this number?
fn starts_at(range: &ast::Range, first: i128) -> bool {
    let is = |exp: &ast::Exp, wanted: i128| matches!(exp.node, Ast::Literal(Literal::Integer(value, _)) if value == wanted);
    is(&range.start, first) && range.second.as_ref().is_none_or(|second| is(second, first + 1))
}
