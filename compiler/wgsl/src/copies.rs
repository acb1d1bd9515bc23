//! Turns the copies of the host program into segments, because only kernels write to device memory.
//!
//! Both sides are contiguous, so that one counter runs over both:
//!
//! ```text
//! copy to = from      -->      segment map (i < count) { load x = from'[i]; store to'[i] = x }
//! ```
//!
//! where `from'` and `to'` are one-dimensional views of the same elements.

use std::sync::Arc;

use ravel_base::{Origin, Symbol};
use ravel_kernel::{
    Atom, Body, Entry, GridSegment, Host, Points, ScalarExp, SegmentKind, Step, Stm, Type, Var, VarInfo,
    VarTable, View,
};
use ravel_prim::{BinOp, PrimType};

/// Replaces the copies in the host program of an entry point.
pub(crate) fn in_segments(entry: &mut Entry) {
    let Entry { body, vars, .. } = entry;
    rewrite(body, &mut |step, stms| match step.stm {
        Stm::Copy { to, from } => stms.extend(copy(&step.origin, to, from, vars)),
        _ => stms.push(step),
    });
}

/// Replaces statements of the host program, also in branches and loops: `each` adds the statements that replace a given
/// one.
pub(crate) fn rewrite(host: &mut Body<Host>, each: &mut dyn FnMut(Step<Host>, &mut Vec<Step<Host>>)) {
    for mut step in std::mem::take(&mut host.stms) {
        match &mut step.stm {
            Stm::If { then, otherwise, .. } => {
                rewrite(then, each);
                rewrite(otherwise, each);
            }
            Stm::Loop { body: iteration, .. } => rewrite(iteration, each),
            _ => {}
        }
        each(step, &mut host.stms);
    }
}

/// The statements that copy `from` to `to`, with this origin.
fn copy(origin: &Arc<Origin>, to: Var, from: Var, vars: &mut VarTable) -> Vec<Step<Host>> {
    let mut stms = Vec::new();
    let (Type::Array(to), Type::Array(from)) = (vars[to].ty.clone(), vars[from].ty.clone()) else {
        return stms;
    };
    let mut count = Atom::i64(1);
    for &size in &to.shape {
        let var = push(vars, "count", Type::Scalar(PrimType::I64));
        let exp = ScalarExp::Binary(BinOp::Mul, count, size);
        stms.push(Step::new(origin, Stm::Let { var, exp }));
        count = Atom::Var(var);
    }
    let i = push(vars, "i", Type::Scalar(PrimType::I64));
    let x = push(vars, "x", Type::Scalar(to.elem));
    let row = |view: View| Type::Array(View { shape: vec![count], strides: vec![Atom::i64(1)], ..view });
    let (to, from) = (push(vars, "to", row(to)), push(vars, "from", row(from)));
    let indices = vec![Atom::Var(i)];
    let element = [
        Stm::Load { var: x, array: from, indices: indices.clone() },
        Stm::Store { array: to, indices, value: Atom::Var(x) },
    ];
    let body = Body { stms: Step::all(origin, element).collect(), result: vec![] };
    let segment = GridSegment {
        hint: Some(Symbol::new("copy")),
        space: vec![(i, count)],
        chunk: Atom::i64(1),
        points: Points::Threads { kind: SegmentKind::Map, body },
    };
    stms.push(Step::new(origin, Stm::Segment(segment)));
    stms
}

fn push(vars: &mut VarTable, hint: &str, ty: Type) -> Var {
    vars.push(VarInfo { hint: Some(Symbol::new(hint)), ty })
}
