//! Lowering of ranges: `start..second..<end`, `start...end` and the like.
//!
//! A step of zero or away from the end is an error, and so is an end on the wrong side of the
//! start. An end that is equal to the start is allowed.

use ravel_core::{Atom, ErrorPart};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};
use ravel_types::tast::{Exp, Range, RangeKind};

use crate::cx::{Lowered, Lowering};
use crate::errors::text;
use crate::value::Env;

/// The numbers of a range as atoms: start, second if there is one, and end.
#[derive(Clone, Copy)]
struct Bounds {
    start: Atom,
    second: Option<Atom>,
    end: Atom,
    kind: RangeKind,
}

impl<'a> Lowering<'_, 'a> {
    /// The array of the numbers of a range.
    pub fn range(&mut self, range: &'a Range, env: &mut Env<'a>) -> Lowered<Atom> {
        let mut number = |number: &'a Exp| self.atom(number, env).map(|number| self.checked(number));
        let start = number(&range.start)?;
        let second = range.second.as_ref().map(&mut number).transpose()?;
        let end = number(&range.end)?;
        let range = Bounds { start, second, end, kind: range.kind };

        let falls = match second {
            Some(second) => self.check(CmpOp::Lt, second, start),
            None => Atom::bool(range.kind == RangeKind::Above),
        };
        let rises = match second {
            Some(second) => self.check(CmpOp::Lt, start, second),
            None => Atom::bool(range.kind != RangeKind::Above),
        };
        let valid = match range.kind {
            RangeKind::Below => self.is_ordered(rises, start, end),
            RangeKind::Above => self.is_ordered(falls, end, start),
            RangeKind::Inclusive => {
                let (up, down) = (self.is_ordered(rises, start, end), self.is_ordered(falls, end, start));
                self.connect(BinOp::Or, up, down)
            }
        };

        let ty = self.builder.type_of(start).elem;
        let step = match second {
            Some(second) => self.subtract(second, start),
            None => {
                let step = if range.kind == RangeKind::Above { -1 } else { 1 };
                Atom::Const(ravel_prim::convert(PrimValue::I64(step), ty))
            }
        };
        let (count, fits) = self.count(range, falls);
        let cond = self.connect(BinOp::And, valid, fits);
        let start = self.guard_extents(cond, vec![start], &[count], range.parts())[0];
        Ok(self.builder.iota(self.checked(count), start, step))
    }

    /// The condition that `direction` holds and `low <= high`. `direction` is the condition that a rising range rises, or
    /// that a falling range falls.
    fn is_ordered(&mut self, direction: Atom, low: Atom, high: Atom) -> Atom {
        if direction == Atom::bool(false) {
            return direction;
        }
        let ordered = match low {
            // A size is at least 0.
            Atom::Const(PrimValue::I64(0)) if self.is_natural(high) => Atom::bool(true),
            _ => self.check(CmpOp::Le, low, high),
        };
        self.connect(BinOp::And, direction, ordered)
    }

    /// The number of elements, and whether it fits an i64. For `0..<n` and `0..1..<n` it is `n` itself, so
    /// that the size keeps its name.
    fn count(&mut self, range: Bounds, falls: Atom) -> (Atom, Atom) {
        let inclusive = range.kind == RangeKind::Inclusive;
        let distance = self.distance(range.start, range.end, range.kind, falls);
        let Some(second) = range.second.filter(|_| !range.has_step_one()) else {
            if range.kind == RangeKind::Below && range.start == Atom::i64(0) {
                return (distance, Atom::bool(true));
            }
            let count =
                if inclusive { self.arithmetic(BinOp::Add, distance, Atom::i64(1)) } else { distance };
            return (count, self.have_not_overflowed(range, &[distance, count]));
        };
        // The step of an invalid range may be zero; its count is never used.
        let step = self.distance(range.start, second, range.kind, falls);
        let no_step = self.check(CmpOp::Eq, step, Atom::i64(0));
        let step = match no_step {
            Atom::Const(PrimValue::Bool(false)) => step,
            Atom::Const(_) => Atom::i64(1),
            Atom::Var(_) => self.choose(no_step, Atom::i64(1), step),
        };
        let last = if inclusive { distance } else { self.arithmetic(BinOp::Sub, distance, Atom::i64(1)) };
        let rounds = self.arithmetic(BinOp::Div, last, step);
        let count = self.arithmetic(BinOp::Add, rounds, Atom::i64(1));
        (count, self.have_not_overflowed(range, &[distance, step, count]))
    }

    /// Whether none of these distances and counts has overflowed. In a valid range, one that has overflowed is negative. In
    /// types narrower than i64, none can overflow.
    fn have_not_overflowed(&mut self, range: Bounds, numbers: &[Atom]) -> Atom {
        if self.builder.type_of(range.start).elem != PrimType::I64 {
            return Atom::bool(true);
        }
        let conds: Vec<Atom> = numbers.iter().map(|&number| self.not_negative(number)).collect();
        self.all(conds)
    }

    /// The distance from the start to the second number or the end, as an i64. It is not negative if the range is valid and
    /// nothing overflows.
    fn distance(&mut self, start: Atom, later: Atom, kind: RangeKind, falls: Atom) -> Atom {
        let [start, later] = [start, later].map(|number| self.i64_of(number));
        let distance = match (kind, falls) {
            (RangeKind::Below, _) | (_, Atom::Const(PrimValue::Bool(false))) => {
                self.arithmetic(BinOp::Sub, later, start)
            }
            (RangeKind::Above, _) | (_, Atom::Const(_)) => self.arithmetic(BinOp::Sub, start, later),
            (RangeKind::Inclusive, Atom::Var(_)) => {
                let down = self.arithmetic(BinOp::Sub, start, later);
                let up = self.arithmetic(BinOp::Sub, later, start);
                self.choose(falls, down, up)
            }
        };
        self.checked(distance)
    }

    /// The difference of two numbers, in their type.
    fn subtract(&mut self, a: Atom, b: Atom) -> Atom {
        let ty = self.builder.type_of(a).elem;
        match (a, b) {
            _ if ty == PrimType::I64 => self.arithmetic(BinOp::Sub, a, b),
            (_, Atom::Const(zero)) if zero == PrimValue::zero(ty) => a,
            (Atom::Const(x), Atom::Const(y)) => ravel_prim::binary(BinOp::Sub, x, y).map_or(a, Atom::Const),
            _ => self.builder.binary(BinOp::Sub, a, b),
        }
    }
}

impl Bounds {
    /// Whether the second number is known at compile time to be the first plus one.
    fn has_step_one(self) -> bool {
        match (self.start, self.second) {
            (Atom::Const(PrimValue::I64(start)), Some(Atom::Const(PrimValue::I64(second)))) => {
                start.checked_add(1) == Some(second)
            }
            _ => false,
        }
    }

    /// The message for a range that is not valid.
    fn parts(self) -> Vec<ErrorPart> {
        let mut parts = vec![text("Range "), ErrorPart::Value(self.start)];
        parts.extend(self.second.iter().flat_map(|&second| [text(".."), ErrorPart::Value(second)]));
        parts.push(text(match self.kind {
            RangeKind::Inclusive => "...",
            RangeKind::Below => "..<",
            RangeKind::Above => "..>",
        }));
        parts.extend([ErrorPart::Value(self.end), text(" is invalid.")]);
        parts
    }
}
