//! Advice for types that do not match: common mistakes of newcomers, and their corrections.

use ravel_base::Span;
use ravel_prim::PrimType;
use ravel_syntax::ast::{self, ExpNode as Ast};
use ravel_syntax::foreign;

use crate::checker::Checker;
use crate::class::Class;
use crate::report::Context;
use crate::show::signature;
use crate::tast::Type;
use crate::unify::Mismatch;

const STILL_A_FUNCTION: &str = "an argument is missing: this is still a function";

impl Checker<'_> {
    /// Advice on two types that do not match.
    pub(crate) fn advice(
        &self,
        expected: &Type,
        actual: &Type,
        mismatch: &Mismatch,
        context: Context,
        span: Span,
    ) -> Option<String> {
        let (expected, actual) = (self.unifier.resolve(expected), self.unifier.resolve(actual));
        let params = |ty: &Type| signature(ty).0.len();
        if params(&actual) > 0 && params(&expected) == 0 && !matches!(expected, Type::Param(_)) {
            // The name may mean something else in other languages, as `and` does.
            let foreign = foreign::advice_for(self.quote(span).as_str());
            return Some(foreign.unwrap_or(STILL_A_FUNCTION).to_owned());
        }
        let open = |ty: &Type| match ty {
            Type::Param(id) => self.unifier.constraints(*id).map(|constraints| constraints.class),
            _ => None,
        };
        match (&expected, &actual, mismatch) {
            (Type::Prim(PrimType::Bool), Type::Prim(_), _) if matches!(context, Context::Condition) => {
                Some("a condition is a comparison, such as `x != 0`".to_owned())
            }
            (Type::Prim(PrimType::Bool), other, _) => match context {
                Context::Operand(op) if matches!(op.as_str(), "<" | "<=" | ">" | ">=") => {
                    Some("a comparison has two operands: `a < b && b < c`".to_owned())
                }
                Context::Operand(op) if self.is_integer(other) => {
                    let bits = if op.as_str() == "&&" { "&" } else { "|" };
                    Some(format!("a condition is a comparison, such as `x != 0`; `{bits}` combines bits"))
                }
                _ => None,
            },
            (Type::Prim(a), Type::Prim(b), Mismatch::Types(..)) => convert(*a, *b, context),
            (Type::Prim(_), Type::Array(..), Mismatch::Types(..)) if element(&actual) == element(&expected) => {
                Some("this is an array of such values: index it, combine them with `reduce`, or write `[]` in the type".to_owned())
            }
            (Type::Array(..), Type::Prim(_), Mismatch::Types(..)) if element(&actual) == element(&expected) => {
                Some("this is one value: an array of it is written `[x]` or `replicate n x`".to_owned())
            }
            (Type::Prim(a), other, _) if open(other) == Some(Class::FLOAT) && is_integer(*a) => {
                Some(match context {
                    Context::Operand(_) => format!("convert the other operand with `f64.{a}`"),
                    _ => format!("write it without a fraction, or convert it with `{a}.f64`"),
                })
            }
            (other, Type::Prim(b), _) if open(other) == Some(Class::FLOAT) && is_integer(*b) => {
                Some(format!("convert it with `f64.{b}`"))
            }
            _ => {
                let (Type::Array(..), Type::Array(..)) = (&expected, &actual) else { return None };
                let (wanted, given) = (element(&expected)?, element(&actual)?);
                let both_flat = [&expected, &actual].iter().all(|ty| is_flat(ty));
                (wanted != given && ![wanted, given].contains(&PrimType::Bool)).then(|| match both_flat {
                    true => format!("convert its elements with `map {wanted}.{given}`"),
                    false => format!("convert its elements with `{wanted}.{given}`"),
                })
            }
        }
    }

    /// Advice for an operand that the operator cannot have.
    pub(crate) fn operand_advice(&self, op: &str, ty: &Type) -> Option<&'static str> {
        let ty = self.unifier.resolve(ty);
        match (op, &ty) {
            ("-", Type::Function(_)) => Some("write a negative argument in parentheses: `f (-1)`"),
            (_, Type::Function(function)) if matches!(function.from, Type::Function(_)) => {
                Some("write an operator as an argument in parentheses: `(+)`, `(+ 1)`")
            }
            ("==" | "!=", Type::Function(_)) => Some("functions cannot be compared: compare their results"),
            (_, Type::Function(_)) => Some(STILL_A_FUNCTION),
            ("==" | "!=", ty) if ty.has_function() => {
                Some("functions cannot be compared: compare the other parts")
            }
            ("^", Type::Prim(prim)) if prim.is_float() => Some("a power is written `x ** y`"),
            ("&" | "|" | "^", Type::Prim(PrimType::Bool)) => {
                Some("truth values are combined by `&&`, `||` and `!=`")
            }
            _ => None,
        }
    }

    /// Whether the type is an integer, or the open type of a number without a fraction.
    fn is_integer(&self, ty: &Type) -> bool {
        match ty {
            Type::Prim(prim) => is_integer(*prim),
            Type::Param(id) => {
                self.unifier.constraints(*id).is_some_and(|open| open.class.has(PrimType::I32))
            }
            _ => false,
        }
    }

    /// Whether both types are, as far as they are known, primitive types that may be equal, or the same kind of other
    /// type: both functions, both arrays, and so on.
    pub(crate) fn are_of_one_kind(&self, actual: &Type, wanted: &Type) -> bool {
        let number = |ty: &Type| match ty {
            Type::Param(id) => self
                .unifier
                .constraints(*id)
                .map(|constraints| constraints.class)
                .filter(|class| !class.has_data()),
            _ => None,
        };
        match (actual, wanted) {
            (Type::Prim(actual), Type::Prim(wanted)) => actual == wanted,
            (&Type::Prim(prim), open) | (open, &Type::Prim(prim)) if number(open).is_some() => {
                number(open).is_some_and(|class| class.has(prim))
            }
            (Type::Param(_), Type::Param(_)) => {
                number(actual).zip(number(wanted)).is_some_and(|(a, b)| a.meet(b).is_some())
            }
            (Type::Param(_), _) | (_, Type::Param(_)) => false,
            _ => std::mem::discriminant(actual) == std::mem::discriminant(wanted),
        }
    }
}

/// The primitive type of the scalars in an array, if they have one.
fn element(ty: &Type) -> Option<PrimType> {
    match ty {
        Type::Array(row, _) => element(row),
        Type::Prim(prim) => Some(*prim),
        _ => None,
    }
}

/// Whether the type is an array of one dimension.
fn is_flat(ty: &Type) -> bool {
    matches!(ty, Type::Array(row, _) if !matches!(**row, Type::Array(..)))
}

/// Advice to convert a number to another type.
fn convert(expected: PrimType, actual: PrimType, context: Context) -> Option<String> {
    if [expected, actual].contains(&PrimType::Bool) {
        return None;
    }
    Some(match context {
        Context::Operand(_) => {
            format!("convert one of them, with `{expected}.{actual}` or `{actual}.{expected}`")
        }
        _ => format!("convert it with `{expected}.{actual}`"),
    })
}

fn is_integer(prim: PrimType) -> bool {
    !prim.is_float() && prim != PrimType::Bool
}

/// Advice that follows from the syntax of the wrong argument and the expected type.
pub(crate) fn argument_advice(expected: &Type, argument: &ast::Exp) -> Option<String> {
    match &argument.node {
        Ast::Tuple(parts) if parts.len() > 1 && !matches!(expected, Type::Tuple(_)) => {
            Some("arguments follow the function one by one, as in `f x y`".to_owned())
        }
        Ast::Lambda { params, .. } => match (signature(expected).0.len(), params.as_slice()) {
            (2, [_]) => Some("a function of two arguments is written `\\x y -> …`".to_owned()),
            (1, [_, _]) => Some("a function of one pair is written `\\(x, y) -> …`".to_owned()),
            _ => None,
        },
        _ => None,
    }
}
