//! Turns reductions and scans of several dimensions into segments of workgroups, in which teams of threads combine the
//! rows.
//!
//! A *row* is the points with the same outer counters. A workgroup combines neighbouring rows, as many as together have at
//! most one point for each thread of the workgroup, but at least one row.
//!
//! ```text
//! segment reduce (… i < n, j < m) { S }  into out
//!     -->
//! together = min (max (workgroup / max(m, 1)) 1) workgroup
//! segment blocks (… g < ceil(n / together)) {
//!   first = g * together
//!   segment reduce (r < min (n - first) together, j < m) { i = first + r; S }  into out[…, first ..]
//! }
//! ```
//!
//! The division into workgroups and teams depends on sizes only, so results are the same in every run. Workgroups have their
//! points in the order of the segment, so the failure with the least index is still the one reported.

use std::sync::Arc;

use ravel_base::{Origin, Symbol};
use ravel_kernel::{
    Atom, Body, Entry, GridSegment, Host, InnerSegment, Level, Points, ScalarExp, SegmentKind, Step, Stm,
    Target, Type, Var, VarInfo, VarTable, View, Workgroup,
};
use ravel_prim::{BinOp, PrimType};

use crate::copies::rewrite;

/// Replaces the reductions and scans of several dimensions of an entry point.
pub(crate) fn in_workgroups(entry: &mut Entry, target: &Target) {
    let Entry { body, vars, .. } = entry;
    rewrite(body, &mut |Step { stm, origin }, stms| match stm {
        Stm::Segment(GridSegment { hint, space, points: Points::Threads { kind, body }, chunk: _ })
            if kind != SegmentKind::Map && space.len() > 1 =>
        {
            let inner = InnerSegment { hint, space, kind, body };
            stms.extend(blocks(&origin, inner, target, vars));
        }
        stm => stms.push(Step { stm, origin }),
    });
}

/// The statements that replace a grid segment, with this origin. `inner` has the space, the kind and the body of the
/// segment.
fn blocks(
    origin: &Arc<Origin>,
    mut inner: InnerSegment,
    target: &Target,
    vars: &mut VarTable,
) -> Vec<Step<Host>> {
    let hint = inner.hint;
    let Some((points, (counter, rows), mut space)) = split(std::mem::take(&mut inner.space)) else {
        return Vec::new();
    };
    let workgroup = Atom::i64(i64::from(target.workgroup));
    let mut host = Arithmetic { origin, vars, stms: Vec::<Step<Host>>::new() };
    let size = host.of(BinOp::Max, points.1, Atom::i64(1));
    let fitting = host.of(BinOp::Quot, workgroup, size);
    let together = host.of(BinOp::Max, fitting, Atom::i64(1));
    // Not (rows + together - 1) / together, which overflows for the largest numbers.
    let full = host.of(BinOp::Quot, rows, together);
    let rest = host.of(BinOp::Rem, rows, together);
    let rest = host.of(BinOp::Min, rest, Atom::i64(1));
    let groups = host.of(BinOp::Add, full, rest);
    let mut stms = host.stms;

    let group = push(vars, "group", Type::Scalar(PrimType::I64));
    let mut block = Arithmetic { origin, vars, stms: Vec::<Step<Workgroup>>::new() };
    let first = block.of(BinOp::Mul, Atom::Var(group), together);
    let left = block.of(BinOp::Sub, rows, first);
    let count = block.of(BinOp::Min, left, together);
    let outer: Vec<Atom> = space.iter().map(|&(counter, _)| Atom::Var(counter)).collect();
    for combiner in inner.kind.combiners_mut() {
        for out in &mut combiner.outs {
            *out = block.rows_from(*out, &[&outer[..], &[first]].concat(), count);
        }
    }
    let mut body = block.stms;
    let row = push(vars, "row", Type::Scalar(PrimType::I64));
    let exp = ScalarExp::Binary(BinOp::Add, first, Atom::Var(row));
    inner.body.stms.insert(0, Step::new(origin, Stm::Let { var: counter, exp }));
    inner.space = vec![(row, count), points];
    body.push(Step::new(origin, Stm::Segment(inner)));
    space.push((group, groups));
    let points = Points::Workgroups(Body { stms: body, result: Vec::new() });
    let segment = GridSegment { hint, space, chunk: Atom::i64(1), points };
    stms.push(Step::new(origin, Stm::Segment(segment)));
    stms
}

/// A counter and its size.
type Dimension = (Var, Atom);

/// The dimension within a row, the dimension of the rows, and the remaining outer dimensions.
fn split(mut space: Vec<Dimension>) -> Option<(Dimension, Dimension, Vec<Dimension>)> {
    let points = space.pop()?;
    let rows = space.pop()?;
    Some((points, rows, space))
}

/// Statements under construction.
struct Arithmetic<'a, L: Level> {
    origin: &'a Arc<Origin>,
    vars: &'a mut VarTable,
    stms: Vec<Step<L>>,
}

impl<L: Level> Arithmetic<'_, L> {
    fn of(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let var = push(self.vars, "v", Type::Scalar(PrimType::I64));
        let exp = ScalarExp::Binary(op, a, b);
        self.stms.push(Step::new(self.origin, Stm::Let { var, exp }));
        Atom::Var(var)
    }

    /// A view of `count` rows of an array, beginning at these indices.
    fn rows_from(&mut self, array: Var, at: &[Atom], count: Atom) -> Var {
        let VarInfo { hint, ty } = self.vars[array].clone();
        let Type::Array(View { elem, shape, block, mut offset, strides }) = ty else { return array };
        for (&index, &stride) in at.iter().zip(&strides) {
            let distance = self.of(BinOp::Mul, index, stride);
            offset = self.of(BinOp::Add, offset, distance);
        }
        let outer = at.len() - 1;
        let shape = [&[count][..], &shape[at.len()..]].concat();
        let view = View { elem, shape, block, offset, strides: strides[outer..].to_vec() };
        let rows = self.vars.push(VarInfo { hint, ty: Type::Array(view) });
        self.stms.push(Step::new(self.origin, Stm::View(rows)));
        rows
    }
}

fn push(vars: &mut VarTable, hint: &str, ty: Type) -> Var {
    vars.push(VarInfo { hint: Some(Symbol::new(hint)), ty })
}
