//! Copies of host level become segments, because on the device only kernels write.
//!
//! Both sides are contiguous, so that one counter runs over both:
//!
//! ```text
//! copy to = from      -->      segment map (i < count) { load x = from'[i]; store to'[i] = x }
//! ```
//!
//! where `from'` and `to'` are the same elements seen as one row.

use ravel_base::Symbol;
use ravel_kernel::{
    Atom, Body, Entry, GridSegment, Host, Points, ScalarExp, SegmentKind, Stm, Type, Var, VarInfo, VarTable,
    View,
};
use ravel_prim::{BinOp, PrimType};

/// The entry point without copies of host level.
pub(crate) fn without_copies(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    body(&mut entry.body, &mut entry.vars);
    entry
}

fn body(host: &mut Body<Host>, vars: &mut VarTable) {
    for stm in std::mem::take(&mut host.stms) {
        match stm {
            Stm::Copy { to, from } => copy(to, from, vars, &mut host.stms),
            Stm::If { binders, cond, mut then, mut otherwise } => {
                body(&mut then, vars);
                body(&mut otherwise, vars);
                host.stms.push(Stm::If { binders, cond, then, otherwise });
            }
            Stm::Loop { binders, params, form, body: mut round } => {
                body(&mut round, vars);
                host.stms.push(Stm::Loop { binders, params, form, body: round });
            }
            other => host.stms.push(other),
        }
    }
}

fn copy(to: Var, from: Var, vars: &mut VarTable, stms: &mut Vec<Stm<Host>>) {
    let (Type::Array(to), Type::Array(from)) = (vars[to].ty.clone(), vars[from].ty.clone()) else { return };
    let mut count = Atom::i64(1);
    for &size in &to.shape {
        let var = push(vars, "count", Type::Scalar(PrimType::I64));
        stms.push(Stm::Let { var, exp: ScalarExp::Binary(BinOp::Mul, count, size) });
        count = Atom::Var(var);
    }
    let i = push(vars, "i", Type::Scalar(PrimType::I64));
    let x = push(vars, "x", Type::Scalar(to.elem));
    let row = |view: View| Type::Array(View { shape: vec![count], strides: vec![Atom::i64(1)], ..view });
    let (to, from) = (push(vars, "to", row(to)), push(vars, "from", row(from)));
    let indices = vec![Atom::Var(i)];
    let element = vec![
        Stm::Load { var: x, array: from, indices: indices.clone() },
        Stm::Store { array: to, indices, value: Atom::Var(x) },
    ];
    stms.push(Stm::Segment(GridSegment {
        hint: Some(Symbol::new("copy")),
        space: vec![(i, count)],
        chunk: Atom::i64(1),
        points: Points::Threads { kind: SegmentKind::Map, body: Body { stms: element, result: vec![] } },
        span: None,
    }));
}

fn push(vars: &mut VarTable, hint: &str, ty: Type) -> Var {
    vars.push(VarInfo { hint: Some(Symbol::new(hint)), ty })
}
