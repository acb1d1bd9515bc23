//! Indices, slices and updates.
//!
//! A slice `a[i:j]` has size `j - i`; both bounds are optional. `a[j:i:-1]` has size `j - i` too, and
//! `a[::-1]` has the size of `a`. In all other cases the size is existential: with another stride, with stride -1 and one
//! bound, and with a bound that cannot be written as a size. In an update, the type of the new value does not fix its
//! size: a check at run time compares it with the size of the slice.

use ravel_base::{Code, Diagnostic, Span};
use ravel_prim::{BinOp, PrimType};
use ravel_syntax::ast::{self, ExpNode as Ast, Literal};

use crate::checker::{Checker, array, exp};
use crate::class::Class;
use crate::desugar;
use crate::exp::Tail;
use crate::report::{Context, in_sentence};
use crate::tast::{Exp, ExpNode, Pattern, PatternNode, Size, SliceDim, Type, ValueId};
use crate::unify::{ERROR, ERROR_SIZE, FLEXIBLE};

impl Checker<'_> {
    /// `a[i, j:k]`.
    pub(crate) fn index(&mut self, value: &ast::Exp, dims: &[ast::SliceDim], span: Span) -> Exp {
        let value = self.exp(value);
        let mut exists = Vec::new();
        let (dims, ty) = self.slice(&value, dims, Some(&mut exists));
        for &id in &exists {
            self.origins.insert(id, span);
        }
        Exp { node: ExpNode::Index(Box::new(value), dims), ty, exists, span }
    }

    /// `a with [i].x = e`.
    pub(crate) fn update(&mut self, value: &ast::Exp, path: &[ast::Step], new: &ast::Exp, span: Span) -> Exp {
        if desugar::is_mixed(path) {
            return self.exp(&desugar::update(value, path, new, span));
        }
        let value = self.exp(value);
        self.update_of(value, path, new, span)
    }

    /// The value with the part at a path replaced. The path has only fields, or is one index step.
    fn update_of(&mut self, value: Exp, path: &[ast::Step], new: &ast::Exp, span: Span) -> Exp {
        let fields = path.iter().filter_map(|step| match step {
            ast::Step::Field(field) => Some(field),
            ast::Step::Part(_) => None,
        });
        let [ast::Step::Part(dims)] = path else {
            return self.record_update(value, &fields.collect::<Vec<_>>(), new, span);
        };
        let (dims, part) = self.slice(&value, dims, None);
        let new = self.expect(new, &part, Context::Update);
        let ty = value.ty.clone();
        exp(ExpNode::Update(Box::new(value), dims, Box::new(new)), ty, span)
    }

    /// `let a[i].x = e in b`.
    pub(crate) fn let_update(
        &mut self,
        name: &ast::Name,
        path: &[ast::Step],
        new: &ast::Exp,
        body: Tail<'_>,
        span: Span,
    ) -> Exp {
        let old = ast::QualName { quals: Vec::new(), name: name.node, span: name.span };
        let old = ast::Exp { node: Ast::Name(old), span: name.span };
        let value = self.update(&old, path, new, name.span.to(new.span));
        let scope = self.scopes.mark();
        let id = self.bind(name.node, value.ty.clone());
        let body = self.tail(body);
        self.scopes.leave(scope);
        let pattern =
            Pattern { node: PatternNode::Name(id, name.node), ty: value.ty.clone(), span: name.span };
        let ty = body.ty.clone();
        let node = ExpNode::Let { sizes: Vec::new(), pattern, value: Box::new(value), body: Box::new(body) };
        exp(node, ty, span)
    }

    /// The checked indices, and the type of the part. With `exists`, sizes of the part that are unknown are existential
    /// and are added to it. Without, as for an update, the size of every range is flexible.
    fn slice(
        &mut self,
        value: &Exp,
        dims: &[ast::SliceDim],
        mut exists: Option<&mut Vec<ValueId>>,
    ) -> (Vec<SliceDim>, Type) {
        let mut rest = value.ty.clone();
        let mut kept = Vec::new();
        let mut checked = Vec::new();
        for (position, dim) in dims.iter().enumerate() {
            let (row, size) = self.take_dimension(value, &rest, position);
            rest = row;
            match dim {
                ast::SliceDim::Fix(index) => {
                    let index = self.exp(index);
                    self.restrict(&index, Class::SIGNED, Context::Index);
                    checked.push(SliceDim::Fix(index));
                }
                ast::SliceDim::Range { start, end, stride, .. } => {
                    let rule = slice_size(start, end, stride);
                    let mut bound = |bound: &Option<ast::Exp>| {
                        let i64 = Type::Prim(PrimType::I64);
                        bound.as_ref().map(|bound| self.expect(bound, &i64, Context::Index))
                    };
                    let (mut start, mut end, stride) = (bound(start), bound(end), bound(stride));
                    let size = match (rule, &mut exists) {
                        (_, None) => self.unifier.fresh_size(value.span),
                        (SliceSize::All, Some(_)) => size,
                        (SliceSize::Between | SliceSize::Back, Some(exists)) => {
                            let mut ends = (&mut start, &mut end);
                            if let SliceSize::Back = rule {
                                ends = (ends.1, ends.0);
                            }
                            let low = self.bound_size(ends.0, Size::Const(0));
                            let high = self.bound_size(ends.1, size);
                            let size = low.zip(high).map(|(low, high)| difference(high, low));
                            size.unwrap_or_else(|| self.unknown_size(exists))
                        }
                        (SliceSize::Unknown, Some(exists)) => self.unknown_size(exists),
                    };
                    kept.push(size);
                    checked.push(SliceDim::Range { start, end, stride });
                }
            }
        }
        let ty = kept.into_iter().rev().fold(rest, array);
        (checked, ty)
    }

    /// The bound of a slice as a size: `default` if the bound is absent, `None` if its expression cannot be a size. The bound
    /// is replaced by the size, so that it is computed only once.
    fn bound_size(&mut self, bound: &mut Option<Exp>, default: Size) -> Option<Size> {
        let Some(bound) = bound else { return Some(default) };
        let size = self.size_of_exp(bound)?;
        self.compute_as(bound, &size);
        Some(size)
    }

    /// A new existential size, which is added to `exists`.
    fn unknown_size(&mut self, exists: &mut Vec<ValueId>) -> Size {
        let id = self.fresh_value();
        exists.push(id);
        Size::Var(id)
    }

    /// The row type and the outer size of `ty`, which is the type of `value` without its first `position` dimensions.
    fn take_dimension(&mut self, value: &Exp, ty: &Type, position: usize) -> (Type, Size) {
        match self.unifier.head(ty) {
            Type::Array(row, size) => (*row, size),
            ERROR => (ERROR, ERROR_SIZE),
            open @ Type::Param(id) if id.0 >= FLEXIBLE => {
                let (row, size) = (self.fresh_type(value.span), self.unifier.fresh_size(value.span));
                self.unify(value.span, &array(row.clone(), size.clone()), &open, Context::Indexed);
                (row, size)
            }
            _ => {
                let message = match position {
                    0 => "This value is not an array, so it has no index".to_owned(),
                    1 => "This array takes only one index".to_owned(),
                    n => format!("This array takes only {n} indices"),
                };
                let shown = self.show(&value.ty);
                let caret = in_sentence(&shown, "this has type", "this is");
                let mut error = Diagnostic::error(Code::BadIndex, value.span, message)
                    .types(describe_array(position + 1), shown)
                    .caret(caret)
                    .note("Cannot unify an array with a value that has fewer dimensions");
                error.help = match self.unifier.resolve(&value.ty) {
                    Type::Tuple(_) => Some(format!("a component is written `{}.0`", self.quote(value.span))),
                    Type::Record(fields) => fields
                        .first()
                        .map(|(field, _)| format!("a field is written `{}.{field}`", self.quote(value.span))),
                    Type::Function(_) => Some("an argument follows after a blank: `f [1, 2]`".to_owned()),
                    _ if position > 0 => Some("leave out the last index".to_owned()),
                    _ => Some(
                        "only an array has an index: `xs[i]`, or `(f x)[i]` for the result of a call"
                            .to_owned(),
                    ),
                };
                self.diagnostics.push(error);
                (ERROR, ERROR_SIZE)
            }
        }
    }
}

/// "an array of at least two dimensions".
fn describe_array(dimensions: usize) -> String {
    match dimensions {
        1 => "an array".to_owned(),
        2 => "an array of two or more dimensions".to_owned(),
        n => format!("an array of {n} or more dimensions"),
    }
}

/// How to compute the size of a slice with these bounds and this stride.
fn slice_size(start: &Option<ast::Exp>, end: &Option<ast::Exp>, stride: &Option<ast::Exp>) -> SliceSize {
    let is =
        |exp: &Option<ast::Exp>, wanted: i128| exp.as_ref().is_none_or(|exp| constant(exp) == Some(wanted));
    match (start, end) {
        (None, None) if is(stride, 1) || is(stride, -1) => SliceSize::All,
        _ if is(stride, 1) => SliceSize::Between,
        (Some(_), Some(_)) if is(stride, -1) => SliceSize::Back,
        _ => SliceSize::Unknown,
    }
}

/// How to compute the size of a slice.
#[derive(Clone, Copy)]
enum SliceSize {
    /// The size of the whole dimension.
    All,
    /// `end - start`.
    Between,
    /// `start - end`.
    Back,
    /// Known only at run time.
    Unknown,
}

/// `high - low`, but `high` itself if `low` is the constant 0: the size of `a[0:n]` is `n`.
fn difference(high: Size, low: Size) -> Size {
    match low {
        Size::Const(0) => high,
        low => Size::Binary(BinOp::Sub, Box::new(high), Box::new(low)),
    }
}

/// The value of an integer literal, which may be negated.
fn constant(exp: &ast::Exp) -> Option<i128> {
    match &exp.node {
        Ast::Literal(Literal::Integer(value, _)) => Some(*value),
        Ast::Negate(inner) => constant(inner).map(|value| -value),
        _ => None,
    }
}
