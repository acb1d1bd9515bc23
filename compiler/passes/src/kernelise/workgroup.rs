//! Workgroups: the translation of a grid segment whose points are computed by workgroups, and the rules for their bodies.
//!
//! A workgroup allocates its arrays in workgroup memory, except its parts of the segment's results, which are stored
//! directly in the results. The body is uniform, so inner segments also do what memory needs: they copy arrays, and one
//! thread stores an element.
//! Arrays pass through branches and loops in memory allocated before ([`super::fixed_places`]).

use ravel_base::{Diagnostic, Limitation, Symbol};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::{PrimType, PrimValue};

use super::level::{Branch, CodeLevel, Parallel, copy_elements, store_all};
use super::parallel::Code;
use super::scope::{Array, Demands, Result, Scope, Value};
use crate::arithmetic::{Arithmetic, ONE, ZERO};

impl Scope<'_, '_, Host> {
    /// A segment of workgroups: each computes one point.
    pub fn blocks(&mut self, binders: &[core::Var], segment: &core::Segment) -> Result {
        let core::Segment { ref screma, index: counter, .. } = *segment;
        if !screma.scans.is_empty() || screma.sinks.iter().any(|sink| *sink != core::Sink::Map) {
            return self.cx.limitation(Limitation::Segments);
        }
        let sizes = self.sizes(segment)?;
        let inputs = self.inputs(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let (space, body) = self.points::<Workgroup>(&sizes, |scope, point| {
            let (index, outs) = scope.row_of(segment, point, &outs)?;
            scope.run_code(&inputs, Code { counter, lambda: &screma.map }, &outs, index)
        })?;
        for (block, values) in std::mem::take(&mut self.cx.constants) {
            self.push(Stm::Constants { block, values });
        }
        self.grid("blocks", space, Points::Workgroups(body));
        self.bind_outs(binders, outs, Vec::new())
    }
}

impl Parallel for Workgroup {
    fn over_points<'p>(
        scope: &mut Scope<'_, 'p, Workgroup>,
        hint: &str,
        sizes: &[Atom],
        kind: SegmentKind,
        code: impl FnOnce(&mut Scope<'_, 'p, Thread>, &[Atom]) -> Result<Vec<Value>>,
    ) -> Result {
        let (space, body) = scope.points(sizes, code)?;
        let hint = Some(Symbol::new(hint));
        scope.push(Stm::Segment(InnerSegment { hint, space, kind, body }));
        Ok(())
    }
}

impl CodeLevel for Workgroup {
    fn called_functions(_: &mut Demands) -> Option<&mut Vec<Symbol>> {
        None
    }

    fn alloc(
        scope: &mut Scope<'_, '_, Workgroup>,
        hint: Option<Symbol>,
        elem: PrimType,
        shape: &[Atom],
    ) -> Result<Array> {
        let count = scope.count(shape);
        let block = scope.fresh_block(hint, elem, Space::Workgroup);
        scope.push(Stm::Alloc { block, count });
        let array = scope.contiguous(hint, elem, shape, block, ZERO);
        Ok(Array { owner: Some(scope.body), ..array })
    }

    fn store(scope: &mut Scope<'_, '_, Workgroup>, array: &Array, elements: &[(Vec<Atom>, Atom)]) -> Result {
        Workgroup::over_points(scope, "store", &[ONE], SegmentKind::Map, |scope, _| {
            store_all(scope, array, elements);
            Ok(Vec::new())
        })
    }

    fn fill(scope: &mut Scope<'_, '_, Workgroup>, row: &Array, values: Vec<PrimValue>) -> Result {
        let elem = row.view.elem;
        let block = scope.fresh_block(None, elem, Space::Device);
        scope.cx.constants.push((block, values));
        let from = scope.contiguous(None, elem, &row.view.shape.clone(), block, ZERO);
        Workgroup::copy(scope, row, &from)
    }

    fn copy(scope: &mut Scope<'_, '_, Workgroup>, to: &Array, from: &Array) -> Result {
        if to.is_same(from) {
            return Ok(());
        }
        copy_elements(scope, to, from)
    }

    fn branch(scope: &mut Scope<'_, '_, Workgroup>, binders: &[core::Var], branch: Branch<'_>) -> Result {
        match scope.cx.is_fixed(binders) {
            true => scope.fixed_branch(binders, branch),
            false => scope.cx.limitation(Limitation::Segments),
        }
    }

    fn loop_exp(scope: &mut Scope<'_, '_, Workgroup>, binders: &[core::Var], looped: &core::Loop) -> Result {
        match scope.cx.is_fixed(binders) {
            true => scope.fixed_loop(binders, looped),
            false => scope.cx.limitation(Limitation::Segments),
        }
    }

    fn screma(_: &mut Scope<'_, '_, Workgroup>, _: &[core::Var], _: &core::Screma) -> Result {
        Err(Diagnostic::bug("kernelise: a construct that is not a segment is in the body of a workgroup"))
    }

    fn core_segment(
        scope: &mut Scope<'_, '_, Workgroup>,
        binders: &[core::Var],
        segment: &core::Segment,
    ) -> Result {
        scope.stored(binders, segment)
    }
}
