//! The capacities of a workgroup's arrays in workgroup memory.
//!
//! On a CPU an array has as many elements as it needs. On a GPU the size of workgroup memory is fixed at compile time.
//! There an array of constant size has this size, and the others share the remaining memory equally by number of
//! elements. Before the segment the host asserts that this suffices; otherwise the run ends with a limitation.

use ravel_base::{Diagnostic, Limitation, Symbol};
use ravel_kernel::visit::{Visit, VisitMut};
use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::allocations::{Allocation, allocations};
use super::bounds::Bounds;
use super::expand::refuse_allocations;
use super::{Fit, Memory, Result, spill};
use crate::arithmetic::{Arithmetic, ZERO};
use crate::steps::Steps;

impl Fit<'_> {
    /// Adds a segment of workgroups.
    pub(super) fn workgroups(
        &mut self,
        code: &mut Steps<'_, Host>,
        hint: Option<Symbol>,
        space: Vec<(Var, Atom)>,
        mut body: Body<Workgroup>,
    ) -> Result {
        if !self.target.thread_allocation {
            refuse_allocations(code.vars, |finder| finder.body(&body))?;
        }
        let mut arrays = arrays(code, &space, &body)?;
        let Some(most) = self.target.workgroup_bytes else {
            Capacities(arrays.iter().map(|array| (array.block, array.count)).collect()).body(&mut body);
            self.grid_of_workgroups(code, hint, space, body);
            return Ok(());
        };
        let spills_others =
            code.origin().attributes.iter().any(|attribute| attribute.as_str() == spill::SPILL);
        let spilled = spill::choose(code.vars, &body, &mut arrays, most, spills_others);
        let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
        Capacities(self.capacities(code, &sizes, &arrays, most)?).body(&mut body);
        match spilled.is_empty() {
            true => self.grid_of_workgroups(code, hint, space, body),
            false => self.spill(code, hint, space, body, &spilled),
        }
        Ok(())
    }

    /// Adds the statement that runs a segment of workgroups.
    pub(super) fn grid_of_workgroups(
        &self,
        code: &mut Steps<'_, Host>,
        hint: Option<Symbol>,
        space: Vec<(Var, Atom)>,
        body: Body<Workgroup>,
    ) {
        let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
        let chunk = self.chunk_of_workgroups(code, &sizes);
        code.push(Stm::Segment(GridSegment {
            hint,
            space,
            chunk,
            lanes: None,
            points: Points::Workgroups(body),
        }));
    }

    /// The capacity of each array of a workgroup, which may use `most` bytes. Adds checks that the required sizes do not
    /// exceed it.
    fn capacities(
        &mut self,
        code: &mut Steps<'_, Host>,
        sizes: &[Atom],
        arrays: &[Memory],
        most: i64,
    ) -> Result<Vec<(Var, Atom)>> {
        let taken = arrays.iter().filter_map(|array| Some(constant(array)?.saturating_mul(width(array))));
        let rest = most - taken.fold(0i64, |sum, bytes| sum.saturating_add(bytes)).min(i64::MAX - most);
        let shared: i64 = arrays.iter().filter(|array| constant(array).is_none()).map(width).sum();
        let capacity = if shared == 0 { i64::from(rest >= 0) } else { rest / shared };
        if capacity < 1 {
            return Err(Diagnostic::limitation(Limitation::BlockArrays, code.origin().place()));
        }
        let mut needed: Vec<Atom> = Vec::new();
        needed.extend(arrays.iter().filter(|array| constant(array).is_none()).map(|array| array.count));
        needed.sort_by_key(|count| count.var());
        needed.dedup();
        for count in needed {
            self.assert_fits(code, sizes, count, capacity);
        }
        let capacity_of = |array: &Memory| (array.block, Atom::i64(constant(array).unwrap_or(capacity)));
        Ok(arrays.iter().map(capacity_of).collect())
    }

    /// Checks that arrays of these sizes fit, unless there are no workgroups.
    fn assert_fits(&mut self, code: &mut Steps<'_, Host>, sizes: &[Atom], count: Atom, capacity: i64) {
        let most = Atom::i64(capacity);
        let fits = code.bind_scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Le, count, most));
        let blocks = code.count(sizes);
        let none = code.bind_scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Le, blocks, ZERO));
        let cond = code.bind_scalar(None, PrimType::Bool, ScalarExp::Binary(BinOp::Or, fits, none));
        let parts = vec![
            MessagePart::Text(format!("{} (", Limitation::BlockArrays.problem())),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(" elements; at most ".into()),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(format!(" fit); {}", Limitation::BlockArrays.advice())),
        ];
        let path = code.origin().path();
        let message = self.message(Message { parts, cause: Cause::Machine, path });
        code.push(Stm::Assert { cond, message, args: vec![count, most] });
    }
}

/// The bytes of an element in workgroup memory.
pub(super) fn width(array: &Memory) -> i64 {
    BlockType { elem: array.elem, space: Space::Workgroup }.workgroup_bytes()
}

/// The number of elements, if it is a constant. No array is empty.
pub(super) fn constant(array: &Memory) -> Option<i64> {
    match array.count {
        Atom::Const(count) => count.as_i64().map(|count| count.max(1)),
        Atom::Var(_) => None,
    }
}

/// The arrays of a workgroup. Their sizes are recomputed before the segment, since all workgroups reserve the same memory.
fn arrays(code: &mut Steps<'_, Host>, space: &[(Var, Atom)], body: &Body<Workgroup>) -> Result<Vec<Memory>> {
    let found = allocations(code.vars, Space::Workgroup, |finder| finder.body(body))?;
    let mut bounds = Bounds::new(code, |definitions| {
        definitions.space(space);
        definitions.body(body);
    });
    let mut arrays = Vec::new();
    for Allocation { origin, block, elem, sizes } in found {
        let count = bounds.count(&sizes);
        let count = count.ok_or_else(|| Diagnostic::limitation(Limitation::Segments, origin.place()))?;
        arrays.push(Memory { block, elem, count });
    }
    Ok(arrays)
}

/// The number of elements to allocate for each array in workgroup memory.
struct Capacities(Vec<(Var, Atom)>);

impl VisitMut for Capacities {
    fn stm<L: Level>(&mut self, stm: &mut Stm<L>) {
        if let Stm::Alloc { block, count } = stm
            && let Some(&(_, capacity)) = self.0.iter().find(|(known, _)| known == block)
        {
            *count = capacity;
        }
        self.children(stm);
    }
}
