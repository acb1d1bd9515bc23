//! The capacities of a workgroup's arrays in workgroup memory.
//!
//! This gives memory, and decides nothing about parallelism: `block-level` of `flatten` has decided that workgroups compute
//! the points. Whether their arrays fit is known only when all of them have a block.
//!
//! On a CPU an array has as many elements as it needs. On a GPU the size of workgroup memory is fixed at compile time.
//! There an array of constant size has this size, and the others share the remaining memory equally by number of
//! elements. Before the segment the host asserts that this suffices; otherwise the run ends with a limitation.

use ravel_base::Limitation;
use ravel_kernel::visit::VisitMut;
use ravel_kernel::*;
use ravel_prim::{CmpOp, PrimType};

use super::batch::Expanded;
use super::scope::{ONE, Result, Scope, ZERO};

impl Scope<'_, '_, Host> {
    /// Sets the capacity of each array of a workgroup's body, and checks that the required sizes do not exceed it.
    pub fn with_capacities(
        &mut self,
        sizes: &[Atom],
        mut body: Body<Workgroup>,
        arrays: &[Expanded],
    ) -> Result<Body<Workgroup>> {
        let Some(most) = self.cx.target.workgroup_bytes else { return Ok(body) };
        let width =
            |array: &Expanded| BlockType { elem: array.elem, space: Space::Workgroup }.workgroup_bytes();
        let constant = |array: &Expanded| match array.count {
            // No array is empty.
            Atom::Const(count) => count.as_i64().map(|count| count.max(1)),
            Atom::Var(_) => None,
        };
        let taken = arrays.iter().filter_map(|array| Some(constant(array)?.saturating_mul(width(array))));
        let rest = most - taken.fold(0i64, |sum, bytes| sum.saturating_add(bytes)).min(i64::MAX - most);
        let shared: i64 = arrays.iter().filter(|array| constant(array).is_none()).map(width).sum();
        let capacity = if shared == 0 { i64::from(rest >= 0) } else { rest / shared };
        if capacity < 1 {
            return self.cx.limitation(Limitation::BlockArrays);
        }
        let mut needed: Vec<Atom> = Vec::new();
        needed.extend(arrays.iter().filter(|array| constant(array).is_none()).map(|array| array.count));
        needed.sort_by_key(|count| count.var());
        needed.dedup();
        for count in needed {
            self.assert_fits(sizes, count, capacity);
        }
        let capacities = arrays.iter().map(|array| (array.block, constant(array).unwrap_or(capacity)));
        Capacities(capacities.collect()).body(&mut body);
        Ok(body)
    }

    /// Checks that arrays of these sizes fit, unless there are no workgroups.
    fn assert_fits(&mut self, sizes: &[Atom], count: Atom, capacity: i64) {
        let most = Atom::i64(capacity);
        let fits = self.scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Le, count, most));
        let blocks = self.count(sizes);
        let none = self.scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Le, blocks, ZERO));
        let cond = self.scalar(None, PrimType::Bool, ScalarExp::Binary(ravel_prim::BinOp::Or, fits, none));
        let parts = vec![
            MessagePart::Text(format!("{} (", Limitation::BlockArrays.problem())),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(" elements; at most ".into()),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(format!(" fit); {}", Limitation::BlockArrays.advice())),
        ];
        let path = self.cx.origin.path();
        let message = self.cx.message(Message { parts, cause: Cause::Machine, path });
        self.push(Stm::Assert { cond, message, args: vec![count, most] });
    }

    /// The number of neighbouring workgroups that one worker runs. A single one is enough work for a worker.
    pub fn chunk_of_blocks(&mut self, sizes: &[Atom]) -> Atom {
        if self.cx.target.min_chunk == 1 {
            return ONE;
        }
        let blocks = self.count(sizes);
        let chunk = self.ceil_div(blocks, Atom::i64(self.cx.target.max_chunks));
        self.max(chunk, ONE)
    }
}

/// The capacities of workgroups in workgroup memory.
struct Capacities(Vec<(Var, i64)>);

impl VisitMut for Capacities {
    fn stm<L: Level>(&mut self, stm: &mut Stm<L>) {
        if let Stm::Alloc { block, count } = stm
            && let Some(&(_, capacity)) = self.0.iter().find(|(known, _)| known == block)
        {
            *count = Atom::i64(capacity);
        }
        self.children(stm);
    }
}
