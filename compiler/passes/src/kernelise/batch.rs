//! # Batches: as many concurrent points as fit into memory
//!
//! The memory for arrays of points ([`super::segment`]) is allocated only for points that run at the same time. The
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

use super::level::CodeLevel;
use super::scope::{Array, ONE, Result, Scope, ZERO};

/// Memory for an array of each point of a segment.
#[derive(Clone, Copy)]
pub(super) struct Expanded {
    /// The block. It contains an equal part for each point, and the parts are interleaved.
    pub block: Var,
    /// The type of the elements.
    pub elem: PrimType,
    /// The number of elements for each point, known at host level.
    pub count: Atom,
}

/// The points of a segment.
pub(super) struct Points {
    /// The counters, each with its size.
    pub space: Vec<(Var, Atom)>,
    /// The number of the point among those that run at the same time.
    pub place: Var,
    /// The number of points that may run at the same time, known at host level.
    pub together: Var,
}

impl Points {
    /// Whether there is certainly one point.
    pub fn is_single(&self) -> bool {
        self.space.iter().all(|&(_, size)| size == ONE)
    }
}

impl Scope<'_, '_, Host> {
    /// The points of an index space.
    pub fn points(&mut self, space: Vec<(Var, Atom)>) -> Points {
        let [place, together] = [(); 2].map(|()| self.fresh(None, PrimType::I64));
        Points { space, place, together }
    }

    /// Runs a segment, in batches if its points use memory of their own.
    pub fn launch(
        &mut self,
        hint: &str,
        points: Points,
        kind: SegmentKind,
        mut body: Body<Thread>,
        memory: &[Expanded],
    ) -> Result {
        let memory = self.used(&body, memory);
        if memory.is_empty() {
            self.grid(hint, points.space, kind, body);
            return Ok(());
        }
        let (index, count) = self.single_counter(&points.space, &mut body);
        let results = std::mem::take(&mut body.result);
        let kept = results.iter().map(|&result| Host::alloc(self, None, self.cx.prim(result), &[count]));
        let kept = kept.collect::<Result<Vec<Array>>>()?;
        for (array, &value) in kept.iter().zip(&results) {
            let indices = vec![Atom::Var(index)];
            body.stms.push(self.step(Stm::Store { array: array.name, indices, value }));
        }
        self.batches(hint, &points, (index, count), body, &memory)?;
        if kind == SegmentKind::Map {
            return Ok(());
        }
        let sizes: Vec<Atom> = points.space.iter().map(|&(_, size)| size).collect();
        let space: Vec<(Var, Atom)> =
            sizes.iter().map(|&size| (self.fresh(None, PrimType::I64), size)).collect();
        let indices: Vec<Atom> = space.iter().map(|&(counter, _)| Atom::Var(counter)).collect();
        let mut combined = Body { stms: Vec::new(), result: Vec::new() };
        for array in kept {
            let array = self.contiguous(None, array.view.elem, &sizes, array.view.block, ZERO);
            let var = self.fresh(None, array.view.elem);
            let load = Stm::Load { var, array: array.name, indices: indices.clone() };
            combined.stms.push(self.step(load));
            combined.result.push(Atom::Var(var));
        }
        self.grid(hint, space, kind, combined);
        Ok(())
    }

    /// A single counter that replaces the counters of the space, and its size. If the space has several counters, adds code
    /// to the body that computes them from the single one.
    pub fn single_counter(&mut self, space: &[(Var, Atom)], body: &mut Body<Thread>) -> (Var, Atom) {
        if let &[point] = space {
            return point;
        }
        let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
        let (line, count) = (self.fresh(None, PrimType::I64), self.count(&sizes));
        let mut counters = Vec::new();
        let mut rest = line;
        for (dimension, &(counter, size)) in space.iter().enumerate().skip(1).rev() {
            let outer = if dimension == 1 { space[0].0 } else { self.fresh(None, PrimType::I64) };
            // Avoids a division by zero if there are no points.
            let size = self.max(size, ONE);
            for (var, op) in [(counter, BinOp::Rem), (outer, BinOp::Quot)] {
                let exp = ScalarExp::Binary(op, Atom::Var(rest), size);
                counters.push(self.step(Stm::Let { var, exp }));
            }
            rest = outer;
        }
        body.stms.splice(0..0, counters);
        (line, count)
    }

    /// The memory that the code of a point reads or writes.
    fn used(&self, body: &Body<Thread>, memory: &[Expanded]) -> Vec<Expanded> {
        if memory.is_empty() {
            return Vec::new();
        }
        let uses = Uses::of_thread(body, &self.cx.vars);
        let is_used = |memory: &&Expanded| {
            uses.blocks.iter().any(|used| used.block == memory.block && (used.read || used.written))
        };
        memory.iter().filter(is_used).copied().collect()
    }

    /// A map over the points, in batches that fit into memory.
    fn batches(
        &mut self,
        hint: &str,
        points: &Points,
        line: (Var, Atom),
        body: Body<Thread>,
        memory: &[Expanded],
    ) -> Result {
        let (_, count) = line;
        let (stms, ()) = self.nested(|scope| {
            let (one, most) = scope.assert_limit(memory);
            let one = scope.max(one, ONE);
            let fit = scope.quot(most, one);
            let fit = scope.max(fit, ONE);
            let exp = ScalarExp::Binary(BinOp::Min, fit, count);
            scope.push(Stm::Let { var: points.together, exp });
            let batch = Atom::Var(points.together);
            let last = scope.sub(count, ONE);
            let full = scope.quot(last, batch);
            let bound = scope.add(full, ONE);
            let index = scope.fresh(None, PrimType::I64);
            let (stms, ()) = scope.nested(|scope| {
                scope.batch(hint, (Atom::Var(index), batch), (points.place, line), body, memory);
                Ok(())
            })?;
            let (form, body) =
                (LoopForm::For { index, bound, reduces: false }, Body { stms, result: Vec::new() });
            scope.push(Stm::Loop { binders: Vec::new(), params: Vec::new(), form, body });
            Ok(())
        })?;
        let cond = self.is_less(ZERO, count);
        let then = Body { stms, result: Vec::new() };
        let otherwise = Body { stms: Vec::new(), result: Vec::new() };
        self.push(Stm::If { binders: Vec::new(), cond, then, otherwise });
        Ok(())
    }

    /// The batch with this number. All batches except the last have `most` points.
    fn batch(
        &mut self,
        hint: &str,
        (number, most): (Atom, Atom),
        (place, (counter, points)): (Var, (Var, Atom)),
        mut body: Body<Thread>,
        memory: &[Expanded],
    ) {
        for memory in memory {
            let count = self.saturating(most, memory.count);
            self.push(Stm::Alloc { block: memory.block, count });
        }
        let (start, size) = self.part_range(points, most, number);
        let exp = ScalarExp::Binary(BinOp::Add, start, Atom::Var(place));
        body.stms.insert(0, self.step(Stm::Let { var: counter, exp }));
        self.grid(hint, vec![(place, size)], SegmentKind::Map, body);
    }

    /// The number of bytes of the arrays of one point.
    fn bytes(&mut self, memory: &[Expanded]) -> Atom {
        memory.iter().fold(ZERO, |sum, array| {
            // Devices store small types in four bytes.
            let width = Atom::i64(array.elem.bytes().max(4) as i64);
            let bytes = self.saturating(array.count, width);
            if let [_] = memory {
                return bytes;
            }
            // The products saturate; the sum must not overflow either.
            let bytes = self.min(bytes, Atom::i64(i64::MAX / memory.len() as i64));
            self.add(sum, bytes)
        })
    }

    /// Asserts that the arrays of one point do not exceed the limit for all points. Returns their bytes and the limit.
    pub fn assert_limit(&mut self, memory: &[Expanded]) -> (Atom, Atom) {
        let one = self.bytes(memory);
        let most = self.scalar(None, PrimType::I64, ScalarExp::PrivateLimit(one));
        let cond = self.is_less(ZERO, most);
        let parts = vec![
            MessagePart::Text("the arrays of a single thread take ".into()),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(" bytes, more than --max-memory allows".into()),
        ];
        let message = self.cx.message(Message { parts, cause: Cause::Program, path: self.cx.origin.path() });
        self.push(Stm::Assert { cond, message, args: vec![one] });
        (one, most)
    }
}
