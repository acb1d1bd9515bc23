//! Prints expressions.

use super::Printer;
use super::ty::{ARROW, TERM};
use crate::ast::*;
use crate::token::{Operator, Token};

// The levels of the grammar, from loose to tight.

/// Forms that extend as far to the right as possible, and the operand of a type ascription.
pub(super) const OPEN: u8 = 0;
const RANGE: u8 = 1;
const QUOTED: u8 = 2;
const UPDATE: u8 = 3;
const PIPE_RIGHT: u8 = 4;
const PIPE_LEFT: u8 = 5;
const POWER: u8 = 13;
const PREFIX: u8 = 14;
const APPLY: u8 = 15;
const ATOM: u8 = 16;

fn operator_level(operator: &QualName) -> u8 {
    match (Operator { quals: Vec::new(), name: operator.name }).classify() {
        _ if !super::is_operator(operator.name.as_str()) => QUOTED,
        Token::PipeRight(_) => PIPE_RIGHT,
        Token::PipeLeft(_) => PIPE_LEFT,
        Token::Or(_) => 6,
        Token::And(_) => 7,
        Token::Bits(_) | Token::Hat | Token::Bar => 9,
        Token::Shift(_) => 10,
        Token::Add(_) | Token::Minus => 11,
        Token::Multiply(_) | Token::Star => 12,
        Token::Power(_) => POWER,
        _ => 8,
    }
}

fn level(exp: &Exp) -> u8 {
    use ExpNode::*;
    match &exp.node {
        Let { .. }
        | LetUpdate { .. }
        | LetFunction { .. }
        | If(..)
        | Loop { .. }
        | Match(..)
        | Lambda { .. }
        | Ascribe(..)
        | Coerce(..)
        | Assert(..)
        | Attributed(..) => OPEN,
        ExpNode::Range(_) => RANGE,
        Update(..) => UPDATE,
        Binary(_, operator, _) => operator_level(operator),
        Negate(_) | Not(_) => PREFIX,
        Apply(..) => APPLY,
        Constructor(_, args) if !args.is_empty() => APPLY,
        _ => ATOM,
    }
}

/// True for expressions that are printed on separate lines.
fn is_block(exp: &Exp) -> bool {
    use ExpNode::*;
    matches!(exp.node, Let { .. } | LetUpdate { .. } | LetFunction { .. } | Match(..))
}

/// True if the expression ends in a `match`, to which a `case` after it would belong.
fn ends_in_match(exp: &Exp) -> bool {
    use ExpNode::*;
    match &exp.node {
        Match(..) => true,
        Let { body, .. } | LetUpdate { body, .. } | LetFunction { body, .. } => ends_in_match(body),
        Loop { body, .. } | Lambda { body, .. } => ends_in_match(body),
        If(_, _, body) | Assert(_, body) | Attributed(_, body) => ends_in_match(body),
        _ => false,
    }
}

impl Printer {
    /// Prints an expression, in parentheses if its level is below `least`.
    pub(super) fn exp(&mut self, exp: &Exp, least: u8) {
        self.parens(level(exp) < least, |p| p.exp_node(&exp.node));
    }

    /// An expression after `=`, `then`, `do` and similar tokens.
    pub(super) fn body(&mut self, exp: &Exp) {
        if is_block(exp) {
            self.indented(|p| {
                p.line();
                p.exp(exp, OPEN);
            });
        } else {
            self.put(" ");
            self.exp(exp, OPEN);
        }
    }

    fn exp_node(&mut self, node: &ExpNode) {
        match node {
            ExpNode::Name(name) => {
                self.parens(super::is_operator(name.name.as_str()), |p| p.put(name.to_string()));
            }
            ExpNode::Literal(literal) => self.literal(literal),
            ExpNode::Tuple(parts) => self.list("(", parts, ")"),
            ExpNode::Array(elements) => self.list("[", elements, "]"),
            ExpNode::Record(fields) => {
                self.put("{");
                self.separated(fields, ", ", |p, (name, value)| {
                    p.put(name.node.as_str());
                    let short = matches!(&value.node,
                        ExpNode::Name(value) if value.quals.is_empty() && value.name == name.node);
                    if !short {
                        p.put(" = ");
                        p.exp(value, OPEN);
                    }
                });
                self.put("}");
            }
            ExpNode::Constructor(name, args) => {
                self.put(format!("#{name}"));
                for arg in args {
                    self.put(" ");
                    self.exp(arg, ATOM);
                }
            }
            ExpNode::Range(range) => self.range(range),
            ExpNode::Apply(function, arg) => {
                // Arguments after a constructor would become its own.
                let constructor = matches!(function.node, ExpNode::Constructor(..));
                self.parens(constructor, |p| p.exp(function, APPLY));
                self.put(" ");
                self.exp(arg, ATOM);
            }
            ExpNode::Binary(left, operator, right) => {
                let level = operator_level(operator);
                let (left_least, right_least) =
                    if level == PIPE_LEFT { (level + 1, level) } else { (level, level + 1) };
                self.exp(left, left_least);
                self.put(" ");
                self.operator(operator);
                self.put(" ");
                self.exp(right, right_least);
            }
            ExpNode::Negate(operand) => self.prefix("-", operand),
            ExpNode::Not(operand) => self.prefix("!", operand),
            ExpNode::Project(base, field) => {
                let number = field.node.as_str().starts_with(|c: char| c.is_ascii_digit());
                // In `x.y` the x may be a module; it is a value in `(x).y`.
                self.base(base, number);
                self.put(format!(".{}", field.node));
            }
            ExpNode::Index(array, slice) => {
                self.base(array, true);
                self.slice(slice);
            }
            ExpNode::Update(old, path, value) => {
                self.exp(old, UPDATE);
                self.put(" with ");
                match path.split_first() {
                    Some((Step::Field(first), rest)) => {
                        self.put(first.node.as_str());
                        self.path(rest);
                    }
                    _ => self.path(path),
                }
                self.put(" = ");
                self.exp(value, PIPE_RIGHT);
            }
            ExpNode::Let { .. } | ExpNode::LetUpdate { .. } | ExpNode::LetFunction { .. } => {
                self.binding(node)
            }
            ExpNode::If(condition, yes, no) => {
                self.put("if");
                self.body(condition);
                self.put(" then");
                self.body(yes);
                self.put(" else");
                self.body(no);
            }
            ExpNode::Loop { sizes, pattern, init, form, body } => {
                self.put("loop ");
                self.size_binders(sizes);
                self.pattern(pattern, false);
                if let Some(init) = init {
                    self.put(" =");
                    self.body(init);
                }
                self.loop_form(form);
                self.put(" do");
                self.body(body);
            }
            ExpNode::Match(subject, cases) => self.cases(subject, cases),
            ExpNode::Lambda { params, result, body } => {
                self.put("\\");
                self.separated(params, " ", |p, param| p.pattern(param, true));
                if let Some(result) = result {
                    self.put(": ");
                    self.ty(result, TERM);
                }
                self.put(" ->");
                self.body(body);
            }
            ExpNode::SectionRight(operator, operand) => {
                self.put("(");
                self.operator(operator);
                self.put(" ");
                self.exp(operand, OPEN);
                self.put(")");
            }
            ExpNode::SectionLeft(operand, operator) => {
                let level = operator_level(operator);
                self.put("(");
                self.exp(operand, if level == PIPE_LEFT { level + 1 } else { level });
                self.put(" ");
                self.operator(operator);
                self.put(")");
            }
            ExpNode::SectionPath(path) => {
                self.put(if let [Step::Part(_), ..] = path[..] { "(." } else { "(" });
                self.path(path);
                self.put(")");
            }
            ExpNode::Ascribe(exp, ty) => {
                self.exp(exp, RANGE);
                self.put(" : ");
                self.ty(ty, ARROW);
            }
            ExpNode::Coerce(exp, ty) => {
                self.exp(exp, RANGE);
                self.put(" :> ");
                self.ty(ty, ARROW);
            }
            ExpNode::Assert(condition, exp) => {
                self.put("assert ");
                self.exp(condition, ATOM);
                self.put(" ");
                self.exp(exp, OPEN);
            }
            ExpNode::Attributed(attribute, exp) => {
                self.attribute_brackets(attribute);
                self.put(" ");
                self.exp(exp, OPEN);
            }
            ExpNode::OpenIn(module, exp) => {
                self.put(format!("{module}.("));
                self.exp(exp, OPEN);
                self.put(")");
            }
            ExpNode::Hole => self.put("???"),
        }
    }

    fn list(&mut self, open: &str, exps: &[Exp], close: &str) {
        self.put(open);
        self.separated(exps, ", ", |p, exp| p.exp(exp, OPEN));
        self.put(close);
    }

    fn operator(&mut self, operator: &QualName) {
        match super::is_operator(operator.name.as_str()) {
            true => self.put(operator.to_string()),
            false => self.put(format!("`{operator}`")),
        }
    }

    fn prefix(&mut self, operator: &str, operand: &Exp) {
        // Two signs in a row would be one operator, or a comment.
        let sign = matches!(operand.node, ExpNode::Negate(_) | ExpNode::Not(_));
        self.put(operator);
        self.exp(operand, if sign { ATOM } else { PREFIX });
    }

    /// Prints the operand of a field access or an index.
    fn base(&mut self, base: &Exp, name: bool) {
        use ExpNode::*;
        let plain = match &base.node {
            Name(_) => name,
            Project(..) | Index(..) | OpenIn(..) | Tuple(_) | Array(_) => true,
            SectionPath(_) | SectionLeft(..) | SectionRight(..) => true,
            _ => false,
        };
        self.parens(!plain, |p| p.exp(base, OPEN));
    }

    fn range(&mut self, range: &Range) {
        self.exp(&range.start, QUOTED);
        if let Some(second) = &range.second {
            self.put("..");
            self.exp(second, QUOTED);
        }
        let (dots, end) = match &range.end {
            RangeEnd::Inclusive(end) => ("...", end),
            RangeEnd::Below(end) => ("..<", end),
            RangeEnd::Above(end) => ("..>", end),
        };
        self.put(dots);
        self.exp(end, QUOTED);
    }

    fn path(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Part(dims) => self.slice(dims),
                Step::Field(field) => self.put(format!(".{}", field.node)),
            }
        }
    }

    fn slice(&mut self, dims: &[SliceDim]) {
        self.put("[");
        self.separated(dims, ", ", |p, dim| match dim {
            SliceDim::Fix(index) => p.exp(index, RANGE),
            SliceDim::Range { start, end, stride, .. } => {
                if let Some(start) = start {
                    p.exp(start, RANGE);
                }
                p.put(":");
                if let Some(end) = end {
                    p.exp(end, RANGE);
                }
                if let Some(stride) = stride {
                    p.put(":");
                    p.exp(stride, RANGE);
                }
            }
        });
        self.put("]");
    }

    fn size_binders(&mut self, sizes: &[Name]) {
        for size in sizes {
            self.put(format!("[{}] ", size.node));
        }
    }

    fn loop_form(&mut self, form: &LoopForm) {
        match form {
            LoopForm::For(name, bound) => {
                self.put(format!(" for {} < ", name.node));
                self.exp(bound, OPEN);
            }
            LoopForm::ForIn(pattern, array) => {
                self.put(" for ");
                self.pattern(pattern, false);
                self.put(" in ");
                self.exp(array, OPEN);
            }
            LoopForm::While(condition) => {
                self.put(" while ");
                self.exp(condition, OPEN);
            }
        }
    }

    /// Prints a `let` of any form and its body.
    fn binding(&mut self, node: &ExpNode) {
        self.put("let ");
        let (value, body) = match node {
            ExpNode::Let { sizes, pattern, value, body } => {
                self.size_binders(sizes);
                self.pattern(pattern, false);
                (value, body)
            }
            ExpNode::LetUpdate { name, path, value, body } => {
                self.put(name.node.as_str());
                self.path(path);
                (value, body)
            }
            ExpNode::LetFunction { name, type_params, params, result, value, body } => {
                self.put(name.node.as_str());
                self.signature(type_params, params, result.as_deref());
                (value, body)
            }
            other => unreachable!("not a `let`: {other:?}"),
        };
        self.put(" =");
        self.body(value);
        self.line();
        match &body.node {
            ExpNode::Let { .. } | ExpNode::LetUpdate { .. } | ExpNode::LetFunction { .. } => {
                self.binding(&body.node)
            }
            _ => {
                self.put("in");
                self.body(body);
            }
        }
    }

    fn cases(&mut self, subject: &Exp, cases: &[(Pattern, Exp)]) {
        self.put("match ");
        self.parens(ends_in_match(subject), |p| p.exp(subject, OPEN));
        for (index, (pattern, body)) in cases.iter().enumerate() {
            self.line();
            self.put("case ");
            let typed = matches!(pattern.node, PatternNode::Ascribed(..) | PatternNode::Attributed(..));
            self.pattern(pattern, typed);
            self.put(" ->");
            if index + 1 < cases.len() && ends_in_match(body) {
                self.put(" (");
                self.exp(body, OPEN);
                self.put(")");
            } else {
                self.body(body);
            }
        }
    }
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// The text with escapes where a literal needs them.
pub(super) fn escaped(text: &str) -> String {
    let mut result = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => result.push_str("\\\\"),
            '"' => result.push_str("\\\""),
            '\'' => result.push_str("\\'"),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            c if c.is_control() => {
                result.push_str(&format!("\\{}", u32::from(c)));
                // A digit after a code point would belong to it.
                if chars.peek().is_some_and(char::is_ascii_digit) {
                    result.push_str("\\&");
                }
            }
            c => result.push(c),
        }
    }
    result
}
