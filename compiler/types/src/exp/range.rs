//! Ranges of signed integers. `0..<n`, `1...n`, `0..1..<n` and `1..2...n` have size `n`. `m..<n` has size
//! `n - m`, and `m...n` has size `n - m + 1`. The size of any other range is existential.

use ravel_base::Span;
use ravel_prim::{BinOp, PrimType};
use ravel_syntax::ast::{self, ExpNode as Ast, Literal, RangeEnd};

use crate::checker::{Checker, array};
use crate::class::Class;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Range, RangeKind, Size, Type};

impl Checker<'_> {
    /// A range such as `a..b..<c`.
    pub(crate) fn range(&mut self, written: &ast::Range, span: Span) -> Exp {
        let (kind, end) = match &written.end {
            RangeEnd::Inclusive(end) => (RangeKind::Inclusive, end),
            RangeEnd::Below(end) => (RangeKind::Below, end),
            RangeEnd::Above(end) => (RangeKind::Above, end),
        };
        let mut start = self.exp(&written.start);
        self.restrict(&start, Class::SIGNED, Context::Bound);
        let ty = start.ty.clone();
        let second = written.second.as_ref().map(|second| self.expect(second, &ty, Context::Bound));
        let mut end = self.expect(end, &ty, Context::Bound);
        let is_i64 = self.unifier.head(&ty) == Type::Prim(PrimType::I64);
        let known = match kind {
            _ if !is_i64 => None,
            RangeKind::Below if starts_at(written, 0) => self.bound(&mut end),
            RangeKind::Inclusive if starts_at(written, 1) => self.bound(&mut end),
            RangeKind::Below if second.is_none() => self.distance(&mut start, &mut end),
            RangeKind::Inclusive if second.is_none() => self.distance(&mut start, &mut end).map(one_more),
            _ => None,
        };
        let mut exists = Vec::new();
        let size = known.unwrap_or_else(|| {
            let id = self.fresh_value();
            self.origins.insert(id, span);
            exists.push(id);
            Size::Var(id)
        });
        let node = ExpNode::Range(Box::new(Range { start, second, end, kind }));
        Exp { node, ty: array(ty, size), exists, span }
    }

    /// The bound as a size, which is then computed only once; `None` if it cannot be a size.
    fn bound(&mut self, bound: &mut Exp) -> Option<Size> {
        let size = self.size_of_exp(bound)?;
        self.compute_as(bound, &size);
        Some(size)
    }

    /// `end - start`, if both can be sizes.
    fn distance(&mut self, start: &mut Exp, end: &mut Exp) -> Option<Size> {
        let (from, to) = (self.size_of_exp(start)?, self.size_of_exp(end)?);
        self.compute_as(start, &from);
        self.compute_as(end, &to);
        Some(Size::Binary(BinOp::Sub, Box::new(to), Box::new(from)))
    }
}

fn one_more(size: Size) -> Size {
    Size::Binary(BinOp::Add, Box::new(size), Box::new(Size::Const(1)))
}

/// Whether the range starts at this number and has step one.
fn starts_at(range: &ast::Range, first: i128) -> bool {
    let is = |exp: &ast::Exp, wanted: i128| matches!(exp.node, Ast::Literal(Literal::Integer(value, _)) if value == wanted);
    is(&range.start, first) && range.second.as_ref().is_none_or(|second| is(second, first + 1))
}
