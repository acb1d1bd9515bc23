//! Syntactic sugar: sections, operators used as functions, and updates of nested parts.
//!
//! Generated names contain a space, so no name in a program can equal them.

use ravel_base::{Span, Symbol};
use ravel_syntax::ast::{Exp, ExpNode, Pattern, PatternNode, QualName, Step};

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

/// The prelude as a module.
pub(crate) const PRELUDE: &str = "the prelude";

/// Whether the name was generated here.
pub(crate) fn is_generated(name: Symbol) -> bool {
    name.as_str().contains(' ')
}

/// Whether the name stands for a section's operand.
pub(crate) fn is_operand(name: Symbol) -> bool {
    [LEFT, RIGHT].contains(&name.as_str())
}

const WHOLE: &str = "whole value";
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

/// `(.a[i])` is `\x -> x.a[i]`.
pub(crate) fn section_path(path: &[Step], span: Span) -> Exp {
    lambda(&[LEFT], path.iter().fold(name(LEFT, span), |value, step| part(value, step, span)), span)
}

/// `x.a`, `x[i]`.
fn part(value: Exp, step: &Step, span: Span) -> Exp {
    match step {
        Step::Field(field) => {
            Exp { node: ExpNode::Project(Box::new(value), field.clone()), span: field.span }
        }
        Step::Part(dims) => Exp { node: ExpNode::Index(Box::new(value), dims.clone()), span },
    }
}

/// Whether the path has several steps and one of them is an index.
pub(crate) fn is_mixed(path: &[Step]) -> bool {
    path.len() > 1 && path.iter().any(|step| matches!(step, Step::Part(_)))
}

/// `x with a[i].b = e` is `let y = x in y with a = (let z = copy y.a[i] in y.a with [i] = (z with b = e))`.
pub(crate) fn update(value: &Exp, path: &[Step], new: &Exp, span: Span) -> Exp {
    let_in(WHOLE, value, updated(name(WHOLE, span), path, new, 0, span), span)
}

/// The value, which is a name or a field, with the part at a path replaced.
fn updated(value: Exp, path: &[Step], new: &Exp, depth: usize, span: Span) -> Exp {
    let with = |value: Exp, path: &[Step], new: Exp| Exp {
        node: ExpNode::Update(Box::new(value), path.to_vec(), Box::new(new)),
        span,
    };
    let fields = path.iter().take_while(|step| matches!(step, Step::Field(_))).count();
    match path {
        _ if !is_mixed(path) => with(value, path, new.clone()),
        _ if fields > 0 => {
            let (fields, rest) = path.split_at(fields);
            let inner = fields.iter().fold(value.clone(), |value, step| part(value, step, span));
            with(value, fields, updated(inner, rest, new, depth, span))
        }
        [first, rest @ ..] => {
            let element = format!("element {depth}");
            let copied = applied(prelude("copy", span), part(value.clone(), first, span), span);
            let inner = updated(name(&element, span), rest, new, depth + 1, span);
            let_in(&element, &copied, with(value, std::slice::from_ref(first), inner), span)
        }
        [] => new.clone(),
    }
}

/// A name with the prelude's meaning.
fn prelude(text: &str, span: Span) -> Exp {
    let name = QualName { quals: vec![Symbol::new(PRELUDE)], name: Symbol::new(text), span };
    Exp { node: ExpNode::Name(name), span }
}

/// Whether evaluating it again costs nothing.
fn is_simple(exp: &Exp) -> bool {
    matches!(exp.node, ExpNode::Name(_) | ExpNode::Literal(_))
}

/// The kind of the first part of a pattern that cannot be read as an expression.
pub(crate) fn no_value(pattern: &Pattern) -> &'static str {
    match &pattern.node {
        PatternNode::Name(_) | PatternNode::Wildcard => "wildcard",
        PatternNode::Literal(_) => "literal",
        PatternNode::Constructor(..) => "constructor",
        PatternNode::Tuple(parts) => first_without_value(parts.iter()),
        PatternNode::Record(fields) => first_without_value(fields.iter().map(|(_, part)| part)),
        PatternNode::Ascribed(inner, _) | PatternNode::Attributed(_, inner) => no_value(inner),
    }
}

fn first_without_value<'p>(mut parts: impl Iterator<Item = &'p Pattern>) -> &'static str {
    parts.find(|part| pattern_value(part).is_none()).map_or("wildcard", no_value)
}

/// A loop's pattern read as an expression, in which its names have their outer meaning.
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
