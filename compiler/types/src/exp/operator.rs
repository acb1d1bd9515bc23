//! The built-in operators. A file may redefine them like any other name.

use ravel_base::{Span, Symbol};
use ravel_prim::{BinOp, CmpOp, PrimType, UnOp};
use ravel_syntax::ast::{self, Literal, QualName};

use crate::checker::{Checker, exp};
use crate::class::Class;
use crate::exp::Tail;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Type};
use crate::unify::ERROR;

/// A built-in operator.
#[derive(Clone, Copy)]
enum Builtin {
    /// Both operands and the result have one type.
    Arithmetic(BinOp, Class),
    /// A comparison. If true, its operands are exchanged, as for `>`.
    Compare(CmpOp, bool),
    /// `==` if true, otherwise `!=`.
    Equal(bool),
    And,
    Or,
}

fn builtin(op: Symbol) -> Option<Builtin> {
    use Builtin::*;
    Some(match op.as_str() {
        "+" => Arithmetic(BinOp::Add, Class::NUMBER),
        "-" => Arithmetic(BinOp::Sub, Class::NUMBER),
        "*" => Arithmetic(BinOp::Mul, Class::NUMBER),
        "/" => Arithmetic(BinOp::Div, Class::NUMBER),
        "%" => Arithmetic(BinOp::Mod, Class::NUMBER),
        "**" => Arithmetic(BinOp::Pow, Class::NUMBER),
        "//" => Arithmetic(BinOp::Quot, Class::INTEGER),
        "%%" => Arithmetic(BinOp::Rem, Class::INTEGER),
        "&" => Arithmetic(BinOp::And, Class::INTEGER),
        "|" => Arithmetic(BinOp::Or, Class::INTEGER),
        "^" => Arithmetic(BinOp::Xor, Class::INTEGER),
        "<<" => Arithmetic(BinOp::Shl, Class::INTEGER),
        ">>" => Arithmetic(BinOp::Shr, Class::INTEGER),
        ">>>" => Arithmetic(BinOp::Lshr, Class::INTEGER),
        "<" => Compare(CmpOp::Lt, false),
        "<=" => Compare(CmpOp::Le, false),
        ">" => Compare(CmpOp::Lt, true),
        ">=" => Compare(CmpOp::Le, true),
        "==" => Equal(true),
        "!=" => Equal(false),
        "&&" => And,
        "||" => Or,
        _ => return None,
    })
}

impl Checker<'_> {
    /// Whether the name is a built-in operator.
    pub(crate) fn is_operator(&self, name: &QualName) -> bool {
        name.quals.is_empty() && (builtin(name.name).is_some() || name.name.as_str() == "!")
    }

    /// `left op right`, which is the expression `whole`.
    pub(crate) fn binary(
        &mut self,
        left: &ast::Exp,
        op: &QualName,
        right: &ast::Exp,
        Tail { exp: whole, expected }: Tail<'_>,
    ) -> Exp {
        if self.is_pipe(op, "|>") || self.is_pipe(op, "<|") {
            return self.application(whole, expected.as_ref());
        }
        let own = !op.quals.is_empty() || self.find_own(op.name).is_some();
        let Some(builtin) = builtin(op.name).filter(|_| !own) else {
            let function = self.name(op);
            if function.ty == ERROR {
                // The operator is unknown, so its operands cannot be checked.
                return self.broken(whole.span);
            }
            return self.apply(function, Some(op), &[left, right], expected.as_ref(), whole.span);
        };
        let context = Context::Operand(op.name);
        let boolean = Type::Prim(PrimType::Bool);
        if let Builtin::And | Builtin::Or = builtin {
            let left = Box::new(self.expect(left, &boolean, context));
            let right = Box::new(self.expect(right, &boolean, context));
            let both = matches!(builtin, Builtin::And);
            let node = if both { ExpNode::And(left, right) } else { ExpNode::Or(left, right) };
            return exp(node, boolean, whole.span);
        }
        let class = match builtin {
            Builtin::Arithmetic(_, class) => class,
            Builtin::Equal(_) => Class::EQUALITY,
            _ => Class::ORDERED,
        };
        let has_text = [left, right].iter().any(|operand| is_text(operand));
        let left = self.exp(left);
        let report = self.diagnostics.len();
        let fits = self.restrict(&left, class, context);
        if !fits && left.ty.has_function() {
            // The operator was probably meant as an argument; the right side is not an operand.
            return self.broken(whole.span);
        }
        let right = self.exp(right);
        let report = if fits { self.diagnostics.len() } else { report };
        if !fits || !self.unify(right.span, &left.ty, &right.ty, context) {
            if op.name.as_str() == "+" && has_text {
                self.diagnostics[report].help = Some("arrays, and so texts, are joined by `++`".to_owned());
            } else {
                self.advise_lifting(report, op.name, class, &[&left.ty, &right.ty]);
            }
            return self.broken(whole.span);
        }
        let ty = left.ty.clone();
        let (left, right) = (Box::new(left), Box::new(right));
        match builtin {
            Builtin::Arithmetic(op, _) => exp(ExpNode::Binary(op, left, right), ty, whole.span),
            Builtin::Compare(op, false) => exp(ExpNode::Compare(op, left, right), boolean, whole.span),
            Builtin::Compare(op, true) => exp(ExpNode::Compare(op, right, left), boolean, whole.span),
            Builtin::Equal(equal) => exp(ExpNode::Equal(equal, left, right), boolean, whole.span),
            Builtin::And => exp(ExpNode::And(left, right), boolean, whole.span),
            Builtin::Or => exp(ExpNode::Or(left, right), boolean, whole.span),
        }
    }

    /// `!x`.
    pub(crate) fn not(&mut self, operand: &ast::Exp, span: Span) -> Exp {
        self.unary(UnOp::Not, "!", operand, Class::LOGICAL, span)
    }

    /// An operator of one operand.
    pub(crate) fn unary(
        &mut self,
        op: UnOp,
        text: &str,
        operand: &ast::Exp,
        class: Class,
        span: Span,
    ) -> Exp {
        let operand = self.exp(operand);
        let (op_name, report) = (Symbol::new(text), self.diagnostics.len());
        if !self.restrict(&operand, class, Context::Operand(op_name)) {
            self.advise_lifting(report, op_name, class, &[&operand.ty]);
            return self.broken(span);
        }
        let ty = operand.ty.clone();
        exp(ExpNode::Unary(op, Box::new(operand)), ty, span)
    }

    /// Adds advice about arrays to the diagnostic at index `report`, which is about a wrong operand.
    fn advise_lifting(&mut self, report: usize, op: Symbol, class: Class, operands: &[&Type]) {
        if let Some(advice) = self.lifted_operator(op, class, operands) {
            self.diagnostics[report].help = Some(advice);
        }
    }
}

/// Whether the expression is a string literal.
fn is_text(exp: &ast::Exp) -> bool {
    matches!(exp.node, ast::ExpNode::Literal(Literal::String(_)))
}
