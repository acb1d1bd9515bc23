//! An inner segment: its points are distributed over the threads of a workgroup.

use ravel_abi::plan::MAX_POINTS;
use ravel_base::Diagnostic;
use ravel_kernel::{Atom, InnerSegment, SegmentKind, Thread};

use super::{WorkgroupFunction, combine, lane};
use crate::exchange::leave_if_failed;
use crate::function::{Function, Index};
use crate::host::operand;
use crate::shader::{Block, Exp};
use crate::statement::current_point;
use crate::values::stop_if_failed;

/// Adds the segment.
pub(super) fn build(function: &mut WorkgroupFunction, segment: &InnerSegment) -> Result<(), Diagnostic> {
    function.barrier_if_needed();
    if function.state.index == Index::Word {
        let sizes: Vec<Atom> = segment.space.iter().map(|&(_, size)| size).collect();
        check(function, &sizes);
        if let (SegmentKind::Reduce(_), [rows @ .., _]) = (&segment.kind, &sizes[..]) {
            // Rows without points have results too.
            check(function, rows);
        }
    }
    function.state.needs_barrier = true;
    match &segment.kind {
        SegmentKind::Map => map(function, segment),
        SegmentKind::Reduce(combiners) => combine::reduce(function, segment, combiners),
        SegmentKind::Scan(combiners, _) => combine::scan(function, segment, combiners),
    }
}

/// Makes the host check that the points can be numbered in 32 bits.
fn check(function: &mut WorkgroupFunction, sizes: &[Atom]) {
    if points(sizes).is_none_or(|points| points > u128::from(MAX_POINTS)) {
        function.kernel.inner_space(sizes.iter().copied().map(operand).collect());
    }
}

/// The number of points, if it is constant.
fn points(sizes: &[Atom]) -> Option<u128> {
    let size = |&size: &Atom| match size {
        Atom::Const(size) => size.as_i64().and_then(|size| u128::try_from(size).ok()),
        Atom::Var(_) => None,
    };
    sizes.iter().map(size).try_fold(1u128, |points, size| Some(points.saturating_mul(size?)))
}

/// The number of points with these sizes, as an expression.
pub(super) fn product(
    function: &mut WorkgroupFunction,
    sizes: impl Iterator<Item = Atom>,
) -> Result<Exp, Diagnostic> {
    let index = function.state.index;
    let sizes = sizes.map(|size| Ok(index.of(function.atom(size)?)));
    let sizes = sizes.collect::<Result<Vec<Exp>, Diagnostic>>()?;
    Ok(sizes.into_iter().reduce(|product, size| product * size).unwrap_or_else(|| index.literal(1)))
}

/// Adds a map. Neighbouring threads take neighbouring points.
fn map(function: &mut WorkgroupFunction, segment: &InnerSegment) -> Result<(), Diagnostic> {
    let index = function.state.index;
    let at = index.variable("at");
    let (kernel, names) = function.inner();
    let width = kernel.workgroup();
    let mut point = Function::<Thread>::new(kernel, Block::new(Block::leave), Some(names));
    point.bind_counters(&segment.space, &at, index)?;
    point.stms(&segment.body)?;
    let point = point.define("point", &[&at], None)?;

    let points = product(function, segment.space.iter().map(|&(_, size)| size))?;
    function.body.braces(|body| {
        let points = body.bind("points", points);
        let first = index.of_word(lane());
        body.count(
            "at",
            first,
            |at| at.lt(points),
            |at| at + index.literal(width),
            |body, at| {
                if point.fails {
                    body.assign(&current_point(), index.word(at.clone()));
                }
                body.run(point.call([at.clone()]));
                stop_if_failed(body, point.fails);
            },
        );
        leave_if_failed(body, point.fails);
    });
    if point.fails {
        function.record_barrier();
    }
    Ok(())
}
