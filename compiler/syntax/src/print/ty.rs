//! Prints types and patterns.

use super::Printer;
use crate::ast::*;

/// Anything; the body of `->` and `?[n].`.
pub(super) const ARROW: u8 = 0;
/// No arrow: `*t`, sums.
pub(super) const TERM: u8 = 1;
/// Arrays and applied names.
pub(super) const APPLIED: u8 = 2;
/// Names and brackets.
pub(super) const ATOM: u8 = 3;

fn level(ty: &TypeExp) -> u8 {
    match &ty.node {
        TypeExpNode::Function(..) | TypeExpNode::Exists(..) => ARROW,
        TypeExpNode::Unique(_) | TypeExpNode::Sum(_) => TERM,
        TypeExpNode::Array(..) => APPLIED,
        TypeExpNode::Name(_, args) if !args.is_empty() => APPLIED,
        TypeExpNode::Name(..) | TypeExpNode::Tuple(_) | TypeExpNode::Record(_) => ATOM,
    }
}

impl Printer {
    /// Prints a type, in parentheses if its level is below `least`.
    pub(super) fn ty(&mut self, ty: &TypeExp, least: u8) {
        self.parens(level(ty) < least, |p| p.type_node(&ty.node));
    }

    fn type_node(&mut self, node: &TypeExpNode) {
        match node {
            TypeExpNode::Name(name, args) => {
                self.put(name.to_string());
                for arg in args {
                    self.put(" ");
                    match arg {
                        TypeArg::Size(size) => self.size(size),
                        TypeArg::Type(ty) => self.ty(ty, ATOM),
                    }
                }
            }
            TypeExpNode::Array(size, element) => {
                self.size(size);
                self.ty(element, APPLIED);
            }
            TypeExpNode::Tuple(parts) => {
                self.put("(");
                self.separated(parts, ", ", |p, part| p.ty(part, ARROW));
                self.put(")");
            }
            TypeExpNode::Record(fields) => {
                self.put("{");
                self.separated(fields, ", ", |p, (name, ty)| {
                    p.put(format!("{}: ", name.node));
                    p.ty(ty, ARROW);
                });
                self.put("}");
            }
            TypeExpNode::Sum(clauses) => self.separated(clauses, " | ", |p, (name, payload)| {
                p.put(format!("#{}", name.node));
                for ty in payload {
                    p.put(" ");
                    p.ty(ty, ATOM);
                }
            }),
            TypeExpNode::Function(name, from, to) => {
                match name {
                    Some(name) => {
                        self.put(format!("({}: ", name.node));
                        self.ty(from, ARROW);
                        self.put(")");
                    }
                    None => self.ty(from, TERM),
                }
                self.put(" -> ");
                self.ty(to, ARROW);
            }
            TypeExpNode::Unique(inner) => {
                // Two stars would be one operator.
                let least = if matches!(inner.node, TypeExpNode::Unique(_)) { ATOM } else { TERM };
                self.put("*");
                self.ty(inner, least);
            }
            TypeExpNode::Exists(sizes, body) => {
                self.put("?");
                self.separated(sizes, "", |p, size| p.put(format!("[{}]", size.node)));
                self.put(".");
                self.ty(body, ARROW);
            }
        }
    }

    fn size(&mut self, size: &SizeExp) {
        self.put("[");
        if let SizeExp::Exp(size) = size {
            self.exp(size, super::exp::OPEN);
        }
        self.put("]");
    }

    /// Prints a pattern. With `atom`, it gets parentheses if it needs them as a parameter.
    pub(super) fn pattern(&mut self, pattern: &Pattern, atom: bool) {
        let compound = match &pattern.node {
            PatternNode::Ascribed(..) | PatternNode::Attributed(..) => true,
            PatternNode::Constructor(_, payload) => !payload.is_empty(),
            PatternNode::Literal(Literal::Integer(value, _)) => *value < 0,
            PatternNode::Literal(Literal::Float(digits, _)) => digits.starts_with('-'),
            _ => false,
        };
        self.parens(atom && compound, |p| p.pattern_node(&pattern.node));
    }

    fn pattern_node(&mut self, node: &PatternNode) {
        match node {
            PatternNode::Name(name) => self.binder(name.as_str()),
            PatternNode::Wildcard => self.put("_"),
            PatternNode::Tuple(parts) => {
                self.put("(");
                self.separated(parts, ", ", |p, part| p.pattern(part, false));
                self.put(")");
            }
            PatternNode::Record(fields) => {
                self.put("{");
                self.separated(fields, ", ", |p, (name, pattern)| {
                    let bare = match &pattern.node {
                        PatternNode::Ascribed(inner, _) => &inner.node,
                        node => node,
                    };
                    if *bare != PatternNode::Name(name.node) {
                        p.put(format!("{} = ", name.node));
                    }
                    p.pattern(pattern, false);
                });
                self.put("}");
            }
            PatternNode::Constructor(name, payload) => {
                self.put(format!("#{name}"));
                for pattern in payload {
                    self.put(" ");
                    self.pattern(pattern, true);
                }
            }
            PatternNode::Literal(literal) => self.literal(literal),
            PatternNode::Ascribed(inner, ty) => {
                let atom = matches!(inner.node, PatternNode::Ascribed(..) | PatternNode::Attributed(..));
                self.pattern(inner, atom);
                self.put(": ");
                self.ty(ty, ARROW);
            }
            PatternNode::Attributed(attribute, inner) => {
                self.attribute_brackets(attribute);
                self.put(" ");
                self.pattern(inner, false);
            }
        }
    }

    /// Prints a literal. Negative literals occur only in patterns.
    pub(super) fn literal(&mut self, literal: &Literal) {
        let suffix = |ty: &Option<_>| ty.map_or("", ravel_prim::PrimType::name);
        match literal {
            Literal::Integer(value, ty) => self.put(format!("{value}{}", suffix(ty))),
            Literal::Float(digits, ty) => self.put(format!("{digits}{}", suffix(ty))),
            Literal::Bool(value) => self.put(value.to_string()),
            Literal::Char(c) => {
                let text = super::exp::escaped(&c.to_string());
                self.put(format!("'{text}'"));
            }
            Literal::String(text) => self.put(super::exp::quoted(text)),
        }
    }
}
