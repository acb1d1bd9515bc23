//! # Batches: as many concurrent points as fit into memory
//!
//! The memory for arrays of points ([`super::expand`]) is allocated only for points that run at the same time. The
//! host computes their number from the memory of one point.
//!
//! ```text
//! segment i < n { S, with an array of w elements for each point }
//!     =>
//! if 0 < n {
//!   one = w * bytes of an element
//!   most = private_limit(one)
//!   assert 0 < most
//!   batch = min n (max 1 (most / one))
//!   loop b < (n - 1) / batch + 1 {
//!     block = alloc batch * w
//!     start = b * batch
//!     segment p < min (n - start) batch { i = start + p; S, with w elements of block from p on, batch apart }
//!   }
//! }
//! ```
//!
//! So the number of points that run at the same time is decided here, at run time, and not in `flatten`: it depends on
//! bytes. What the points compute, and in which order it is combined, does not depend on it.
//!
//! If the segment reduces or scans, the batches only store the results of the points. A later segment, whose points need
//! no memory, combines them.
//!
//! ## Ensures
//! Results do not depend on the available memory, bit for bit: values are combined as if there were no batches. Points
//! fail in order, since no batch runs after one that fails. The memory is freed after the batches.
//!
//! ## Cost
//! One launch for each batch; if results are combined, the memory to store them.

use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use super::{Fit, Memory, Threads};
use crate::arithmetic::{Arithmetic, ONE, ZERO};
use crate::steps::{Steps, scalar_type};

/// The points that run at the same time.
#[derive(Clone, Copy)]
pub(super) struct BatchIndex {
    /// The number of a point among them.
    pub place: Var,
    /// How many they are, known before the segment.
    pub count: Var,
}

impl BatchIndex {
    /// Two new variables.
    pub fn new(code: &mut Steps<'_, Host>) -> BatchIndex {
        let [place, count] = [(); 2].map(|()| code.counter());
        BatchIndex { place, count }
    }
}

/// A single counter for all points, and its size.
#[derive(Clone, Copy)]
pub(super) struct FlatIndex {
    counter: Var,
    points: Atom,
}

impl Fit<'_> {
    /// Adds a segment whose points use memory of their own, in batches.
    pub(super) fn batches(
        &mut self,
        code: &mut Steps<'_, Host>,
        mut segment: Threads,
        batch_index: BatchIndex,
        memory: &[Memory],
    ) {
        let flat = single_counter(code, &segment.space, &mut segment.body);
        let results = std::mem::take(&mut segment.body.result);
        let mut kept = Vec::new();
        for value in results {
            let elem = scalar_type(value, code.vars);
            let block = BlockType { elem, space: Space::Device };
            let block = code.vars.push(VarInfo { hint: None, ty: Type::Block(block) });
            code.push(Stm::Alloc { block, count: flat.points });
            let array = code.contiguous(elem, &[flat.points], block);
            let store = Stm::Store { array, indices: vec![Atom::Var(flat.counter)], value };
            segment.body.stms.push(Step::new(code.origin(), store));
            kept.push(array);
        }
        let Threads { hint, space, kind, body } = segment;
        self.loop_over_batches(code, batch_index, flat, body, memory, "thread", |fit, code, space, body| {
            fit.grid(code, Threads { hint, space, kind: SegmentKind::Map, body });
        });
        if kind == SegmentKind::Map {
            return;
        }
        let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
        let space: Vec<(Var, Atom)> = sizes.iter().map(|&size| (code.counter(), size)).collect();
        let indices: Vec<Atom> = space.iter().map(|&(counter, _)| Atom::Var(counter)).collect();
        let mut combined = Body { stms: Vec::new(), result: Vec::new() };
        for array in kept {
            let (_, View { elem, block, .. }) = code.array(array);
            let array = code.contiguous(elem, &sizes, block);
            let var = code.vars.push(VarInfo { hint: None, ty: Type::Scalar(elem) });
            let load = Stm::Load { var, array, indices: indices.clone() };
            combined.stms.push(Step::new(code.origin(), load));
            combined.result.push(Atom::Var(var));
        }
        self.grid(code, Threads { hint, space, kind, body: combined });
    }

    /// The points in batches that fit into memory. A point is a thread or a workgroup, by `what`. `place` adds the segment of one batch,
    /// given its index space and its body.
    pub(super) fn loop_over_batches<L: Level>(
        &mut self,
        code: &mut Steps<'_, Host>,
        batch_index: BatchIndex,
        flat: FlatIndex,
        mut body: Body<L>,
        memory: &[Memory],
        what: &str,
        place: impl FnOnce(&mut Self, &mut Steps<'_, Host>, Vec<(Var, Atom)>, Body<L>),
    ) {
        let then = code.body(|code| {
            let (one, most) = self.assert_limit(code, memory, what);
            let one = code.max(one, ONE);
            let fit = code.quot(most, one);
            let fit = code.max(fit, ONE);
            let exp = ScalarExp::Binary(BinOp::Min, fit, flat.points);
            code.push(Stm::Let { var: batch_index.count, exp });
            let last = code.sub(flat.points, ONE);
            let full = code.quot(last, Atom::Var(batch_index.count));
            let bound = code.add(full, ONE);
            let index = code.counter();
            // All batches except the last have the same number of points.
            let batch = code.body(|code| {
                let most = Atom::Var(batch_index.count);
                for memory in memory {
                    let count = code.saturating(most, memory.count);
                    code.push(Stm::Alloc { block: memory.block, count });
                }
                let (start, size) = code.part_range(flat.points, most, Atom::Var(index));
                let exp = ScalarExp::Binary(BinOp::Add, start, Atom::Var(batch_index.place));
                body.stms.insert(0, Step::new(code.origin(), Stm::Let { var: flat.counter, exp }));
                place(self, code, vec![(batch_index.place, size)], body);
            });
            let form = LoopForm::For { index, bound, reduces: false };
            code.push(Stm::Loop { binders: Vec::new(), params: Vec::new(), form, body: batch });
        });
        let cond = code.is_less(ZERO, flat.points);
        let otherwise = Body { stms: Vec::new(), result: Vec::new() };
        code.push(Stm::If { binders: Vec::new(), cond, then, otherwise });
    }

    /// Asserts that the arrays of one point do not exceed the limit for all points. Returns their bytes and the limit.
    pub(super) fn assert_limit(
        &mut self,
        code: &mut Steps<'_, Host>,
        memory: &[Memory],
        what: &str,
    ) -> (Atom, Atom) {
        let one = bytes(code, memory);
        let most = code.bind_scalar(None, PrimType::I64, ScalarExp::PrivateLimit(one));
        let cond = code.is_less(ZERO, most);
        let parts = vec![
            MessagePart::Text(format!("the arrays of a single {what} take ")),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(" bytes, more than --max-memory allows".into()),
        ];
        let path = code.origin().path();
        let message = self.message(Message { parts, cause: Cause::Program, path });
        code.push(Stm::Assert { cond, message, args: vec![one] });
        (one, most)
    }
}

/// A single counter that replaces the counters of the space. If the space has several counters, adds code to the body
/// that computes them from the single one.
pub(super) fn single_counter<L: Level>(
    code: &mut Steps<'_, Host>,
    space: &[(Var, Atom)],
    body: &mut Body<L>,
) -> FlatIndex {
    if let [(counter, points)] = space[..] {
        return FlatIndex { counter, points };
    }
    let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
    let flat = FlatIndex { counter: code.counter(), points: code.count(&sizes) };
    let mut counters = Vec::new();
    let mut rest = flat.counter;
    for (dimension, &(counter, size)) in space.iter().enumerate().skip(1).rev() {
        let outer = if dimension == 1 { space[0].0 } else { code.counter() };
        // Avoids a division by zero if there are no points.
        let size = code.max(size, ONE);
        for (var, op) in [(counter, BinOp::Rem), (outer, BinOp::Quot)] {
            let exp = ScalarExp::Binary(op, Atom::Var(rest), size);
            counters.push(Step::new(code.origin(), Stm::Let { var, exp }));
        }
        rest = outer;
    }
    body.stms.splice(0..0, counters);
    flat
}

/// The number of bytes of the arrays of one point.
fn bytes(code: &mut Steps<'_, Host>, memory: &[Memory]) -> Atom {
    memory.iter().fold(ZERO, |sum, array| {
        // Devices store small types in four bytes.
        let width = Atom::i64(array.elem.bytes().max(4) as i64);
        let bytes = code.saturating(array.count, width);
        if let [_] = memory {
            return bytes;
        }
        // The products saturate; the sum must not overflow either.
        let bytes = code.min(bytes, Atom::i64(i64::MAX / memory.len() as i64));
        code.add(sum, bytes)
    })
}
