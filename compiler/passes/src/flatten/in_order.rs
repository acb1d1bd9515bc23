//! One thread combines the values of parts in order.

use ravel_core::{Atom, Builder, Exp, Lambda, Level, Loop, LoopForm, Screma, Segment, Sink, Type, Var};
use ravel_prim::{BinOp, PrimType};

use super::grid::read;

/// The values of parts, at least one if there is no neutral element.
pub(super) struct Parts {
    /// For each value of a part, the array of this value for all parts.
    pub(super) arrays: Vec<Var>,
    /// The number of parts.
    pub(super) count: Atom,
    /// The value before the first part, if there is one.
    pub(super) neutral: Option<Vec<Atom>>,
}

/// Adds a segment of one point that combines the values of the parts by the operator, and binds the result.
pub(super) fn combine(builder: &mut Builder, binders: &[Var], op: Lambda, parts: Parts) {
    let long = || Type::scalar(PrimType::I64);
    let (point, index) = (builder.fresh(None, long()), builder.fresh(None, long()));
    let origin = builder.set_origin(ravel_core::Origin::default());
    builder.set_origin(origin.inside());
    builder.begin();
    let (firsts, first) = match parts.neutral {
        Some(neutral) => (neutral, 0),
        None => (reads(builder, &parts.arrays, Atom::i64(0)), 1),
    };
    let bound = match first {
        0 => parts.count,
        _ => builder.binary(BinOp::Sub, parts.count, Atom::i64(first)),
    };
    // The loop may overwrite what it starts from.
    let own = |builder: &mut Builder, first: Atom| match first.var() {
        Some(array) if !builder.type_of(first).is_scalar() => builder.copy(array),
        _ => first,
    };
    let inits: Vec<Atom> = firsts.into_iter().map(|first| own(builder, first)).collect();
    let (combined, operands) = op.params.split_at(binders.len());
    builder.begin();
    let part = match first {
        0 => Atom::Var(index),
        _ => builder.binary(BinOp::Add, Atom::Var(index), Atom::i64(first)),
    };
    for (&operand, &array) in operands.iter().zip(&parts.arrays) {
        let read = read(builder.vars(), array, vec![part]);
        builder.emit(vec![operand], read);
    }
    let mut body = builder.end(op.body.result);
    body.stms.extend(op.body.stms);
    let params = combined.iter().copied().zip(inits).collect();
    let looped = Loop { params, form: LoopForm::For { index, bound }, body };
    let finals = alike(builder, binders, |ty| ty);
    builder.emit(finals.clone(), Exp::Loop(looped));
    let body = builder.end(finals.into_iter().map(Atom::Var).collect());
    let screma = Screma {
        width: Atom::i64(1),
        sources: Vec::new(),
        map: Lambda { params: Vec::new(), body },
        scans: Vec::new(),
        post: None,
        sinks: vec![Sink::Map; binders.len()],
    };
    let (level, points, outer) = (Level::Grid, Level::Thread, Vec::new());
    let segment = Segment { level, points, parts: None, outer, index: point, screma };
    builder.set_origin(origin);
    let results = alike(builder, binders, |ty| ty.array_of(Atom::i64(1)));
    builder.emit(results.clone(), Exp::Segment(Box::new(segment)));
    for (&binder, result) in binders.iter().zip(results) {
        let read = read(builder.vars(), result, vec![Atom::i64(0)]);
        builder.emit(vec![binder], read);
    }
}

/// The elements of the arrays at this position.
fn reads(builder: &mut Builder, arrays: &[Var], at: Atom) -> Vec<Atom> {
    let read = |&array: &Var| {
        let (ty, read) = (builder.vars()[array].ty.row(), read(builder.vars(), array, vec![at]));
        builder.bind(ty, read)
    };
    arrays.iter().map(read).collect()
}

/// Fresh variables with the names of these, and with types made from theirs.
pub(super) fn alike(builder: &mut Builder, vars: &[Var], ty: impl Fn(Type) -> Type) -> Vec<Var> {
    let fresh = |&var: &Var| {
        let info = builder.vars()[var].clone();
        builder.fresh(info.hint, ty(info.ty))
    };
    vars.iter().map(fresh).collect()
}
