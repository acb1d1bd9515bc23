//! Copies of host level become segments, because on the device only kernels write.
//!
//! Both sides are contiguous, so that one counter runs over both:
//!
//! ```text
//! copy to = from      -->      segment map (i < count) { load x = from'[i]; store to'[i] = x }
//! ```
//!
//! where `from'` and `to'` are the same elements seen as one row.

use std::sync::Arc;

use ravel_base::{Origin, Symbol};
use ravel_kernel::{
    Atom, Body, Entry, GridSegment, Host, Points, ScalarExp, SegmentKind, Step, Stm, Type, Var, VarInfo,
    VarTable, View,
};
use ravel_prim::{BinOp, PrimType};

/// The entry point without copies of host level.
pub(crate) fn without_copies(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    body(&mut entry.body, &mut entry.vars);
    entry
}

fn body(host: &mut Body<Host>, vars: &mut VarTable) {
    for mut step in std::mem::take(&mut host.stms) {
        match &mut step.stm {
            &mut Stm::Copy { to, from } => {
                host.stms.extend(copy(&step.origin, to, from, vars));
                continue;
            }
            Stm::If { then, otherwise, .. } => {
                body(then, vars);
                body(otherwise, vars);
            }
            Stm::Loop { body: iteration, .. } => body(iteration, vars),
            _ => {}
        }
        host.stms.push(step);
    }
}

/// The statements of this origin that copy.
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
