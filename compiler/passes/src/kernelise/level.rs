//! The levels of code, and the operations that differ between them: memory, elementwise work, branches, loops and the
//! parallel construct. Other operations are in [`super::exp`]. Workgroups have their own file ([`super::workgroup`]).

use ravel_base::{Diagnostic, Symbol};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::{PrimType, PrimValue};

use super::scope::{Array, Demands, Result, Scope, Value};
use crate::arithmetic::{Arithmetic, ZERO};

/// A level for which the translation generates code.
pub(super) trait CodeLevel: Level + 'static {
    /// The functions that code at this level calls, if it may call any.
    fn called_functions(demands: &mut Demands) -> Option<&mut Vec<Symbol>>;

    /// New memory, row-major.
    fn alloc(
        scope: &mut Scope<'_, '_, Self>,
        hint: Option<Symbol>,
        elem: PrimType,
        shape: &[Atom],
    ) -> Result<Array>;

    /// Overwrites elements of an array.
    fn store(scope: &mut Scope<'_, '_, Self>, array: &Array, elements: &[(Vec<Atom>, Atom)]) -> Result;

    /// Overwrites a row with constants.
    fn fill(scope: &mut Scope<'_, '_, Self>, row: &Array, values: Vec<PrimValue>) -> Result;

    /// Overwrites an array with one of the same shape.
    fn copy(scope: &mut Scope<'_, '_, Self>, to: &Array, from: &Array) -> Result;

    /// A branch; binds the binders.
    fn branch(scope: &mut Scope<'_, '_, Self>, binders: &[core::Var], branch: Branch<'_>) -> Result;

    /// A loop; binds the binders.
    fn loop_exp(scope: &mut Scope<'_, '_, Self>, binders: &[core::Var], looped: &core::Loop) -> Result;

    /// The parallel construct; binds the binders.
    fn screma(scope: &mut Scope<'_, '_, Self>, binders: &[core::Var], screma: &core::Screma) -> Result;

    /// A segment; binds the binders.
    fn core_segment(
        scope: &mut Scope<'_, '_, Self>,
        binders: &[core::Var],
        segment: &core::Segment,
    ) -> Result;
}

/// A level that has segments: the host and workgroups.
pub(super) trait Parallel: CodeLevel {
    /// A segment over an index space. `code` returns the values that the kind of segment combines.
    fn over_points<'p>(
        scope: &mut Scope<'_, 'p, Self>,
        hint: &str,
        sizes: &[Atom],
        kind: SegmentKind,
        code: impl FnOnce(&mut Scope<'_, 'p, Thread>, &[Atom]) -> Result<Vec<Value>>,
    ) -> Result;
}

impl Parallel for Host {
    fn over_points<'p>(
        scope: &mut Scope<'_, 'p, Host>,
        hint: &str,
        sizes: &[Atom],
        kind: SegmentKind,
        code: impl FnOnce(&mut Scope<'_, 'p, Thread>, &[Atom]) -> Result<Vec<Value>>,
    ) -> Result {
        let (space, body) = scope.points(sizes, code)?;
        scope.grid(hint, space, Points::Threads { kind, body });
        Ok(())
    }
}

/// A branch in core IR.
#[derive(Clone, Copy)]
pub(super) struct Branch<'a> {
    pub cond: core::Atom,
    pub then: &'a core::Body,
    pub otherwise: &'a core::Body,
}

impl CodeLevel for Host {
    fn called_functions(demands: &mut Demands) -> Option<&mut Vec<Symbol>> {
        Some(&mut demands.host_functions)
    }

    fn alloc(
        scope: &mut Scope<'_, '_, Host>,
        hint: Option<Symbol>,
        elem: PrimType,
        shape: &[Atom],
    ) -> Result<Array> {
        let count = scope.count(shape);
        let block = scope.fresh_block(hint, elem, Space::Device);
        scope.push(Stm::Alloc { block, count });
        let array = scope.contiguous(hint, elem, shape, block, ZERO);
        Ok(Array { owner: Some(scope.body), ..array })
    }

    fn store(scope: &mut Scope<'_, '_, Host>, array: &Array, elements: &[(Vec<Atom>, Atom)]) -> Result {
        store_all(scope, array, elements);
        Ok(())
    }

    fn fill(scope: &mut Scope<'_, '_, Host>, row: &Array, values: Vec<PrimValue>) -> Result {
        let block = scope.fresh_block(None, row.view.elem, Space::Device);
        scope.push(Stm::Constants { block, values });
        let from = scope.contiguous(None, row.view.elem, &row.view.shape.clone(), block, ZERO);
        Host::copy(scope, row, &from)
    }

    fn copy(scope: &mut Scope<'_, '_, Host>, to: &Array, from: &Array) -> Result {
        if to.is_same(from) {
            return Ok(());
        }
        if to.order.is_contiguous && from.order.is_contiguous {
            scope.push(Stm::Copy { to: to.name, from: from.name });
            return Ok(());
        }
        copy_elements(scope, to, from)
    }

    fn branch(scope: &mut Scope<'_, '_, Host>, binders: &[core::Var], branch: Branch<'_>) -> Result {
        scope.flow_branch(binders, branch)
    }

    fn loop_exp(scope: &mut Scope<'_, '_, Host>, binders: &[core::Var], looped: &core::Loop) -> Result {
        scope.flow_loop(binders, looped)
    }

    fn screma(_: &mut Scope<'_, '_, Host>, _: &[core::Var], _: &core::Screma) -> Result {
        Err(Diagnostic::bug("kernelise: a construct without a level is in host code"))
    }

    fn core_segment(
        scope: &mut Scope<'_, '_, Host>,
        binders: &[core::Var],
        segment: &core::Segment,
    ) -> Result {
        scope.parallel(binders, segment)
    }
}

impl CodeLevel for Thread {
    fn called_functions(demands: &mut Demands) -> Option<&mut Vec<Symbol>> {
        Some(&mut demands.thread_functions)
    }

    fn alloc(
        scope: &mut Scope<'_, '_, Thread>,
        hint: Option<Symbol>,
        elem: PrimType,
        shape: &[Atom],
    ) -> Result<Array> {
        let mut sizes = shape.iter().map(|&size| scope.cx.constant_bound(size));
        let constant = sizes.try_fold(1i64, |count, size| count.checked_mul(size?));
        // A private block has at least one element.
        let private = constant.map(|count| count.max(1));
        let private = private.filter(|&count| count <= scope.cx.target.private_capacity);
        let (space, count) = match private {
            Some(count) => (Space::Private, Atom::i64(count)),
            None => (Space::Device, scope.count(shape)),
        };
        let block = scope.fresh_block(hint, elem, space);
        scope.push(Stm::Alloc { block, count });
        let array = scope.contiguous(hint, elem, shape, block, ZERO);
        Ok(Array { owner: Some(scope.body), ..array })
    }

    fn store(scope: &mut Scope<'_, '_, Thread>, array: &Array, elements: &[(Vec<Atom>, Atom)]) -> Result {
        store_all(scope, array, elements);
        Ok(())
    }

    fn fill(scope: &mut Scope<'_, '_, Thread>, row: &Array, values: Vec<PrimValue>) -> Result {
        let elements: Vec<_> = values
            .into_iter()
            .zip(0..)
            .map(|(value, at)| (vec![Atom::i64(at)], Atom::Const(value)))
            .collect();
        store_all(scope, row, &elements);
        Ok(())
    }

    fn copy(scope: &mut Scope<'_, '_, Thread>, to: &Array, from: &Array) -> Result {
        if !to.is_same(from) {
            scope.push(Stm::Copy { to: to.name, from: from.name });
        }
        Ok(())
    }

    fn branch(scope: &mut Scope<'_, '_, Thread>, binders: &[core::Var], branch: Branch<'_>) -> Result {
        if scope.cx.is_fixed(binders) {
            return scope.fixed_branch(binders, branch);
        }
        scope.cx.may_flow()?;
        scope.flow_branch(binders, branch)
    }

    fn loop_exp(scope: &mut Scope<'_, '_, Thread>, binders: &[core::Var], looped: &core::Loop) -> Result {
        if scope.cx.is_fixed(binders) {
            return scope.fixed_loop(binders, looped);
        }
        scope.cx.may_flow()?;
        scope.flow_loop(binders, looped)
    }

    fn screma(scope: &mut Scope<'_, '_, Thread>, binders: &[core::Var], screma: &core::Screma) -> Result {
        scope.sequential(binders, screma)
    }

    fn core_segment(_: &mut Scope<'_, '_, Thread>, _: &[core::Var], _: &core::Segment) -> Result {
        Err(Diagnostic::bug("kernelise: a segment in the code of a thread"))
    }
}

pub(super) fn store_all<L: CodeLevel>(
    scope: &mut Scope<'_, '_, L>,
    array: &Array,
    elements: &[(Vec<Atom>, Atom)],
) {
    for (indices, value) in elements {
        let store = Stm::Store { array: array.name, indices: indices.clone(), value: *value };
        scope.push(store);
    }
}

/// Copies an array to another layout, element by element.
pub(super) fn copy_elements<L: Parallel>(scope: &mut Scope<'_, '_, L>, to: &Array, from: &Array) -> Result {
    L::over_points(scope, "copy", &to.view.shape, SegmentKind::Map, |scope, point| {
        let value = scope.load(None, from, point.to_vec());
        store_all(scope, to, &[(point.to_vec(), value)]);
        Ok(Vec::new())
    })
}
