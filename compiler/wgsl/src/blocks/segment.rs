//! A block segment: the threads of a workgroup take its points.

use ravel_abi::plan::MOST_POINTS;
use ravel_base::Diagnostic;
use ravel_kernel::{Atom, BlockSegment, SegmentKind, Thread};

use super::{BlockFunction, combine};
use crate::function::{Function, Index};
use crate::host::operand;

/// Writes the segment.
pub(super) fn write(function: &mut BlockFunction, segment: &BlockSegment) -> Result<(), Diagnostic> {
    function.meet();
    if function.state.index == Index::Word {
        let sizes: Vec<Atom> = segment.space.iter().map(|&(_, size)| size).collect();
        check(function, &sizes);
        if let (SegmentKind::Reduce(_), [rows @ .., _]) = (&segment.kind, &sizes[..]) {
            // Rows without points have results too.
            check(function, rows);
        }
    }
    function.state.segments += 1;
    function.state.apart = true;
    match &segment.kind {
        SegmentKind::Map => map(function, segment),
        SegmentKind::Reduce(combiners) => combine::reduce(function, segment, combiners),
        SegmentKind::Scan(combiners) => combine::scan(function, segment, combiners),
    }
}

/// Has the host check that the points can be numbered in 32 bits.
fn check(function: &mut BlockFunction, sizes: &[Atom]) {
    if points(sizes).is_none_or(|points| points > u128::from(MOST_POINTS)) {
        function.module.inner_space(sizes.iter().copied().map(operand).collect());
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

/// The number of points with these sizes, as an expression of type `Index`.
pub(super) fn product(
    function: &mut BlockFunction,
    sizes: impl Iterator<Item = Atom>,
) -> Result<String, Diagnostic> {
    let index = function.state.index;
    let sizes: Vec<String> =
        sizes.map(|size| Ok(index.of(&function.atom(size)?))).collect::<Result<_, Diagnostic>>()?;
    Ok(if sizes.is_empty() { "Index(1)".to_owned() } else { sizes.join(" * ") })
}

/// Writes a map. Neighbouring threads take neighbouring points.
fn map(function: &mut BlockFunction, segment: &BlockSegment) -> Result<(), Diagnostic> {
    let name = format!("point{}", function.state.segments);
    let index = function.state.index;
    let (module, names) = function.inner();
    let mut point = Function::<Thread>::new(module, "return;", Some(names));
    point.bind_counters(&segment.space, "at", index)?;
    point.body(&segment.body)?;
    let point = point.define(name, "at: Index", "", "")?;

    let points = product(function, segment.space.iter().map(|&(_, size)| size))?;
    function.open("{");
    function.line(&format!("let points = {points};"));
    function.open("for (var at = Index(lane); at < points; at = at + Index(WIDTH)) {");
    if point.fails {
        function.line("place = u32(at);");
    }
    function.line(&format!("{};", point.call(&["at"])));
    if point.fails {
        function.line("if (failed) { break; }");
    }
    function.close();
    if point.fails {
        function.leave_if_failed();
        function.have_met();
    }
    function.close();
    Ok(())
}
