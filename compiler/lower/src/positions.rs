//! The positions of a slice: their number, and the check that all are in bounds.
//!
//! A slice `start:end:stride` has the positions `start`, `start + stride`, … below `end` (above it, if the stride is
//! negative). Without `start` it begins at the first index, and without `end` it ends at the size of the array. If the
//! stride is negative, these are the last index and -1. Let `distance` be `end - start` and `sign` the sign of the
//! stride. Then the number of positions is
//!
//! ```text
//! max 0 ((distance - sign) / stride + 1)        rounded down
//! ```
//!
//! A slice whose end is on the wrong side of its start has no positions. The language allows it, even outside the array,
//! if the end is at most `2 * (|stride| - 1)` away from the start. If it is further away, the check fails.
//!
//! Bounds and strides may be any i64, and arithmetic wraps. Nevertheless the count is right, or the check fails:
//!
//! - If there are positions and the first is in bounds, neither the distance nor any position up to the last one overflows.
//! - If there are none, `distance - sign` has the opposite sign of the stride, unless something overflowed. The check
//!   tests this sign.

use ravel_core::{Atom, ErrorPart};
use ravel_prim::{BinOp, CmpOp, PrimValue, UnOp};

use crate::cx::Lowering;
use crate::errors::{shape_parts, text};

/// The positions of a slice in one dimension, before they are checked.
pub(crate) struct Positions {
    pub start: Atom,
    pub count: Atom,
    pub stride: Atom,
    /// Whether they are in bounds.
    pub cond: Atom,
}

/// The bounds and the stride of a slice in one dimension, as the program states them.
#[derive(Clone, Copy)]
pub(crate) struct SliceBounds {
    pub start: Option<Atom>,
    pub end: Option<Atom>,
    pub stride: Option<Atom>,
}

/// A slice with all bounds, and the numbers computed from them.
struct Steps {
    start: Atom,
    end: Atom,
    /// The distance from the start to the end.
    distance: Atom,
    /// `distance - sign`: the distance from the start to `end - sign`, the last index that the slice may reach. If the
    /// slice has positions, it is 0 or has the sign of the stride; otherwise it has the opposite sign.
    reach: Atom,
    /// The number of positions after the first one, if there is one.
    rounds: Atom,
    /// The stride, moved towards zero by one.
    slack: Atom,
    stride: Atom,
}

impl Lowering<'_, '_> {
    /// The positions of a slice of an array of this size.
    pub fn positions(&mut self, size: Atom, bounds: SliceBounds) -> Positions {
        match bounds.stride.unwrap_or(Atom::i64(1)) {
            Atom::Const(PrimValue::I64(stride)) => self.constant_stride(size, bounds, stride),
            stride => self.computed_stride(size, bounds, stride),
        }
    }

    fn constant_stride(&mut self, size: Atom, bounds: SliceBounds, stride: i64) -> Positions {
        let (whole, zero) = (bounds.start.is_none() && bounds.end.is_none(), Atom::i64(0));
        let (start, end) = if stride < 0 {
            let last = bounds.start.unwrap_or_else(|| self.arithmetic(BinOp::Sub, size, Atom::i64(1)));
            (last, bounds.end.unwrap_or(Atom::i64(-1)))
        } else {
            (bounds.start.unwrap_or(zero), bounds.end.unwrap_or(size))
        };
        let (count, cond) = match stride {
            0 => (zero, Atom::bool(false)),
            1 | -1 if whole => (size, Atom::bool(true)),
            1 => {
                let count = self.arithmetic(BinOp::Sub, end, start);
                let ends_inside = self.check(CmpOp::Le, end, size);
                let forwards = [self.not_negative(start), self.check(CmpOp::Le, start, end)];
                let inside = self.all(forwards.into_iter().chain([ends_inside]));
                (count, self.none_or(count, inside))
            }
            -1 => {
                let count = self.arithmetic(BinOp::Sub, start, end);
                let inside = [
                    self.check(CmpOp::Le, Atom::i64(-1), end),
                    self.check(CmpOp::Le, end, start),
                    self.check(CmpOp::Lt, start, size),
                ];
                let inside = self.all(inside);
                (count, self.none_or(count, inside))
            }
            _ => {
                let steps = self.steps(start, end, Atom::i64(stride), Atom::i64(stride.signum()));
                self.count_and_bounds_check(size, &steps, whole, Atom::bool(stride < 0))
            }
        };
        Positions { start, count, stride: Atom::i64(stride), cond }
    }

    fn computed_stride(&mut self, size: Atom, bounds: SliceBounds, stride: Atom) -> Positions {
        let zero = Atom::i64(0);
        let nonzero = self.check(CmpOp::Ne, stride, zero);
        let mut parts = vec![text("Index [")];
        parts.extend(bounds.parts());
        parts.push(text("] out of bounds for array of shape "));
        parts.extend(shape_parts(&[size]));
        parts.push(text("."));
        let stride = self.guard(nonzero, vec![stride], parts)[0];

        let backwards = self.builder.compare(CmpOp::Lt, stride, zero);
        let last = self.arithmetic(BinOp::Sub, size, Atom::i64(1));
        let start = bounds.start.unwrap_or_else(|| self.choose(backwards, last, zero));
        let end = bounds.end.unwrap_or_else(|| self.choose(backwards, Atom::i64(-1), size));
        let sign = self.builder.unary(UnOp::Sgn, stride);
        let steps = self.steps(start, end, stride, sign);
        let whole = bounds.start.is_none() && bounds.end.is_none();
        let (count, cond) = self.count_and_bounds_check(size, &steps, whole, backwards);
        Positions { start, count, stride, cond }
    }

    fn steps(&mut self, start: Atom, end: Atom, stride: Atom, sign: Atom) -> Steps {
        let distance = self.arithmetic(BinOp::Sub, end, start);
        let reach = self.arithmetic(BinOp::Sub, distance, sign);
        let rounds = self.arithmetic(BinOp::Div, reach, stride);
        let slack = self.arithmetic(BinOp::Sub, stride, sign);
        Steps { start, end, distance, reach, rounds, slack, stride }
    }

    /// The number of positions, and whether they are in bounds. The positions of a whole array always are.
    fn count_and_bounds_check(
        &mut self,
        size: Atom,
        steps: &Steps,
        whole: bool,
        backwards: Atom,
    ) -> (Atom, Atom) {
        let count = self.arithmetic(BinOp::Add, steps.rounds, Atom::i64(1));
        if whole {
            return (count, Atom::bool(true));
        }
        let cond = match backwards {
            Atom::Const(PrimValue::Bool(true)) => self.backwards(size, steps),
            Atom::Const(_) => self.forwards(size, steps),
            Atom::Var(_) => {
                let (upwards, downwards) = (self.forwards(size, steps), self.backwards(size, steps));
                self.choose(backwards, downwards, upwards)
            }
        };
        (self.arithmetic(BinOp::Max, Atom::i64(0), count), cond)
    }

    /// For a positive stride: `0 <= start < end` and the last position is below `size`, or the slice is empty and its end
    /// is not too far before its start.
    fn forwards(&mut self, size: Atom, steps: &Steps) -> Atom {
        let Steps { start, end, .. } = *steps;
        let last = if self.is_same(end, size) {
            Atom::bool(true)
        } else {
            let last = self.arithmetic(BinOp::Mul, steps.rounds, steps.stride);
            let last = self.arithmetic(BinOp::Add, start, last);
            self.check(CmpOp::Lt, last, size)
        };
        let some = [self.not_negative(start), self.check(CmpOp::Lt, start, end), last];
        let some = self.all(some);
        let (distance, limit) = self.wrong_side(steps);
        let none = [
            self.check(CmpOp::Le, end, start),
            self.check(CmpOp::Lt, steps.reach, Atom::i64(0)),
            self.check(CmpOp::Le, limit, distance),
        ];
        let none = self.all(none);
        self.connect(BinOp::Or, none, some)
    }

    /// For a negative stride: `-1 <= end < start < size`, or the slice is empty and its end is not too far after its
    /// start.
    fn backwards(&mut self, size: Atom, steps: &Steps) -> Atom {
        let Steps { start, end, .. } = *steps;
        let some = [
            self.check(CmpOp::Le, Atom::i64(-1), end),
            self.check(CmpOp::Lt, end, start),
            self.check(CmpOp::Lt, start, size),
        ];
        let some = self.all(some);
        let (distance, limit) = self.wrong_side(steps);
        let none = [
            self.check(CmpOp::Le, start, end),
            self.check(CmpOp::Lt, Atom::i64(0), steps.reach),
            self.check(CmpOp::Le, distance, limit),
        ];
        let none = self.all(none);
        self.connect(BinOp::Or, none, some)
    }

    /// The two sides of the test that an empty slice does not end too far on the wrong side of its start: `distance` and
    /// its limit `-2 * slack`. The slack is added to both, so that neither overflows.
    fn wrong_side(&mut self, steps: &Steps) -> (Atom, Atom) {
        let distance = self.arithmetic(BinOp::Add, steps.distance, steps.slack);
        (distance, self.arithmetic(BinOp::Sub, Atom::i64(0), steps.slack))
    }

    /// Whether the slice has no positions or this condition holds.
    fn none_or(&mut self, count: Atom, some: Atom) -> Atom {
        let none = self.check(CmpOp::Eq, count, Atom::i64(0));
        self.connect(BinOp::Or, none, some)
    }
}

impl SliceBounds {
    /// The slice as in the source, for a message.
    pub fn parts(&self) -> Vec<ErrorPart> {
        let mut parts = Vec::new();
        parts.extend(self.start.map(ErrorPart::Value));
        parts.push(text(":"));
        parts.extend(self.end.map(ErrorPart::Value));
        if let Some(stride) = self.stride {
            parts.extend([text(":"), ErrorPart::Value(stride)]);
        }
        parts
    }
}
