//! The positions of a slice: how many there are, and whether all are in bounds.
//!
//! A slice `start:end:stride` has the positions `start`, `start + stride`, … before `end` (behind
//! it, if the stride is negative); what is left out means all there is in that direction. With the
//! distance `end - start` and the sign of the stride there are
//!
//! ```text
//! max 0 ((distance - sign) / stride + 1)        rounded down
//! ```
//!
//! of them. An empty slice is in bounds wherever it lies, but its end is not far on the wrong side of
//! its start: by at most `2 * (stride - sign)`.
//!
//! Numbers of programs are any, and arithmetic wraps around. The count is what it says nevertheless, or
//! the slice is out of bounds: where there are positions, and the first is in bounds, the distance and
//! all on the way to the last position lie between the bounds of i64; and where the end is not ahead, something has
//! wrapped around if the sign of `distance - sign` says otherwise.

use ravel_core::{Atom, ErrorPart};
use ravel_prim::{BinOp, CmpOp, PrimValue, UnOp};

use crate::cx::Lowering;
use crate::errors::{shape_parts, text};

/// The positions of a slice in one dimension, before they are checked.
pub(crate) struct Positions {
    pub start: Atom,
    pub count: Atom,
    pub stride: Atom,
    /// Are they in bounds?
    pub cond: Atom,
}

/// What was written between the brackets for one dimension of a slice.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    pub start: Option<Atom>,
    pub end: Option<Atom>,
    pub stride: Option<Atom>,
}

/// A slice with nothing left out.
struct Steps {
    start: Atom,
    end: Atom,
    /// From the start to the end.
    distance: Atom,
    /// From the start to the last place before the end; with the sign of the stride, or 0, where there are
    /// positions, and else with the other sign.
    way: Atom,
    /// The positions behind the first one, if there is one.
    rounds: Atom,
    /// The stride but one, away from zero.
    slack: Atom,
    stride: Atom,
}

impl Lowering<'_, '_> {
    /// The positions of a slice of so many elements.
    pub fn positions(&mut self, size: Atom, written: Written) -> Positions {
        match written.stride.unwrap_or(Atom::i64(1)) {
            Atom::Const(PrimValue::I64(stride)) => self.constant_stride(size, written, stride),
            stride => self.computed_stride(size, written, stride),
        }
    }

    fn constant_stride(&mut self, size: Atom, written: Written, stride: i64) -> Positions {
        let (whole, zero) = (written.start.is_none() && written.end.is_none(), Atom::i64(0));
        let (start, end) = if stride < 0 {
            let last = written.start.unwrap_or_else(|| self.arithmetic(BinOp::Sub, size, Atom::i64(1)));
            (last, written.end.unwrap_or(Atom::i64(-1)))
        } else {
            (written.start.unwrap_or(zero), written.end.unwrap_or(size))
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
                self.strided(size, &steps, whole, Atom::bool(stride < 0))
            }
        };
        Positions { start, count, stride: Atom::i64(stride), cond }
    }

    fn computed_stride(&mut self, size: Atom, written: Written, stride: Atom) -> Positions {
        let zero = Atom::i64(0);
        let nonzero = self.check(CmpOp::Ne, stride, zero);
        let mut parts = vec![text("Index [")];
        parts.extend(written.parts());
        parts.push(text("] out of bounds for array of shape "));
        parts.extend(shape_parts(&[size]));
        parts.push(text("."));
        let stride = self.guard(nonzero, vec![stride], parts)[0];

        let backwards = self.builder.compare(CmpOp::Lt, stride, zero);
        let last = self.arithmetic(BinOp::Sub, size, Atom::i64(1));
        let start = written.start.unwrap_or_else(|| self.choose(backwards, last, zero));
        let end = written.end.unwrap_or_else(|| self.choose(backwards, Atom::i64(-1), size));
        let sign = self.builder.unary(UnOp::Sgn, stride);
        let steps = self.steps(start, end, stride, sign);
        let whole = written.start.is_none() && written.end.is_none();
        let (count, cond) = self.strided(size, &steps, whole, backwards);
        Positions { start, count, stride, cond }
    }

    fn steps(&mut self, start: Atom, end: Atom, stride: Atom, sign: Atom) -> Steps {
        let distance = self.arithmetic(BinOp::Sub, end, start);
        let way = self.arithmetic(BinOp::Sub, distance, sign);
        let rounds = self.arithmetic(BinOp::Div, way, stride);
        let slack = self.arithmetic(BinOp::Sub, stride, sign);
        Steps { start, end, distance, way, rounds, slack, stride }
    }

    /// How many positions there are, and whether they are in bounds; those of a whole array are.
    fn strided(&mut self, size: Atom, steps: &Steps, whole: bool, backwards: Atom) -> (Atom, Atom) {
        let count = self.arithmetic(BinOp::Add, steps.rounds, Atom::i64(1));
        if whole {
            return (count, Atom::bool(true));
        }
        let cond = match backwards {
            Atom::Const(PrimValue::Bool(true)) => self.backwards(size, steps),
            Atom::Const(_) => self.forwards(size, steps),
            Atom::Var(_) => {
                let (ahead, behind) = (self.forwards(size, steps), self.backwards(size, steps));
                self.choose(backwards, behind, ahead)
            }
        };
        (self.arithmetic(BinOp::Max, Atom::i64(0), count), cond)
    }

    /// `0 <= start < end`, and the last position is below `size`; or else the slice is empty.
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
        let (far, most) = self.spread(steps);
        let none = [
            self.check(CmpOp::Le, end, start),
            self.check(CmpOp::Lt, steps.way, Atom::i64(0)),
            self.check(CmpOp::Le, most, far),
        ];
        let none = self.all(none);
        self.connect(BinOp::Or, none, some)
    }

    /// `-1 <= end < start < size`, or else the slice is empty.
    fn backwards(&mut self, size: Atom, steps: &Steps) -> Atom {
        let Steps { start, end, .. } = *steps;
        let some = [
            self.check(CmpOp::Le, Atom::i64(-1), end),
            self.check(CmpOp::Lt, end, start),
            self.check(CmpOp::Lt, start, size),
        ];
        let some = self.all(some);
        let (far, most) = self.spread(steps);
        let none = [
            self.check(CmpOp::Le, start, end),
            self.check(CmpOp::Lt, Atom::i64(0), steps.way),
            self.check(CmpOp::Le, far, most),
        ];
        let none = self.all(none);
        self.connect(BinOp::Or, none, some)
    }

    /// The distance of an empty slice and the one it has at most, each as much nearer to zero as the
    /// slack, so that neither wraps around.
    fn spread(&mut self, steps: &Steps) -> (Atom, Atom) {
        let far = self.arithmetic(BinOp::Add, steps.distance, steps.slack);
        (far, self.arithmetic(BinOp::Sub, Atom::i64(0), steps.slack))
    }

    /// Is the slice empty, or this true?
    fn none_or(&mut self, count: Atom, some: Atom) -> Atom {
        let none = self.check(CmpOp::Eq, count, Atom::i64(0));
        self.connect(BinOp::Or, none, some)
    }
}

impl Written {
    /// The slice as it was written, for a message.
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
