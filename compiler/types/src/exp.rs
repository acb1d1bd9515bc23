//! Expressions: one function for each construct. Related constructs share a file; this file has the small ones.

mod apply;
mod binding;
mod branch;
mod data;
mod function_names;
mod index;
mod loops;
mod operator;
mod range;
mod tail;

use ravel_base::{Limitation, Span, Symbol};
use ravel_prim::{PrimType, PrimValue};
use ravel_syntax::ast::{self, ExpNode as Ast, Literal};

use crate::attribute::parameter;
use crate::checker::{Checker, array, exp};
use crate::class::Class;
use crate::desugar;
use crate::function::FunctionSyntax;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Size, Type};
use crate::unify::FLEXIBLE;
pub(crate) use branch::{BranchDecisions, LambdaArgument, result_branches};
pub(crate) use function_names::FunctionNames;
pub(crate) use loops::LoopSize;
pub(crate) use tail::Tail;

/// The maximum number of nodes of a type.
pub(crate) const TYPE_LIMIT: usize = 20_000;

impl Checker<'_> {
    /// Checks an expression, and that its type is not too large: types double with each `let y = (x, x)`.
    pub(crate) fn exp(&mut self, written: &ast::Exp) -> Exp {
        let checked = self.exp_of_any_size(written);
        if self.unifier.is_larger(&checked.ty, TYPE_LIMIT) {
            self.limit(Limitation::TypeSize, written.span);
            return self.broken(written.span);
        }
        checked
    }

    fn exp_of_any_size(&mut self, written: &ast::Exp) -> Exp {
        let span = written.span;
        let expected = self.expected.take();
        match &written.node {
            Ast::Name(name) => self.name(name),
            Ast::Literal(literal) => self.literal(literal, span),
            Ast::Tuple(parts) => {
                let parts: Vec<Exp> = parts.iter().map(|part| self.exp(part)).collect();
                let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
                exp(ExpNode::Tuple(parts), ty, span)
            }
            Ast::Array(elements) => self.array_literal(elements, span),
            Ast::Range(range) => self.range(range, span),
            Ast::Apply(..) => self.application(written, expected.as_ref()),
            Ast::Binary(left, op, right) => self.binary(left, op, right, Tail { exp: written, expected }),
            Ast::Negate(operand) => self.negate(operand, span),
            Ast::Not(operand) => self.not(operand, span),
            Ast::Project(value, field) => {
                let value = self.exp(value);
                self.project(value, field, span)
            }
            Ast::Index(value, dims) => self.index(value, dims, span),
            Ast::Update(value, path, new) => self.update(value, path, new, span),
            Ast::Let { sizes, pattern, value, body } => {
                self.let_value(sizes, pattern, value, Tail { exp: body, expected }, span)
            }
            Ast::LetUpdate { name, path, value, body } => {
                self.let_update(name, path, value, Tail { exp: body, expected }, span)
            }
            Ast::LetFunction { name, type_params, params, result, value, body } => {
                let written =
                    FunctionSyntax { type_params, params, result: result.as_deref(), body: value, own: None };
                self.local_function(name, written, Tail { exp: body, expected }, span)
            }
            Ast::If(condition, then, otherwise) => {
                let branches = [&**then, otherwise].map(|exp| Tail { exp, expected: expected.clone() });
                self.branch(condition, branches, span)
            }
            Ast::Match(subject, cases) => self.match_exp(subject, cases, expected, span),
            Ast::Record(fields) => self.record(fields, span),
            Ast::Constructor(name, payload) => self.constructor(*name, payload, span),
            Ast::Loop { sizes, pattern, init, form, body } => {
                self.loop_exp(loops::LoopSyntax { sizes, pattern, init: init.as_deref(), form, body }, span)
            }
            Ast::Lambda { params, result, body } => {
                let written =
                    FunctionSyntax { type_params: &[], params, result: result.as_deref(), body, own: None };
                self.lambda(written, expected.as_ref(), span)
            }
            Ast::SectionRight(op, operand) => self.exp(&desugar::section_right(op, operand, span)),
            Ast::SectionLeft(operand, op) => self.exp(&desugar::section_left(operand, op, span)),
            Ast::SectionPath(path) => self.exp(&desugar::section_path(path, span)),
            Ast::Ascribe(value, ty) => {
                let written = self.type_exp(ty).ty;
                let value = self.tail(Tail { exp: value, expected: Some(written.clone()) });
                self.unify(ty.span, &written, &value.ty, Context::Ascription);
                // A function keeps its own uniqueness; the written type does not change it.
                let ty = if written.has_function() { value.ty.clone() } else { written };
                Exp { ty, ..value }
            }
            Ast::Coerce(value, ty) => self.coerce(value, ty, span),
            Ast::Assert(condition, value) => {
                let text = self.quote(condition.span);
                let condition = self.expect(condition, &Type::Prim(PrimType::Bool), Context::Condition);
                let value = self.tail(Tail { exp: value, expected });
                let ty = value.ty.clone();
                exp(ExpNode::Assert(Box::new(condition), Box::new(value), text), ty, span)
            }
            Ast::Attributed(attribute, inner) => {
                let known = self.attribute(attribute);
                let inner = self.tail(Tail { exp: inner, expected });
                match known {
                    Some(known) => self.attributed(known, inner),
                    None => inner,
                }
            }
            Ast::OpenIn(module, inner) => self.open_in(module, inner),
            Ast::Hole => {
                let ty = self.fresh_type(span);
                exp(ExpNode::Hole, ty, span)
            }
        }
    }

    /// Checks an expression that must have this type.
    pub(crate) fn expect(&mut self, written: &ast::Exp, ty: &Type, context: Context) -> Exp {
        let checked = self.exp(written);
        self.unify(checked.span, ty, &checked.ty, context);
        checked
    }

    /// `#[attribute] exp`.
    pub(crate) fn attributed(&mut self, attribute: Symbol, inner: Exp) -> Exp {
        if parameter(attribute).is_some() {
            self.unify(inner.span, &Type::Prim(PrimType::I64), &inner.ty, Context::Parameter);
        }
        let (ty, span) = (inner.ty.clone(), inner.span);
        exp(ExpNode::Attributed(attribute, Box::new(inner)), ty, span)
    }

    fn literal(&mut self, literal: &Literal, span: Span) -> Exp {
        let ty = self.literal_type(literal, span);
        if let Literal::String(text) = literal {
            let byte = |byte| self.literal(&Literal::Integer(byte, Some(PrimType::U8)), span);
            return exp(ExpNode::Array(text.bytes().map(i128::from).map(byte).collect()), ty, span);
        }
        exp(ExpNode::Const(self.literal_number(literal)), ty, span)
    }

    /// The type of a literal.
    pub(crate) fn literal_type(&mut self, literal: &Literal, span: Span) -> Type {
        match literal {
            Literal::Integer(_, Some(prim)) | Literal::Float(_, Some(prim)) => Type::Prim(*prim),
            Literal::Integer(_, None) | Literal::Char(_) => self.unifier.fresh(Class::NUMBER, span),
            Literal::Float(_, None) => self.unifier.fresh(Class::FLOAT, span),
            Literal::Bool(_) => Type::Prim(PrimType::Bool),
            Literal::String(text) => array(Type::Prim(PrimType::U8), Size::Const(text.len() as i64)),
        }
    }

    /// Stores a literal whose type is still open. Its node holds the index until `finish`.
    pub(crate) fn literal_number(&mut self, literal: &Literal) -> PrimValue {
        self.literals.push(literal.clone());
        PrimValue::U64(self.literals.len() as u64 - 1)
    }

    fn negate(&mut self, operand: &ast::Exp, span: Span) -> Exp {
        // The sign is part of the literal. Otherwise the smallest number of a type could not be written.
        if let Ast::Literal(Literal::Integer(value, suffix)) = operand.node
            && value != 0
        {
            return self.literal(&Literal::Integer(-value, suffix), span);
        }
        self.unary(ravel_prim::UnOp::Neg, "-", operand, Class::NUMBER, span)
    }

    fn array_literal(&mut self, elements: &[ast::Exp], span: Span) -> Exp {
        let row = self.unifier.fresh(Class::ELEMENT, span);
        let mut fit = true;
        let mut checked = Vec::new();
        for element in elements {
            let element = self.exp(element);
            fit = fit && self.unify(element.span, &row, &element.ty, Context::Element);
            checked.push(element);
        }
        let size = Size::Const(elements.len() as i64);
        exp(ExpNode::Array(checked), array(row, size), span)
    }

    /// `e :> t`: the sizes that `t` states are checked at run time. Anonymous sizes in `t` get the value's sizes. Where
    /// a constructor leaves out a payload, as in `#none :> opt ([]i64)`, an anonymous size in that payload is any size.
    fn coerce(&mut self, value: &ast::Exp, written: &ast::TypeExp, span: Span) -> Exp {
        let ty = self.type_exp(written).ty;
        let value = self.tail(Tail { exp: value, expected: Some(ty.clone()) });
        if matches!(self.unifier.head(&value.ty), Type::Param(id) if id.0 >= FLEXIBLE) {
            // If the value's type is still unknown, the coercion determines everything but the sizes.
            let span = written.span;
            let of_any_size = ty.map(&mut |_| None, &mut |_| self.unifier.fresh_size(span));
            self.unify(span, &of_any_size, &value.ty, Context::Ascription);
        }
        let joined = self.unifier.join(&ty, &value.ty, &mut |unifier, written, known| {
            match unifier.size(written) {
                Size::Var(id) if id.0 >= FLEXIBLE => unifier.unify_size(written, known)?,
                _ => {}
            }
            Ok(written.clone())
        });
        if let Err(mismatch) = joined {
            self.report(written.span, &ty, &value.ty, &mismatch, Context::Ascription);
        }
        self.unifier.resolve(&ty).each_size(&mut |size| self.unifier.make_existential(size));
        exp(ExpNode::Coerce(Box::new(value)), ty, span)
    }
}
