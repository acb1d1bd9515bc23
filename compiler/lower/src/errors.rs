//! Run-time checks and their messages; diagnostics of lowering.
//!
//! The wording of messages is Futhark's where a Futhark program can fail in the same way.

use ravel_base::{Diagnostic, Limitation, Span};
use ravel_core::{Atom, ErrorMessage, ErrorPart, Exp};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

use crate::cx::Lowering;
use crate::value::{Closure, Value};

/// A program that lowering does not support.
pub(crate) fn limitation(limitation: Limitation, span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::limitation(limitation, Some(span)))
}

/// A bug of the compiler: the type checker guarantees that this does not happen.
pub(crate) fn bug(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    let mut diagnostic = Diagnostic::bug(message);
    diagnostic.span = Some(span);
    Box::new(diagnostic)
}

/// Literal text of a message.
pub(crate) fn text(text: &str) -> ErrorPart {
    ErrorPart::Text(text.to_owned())
}

/// The parts of a message that print a shape, such as `[2][3]`.
pub(crate) fn shape_parts(shape: &[Atom]) -> Vec<ErrorPart> {
    shape.iter().flat_map(|&size| [text("["), ErrorPart::Value(size), text("]")]).collect()
}

impl Lowering<'_, '_> {
    /// A bug of the compiler: a function in a place where the type checker allows only data.
    pub fn function_value(&self) -> Box<Diagnostic> {
        bug(self.span, "a function where only data can be")
    }

    /// A message with the current place. Constants become text.
    pub fn message(&self, parts: Vec<ErrorPart>) -> ErrorMessage {
        let mut merged: Vec<ErrorPart> = Vec::new();
        for part in parts {
            let part = match part {
                ErrorPart::Value(Atom::Const(value)) => ErrorPart::Text(plain(value)),
                part => part,
            };
            match (merged.last_mut(), part) {
                (Some(ErrorPart::Text(before)), ErrorPart::Text(text)) => before.push_str(&text),
                (_, part) => merged.push(part),
            }
        }
        ErrorMessage { parts: merged, path: Some(self.path()) }
    }

    /// The condition for a check of bounds or sizes. Inside `#[unsafe]`, it becomes one that compiled code assumes to
    /// hold.
    pub fn trusted_if_unsafe(&mut self, cond: Atom) -> Atom {
        if self.unsafely && cond != Atom::bool(true) { self.builder.trust(cond) } else { cond }
    }

    /// Checks the condition. Returns the values, which depend on the check.
    pub fn guard(&mut self, cond: Atom, values: Vec<Atom>, parts: Vec<ErrorPart>) -> Vec<Atom> {
        if cond == Atom::bool(true) {
            return values;
        }
        self.warn_of_check();
        let error = self.message(parts);
        let types = values.iter().map(|&value| self.builder.type_of(value)).collect();
        self.builder.bind_many(types, Exp::Assert { cond, values, error })
    }

    /// Checks a condition that implies that these numbers are sizes. Returns the values, which depend on the check.
    /// From here on, types use the results of the check as sizes ([`Lowering::checked`]), so that every use of a size
    /// depends on it.
    pub fn guard_extents(
        &mut self,
        cond: Atom,
        mut values: Vec<Atom>,
        numbers: &[Atom],
        parts: Vec<ErrorPart>,
    ) -> Vec<Atom> {
        let (count, mut unknown) = (values.len(), Vec::new());
        for number in numbers.iter().map(|&number| self.checked(number)) {
            if !self.is_natural(number) && !unknown.contains(&number) {
                unknown.push(number);
            }
        }
        values.extend(&unknown);
        let mut values = self.guard(cond, values, parts);
        for (number, size) in unknown.into_iter().zip(values.drain(count..)) {
            self.remember_checked(number, size);
        }
        values
    }

    /// Checks the condition. Returns the value, which depends on the check: its data pass through the check, and its
    /// functions repeat the check when they are called.
    pub fn guard_value<'a>(&mut self, cond: Atom, value: &Value<'a>, parts: Vec<ErrorPart>) -> Value<'a> {
        let leaves = value.data();
        let mut checked = self.guard(cond, leaves, parts.clone()).into_iter();
        value.with_leaves(&mut checked).map_closures(&|closure| {
            let mut checks = closure.checks.clone();
            checks.push((cond, parts.clone()));
            Closure { checks, ..closure.clone() }
        })
    }

    /// A comparison, evaluated at compile time if possible.
    pub fn check(&mut self, op: CmpOp, a: Atom, b: Atom) -> Atom {
        if self.is_same(a, b) && !self.builder.type_of(a).elem.is_float() {
            return Atom::bool(matches!(op, CmpOp::Eq | CmpOp::Le));
        }
        if let (Atom::Const(x), Atom::Const(y)) = (a, b)
            && let Some(result) = ravel_prim::compare(op, x, y)
        {
            return Atom::bool(result);
        }
        self.builder.compare(op, a, b)
    }

    /// The conjunction of conditions.
    pub fn all(&mut self, conds: impl IntoIterator<Item = Atom>) -> Atom {
        conds.into_iter().fold(Atom::bool(true), |all, cond| self.connect(BinOp::And, all, cond))
    }

    /// `a && b` or `a || b` of conditions that are computed already. The result depends on `a`, which may depend on a
    /// check, even if `b` alone determines the value.
    pub fn connect(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let (unit, zero) = (Atom::bool(op == BinOp::And), Atom::bool(op != BinOp::And));
        match (a, b) {
            _ if a == unit => b,
            _ if b == unit => a,
            _ if a == zero => zero,
            _ => self.builder.binary(op, a, b),
        }
    }

    /// `0 <= a`, computed even if `a` is known to be a size: code that uses this result need not depend on the check that
    /// made `a` a size.
    pub fn not_negative(&mut self, a: Atom) -> Atom {
        self.check(CmpOp::Le, Atom::i64(0), a)
    }

    /// `a` as an i64.
    pub fn i64_of(&mut self, a: Atom) -> Atom {
        match a {
            Atom::Const(value) => Atom::Const(ravel_prim::convert(value, PrimType::I64)),
            _ if self.builder.type_of(a).elem == PrimType::I64 => a,
            _ => self.builder.convert(PrimType::I64, a),
        }
    }
}

/// A value as messages print it, without its type.
fn plain(value: PrimValue) -> String {
    let shown = value.to_string();
    shown.strip_suffix(value.ty().name()).unwrap_or(&shown).to_owned()
}
