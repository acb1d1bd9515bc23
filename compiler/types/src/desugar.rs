//! Constructs that are short for others: sections and operators used as functions are lambdas.
//!
//! The names made up here contain a space, so that no written name means them.

use ravel_base::{Span, Symbol};
use ravel_syntax::ast::{Exp, ExpNode, Name, Pattern, PatternNode, QualName, SliceDim};

pub(crate) fn name(text: &str, span: Span) -> Exp {
    let name = QualName { quals: Vec::new(), name: Symbol::new(text), span };
    Exp { node: ExpNode::Name(name), span }
}

pub(crate) fn pattern(text: &str, span: Span) -> Pattern {
    Pattern { node: PatternNode::Name(Symbol::new(text)), span }
}

fn lambda(params: &[&str], body: Exp, span: Span) -> Exp {
    let params = params.iter().map(|param| pattern(param, span)).collect();
    Exp { node: ExpNode::Lambda { params, result: None, body: Box::new(body) }, span }
}

pub(crate) fn binary(left: Exp, op: &QualName, right: Exp, span: Span) -> Exp {
    Exp { node: ExpNode::Binary(Box::new(left), op.clone(), Box::new(right)), span }
}

pub(crate) fn applied(function: Exp, argument: Exp, span: Span) -> Exp {
    Exp { node: ExpNode::Apply(Box::new(function), Box::new(argument)), span }
}

fn let_in(text: &str, value: &Exp, body: Exp, span: Span) -> Exp {
    let (pattern, value) = (Box::new(pattern(text, span)), Box::new(value.clone()));
    Exp { node: ExpNode::Let { sizes: Vec::new(), pattern, value, body: Box::new(body) }, span }
}

const LEFT: &str = "left operand";
const RIGHT: &str = "right operand";

/// `(+)` is `\x y -> x + y`, and `(!)` is `\x -> !x`.
pub(crate) fn operator(op: &QualName) -> Exp {
    let span = op.span;
    if op.name.as_str() == "!" {
        let body = Exp { node: ExpNode::Not(Box::new(name(RIGHT, span))), span };
        return lambda(&[RIGHT], body, span);
    }
    lambda(&[LEFT, RIGHT], binary(name(LEFT, span), op, name(RIGHT, span), span), span)
}

/// `(+ e)` is `let y = e in \x -> x + y`.
pub(crate) fn section_right(op: &QualName, operand: &Exp, span: Span) -> Exp {
    if is_simple(operand) {
        return lambda(&[LEFT], binary(name(LEFT, span), op, operand.clone(), span), span);
    }
    let body = lambda(&[LEFT], binary(name(LEFT, span), op, name(RIGHT, span), span), span);
    let_in(RIGHT, operand, body, span)
}

/// `(e +)` is `let x = e in \y -> x + y`.
pub(crate) fn section_left(operand: &Exp, op: &QualName, span: Span) -> Exp {
    if is_simple(operand) {
        return lambda(&[RIGHT], binary(operand.clone(), op, name(RIGHT, span), span), span);
    }
    let body = lambda(&[RIGHT], binary(name(LEFT, span), op, name(RIGHT, span), span), span);
    let_in(LEFT, operand, body, span)
}

/// `(.a.b)` is `\x -> x.a.b`.
pub(crate) fn section_project(fields: &[Name], span: Span) -> Exp {
    let whole = name(LEFT, span);
    let body = fields.iter().fold(whole, |value, field| Exp {
        node: ExpNode::Project(Box::new(value), field.clone()),
        span: field.span,
    });
    lambda(&[LEFT], body, span)
}

/// `(.[i])` is `\x -> x[i]`.
pub(crate) fn section_index(dims: &[SliceDim], span: Span) -> Exp {
    let body = Exp { node: ExpNode::Index(Box::new(name(LEFT, span)), dims.to_vec()), span };
    lambda(&[LEFT], body, span)
}

/// Can it be evaluated again for nothing?
fn is_simple(exp: &Exp) -> bool {
    matches!(exp.node, ExpNode::Name(_) | ExpNode::Literal(_))
}

/// A loop's pattern read as an expression: its names as they stood before.
pub(crate) fn pattern_value(pattern: &Pattern) -> Option<Exp> {
    let span = pattern.span;
    match &pattern.node {
        PatternNode::Name(bound) => Some(name(bound.as_str(), span)),
        PatternNode::Tuple(parts) => {
            let parts = parts.iter().map(pattern_value).collect::<Option<Vec<_>>>()?;
            Some(Exp { node: ExpNode::Tuple(parts), span })
        }
        PatternNode::Record(fields) => {
            let fields = fields.iter().map(|(name, part)| Some((name.clone(), pattern_value(part)?)));
            Some(Exp { node: ExpNode::Record(fields.collect::<Option<_>>()?), span })
        }
        PatternNode::Ascribed(inner, _) | PatternNode::Attributed(_, inner) => pattern_value(inner),
        _ => None,
    }
}
