//! One thread combines the values of parts in order.

use ravel_core::{Atom, Builder, Lambda, Sink, Source, Type, Var};
use ravel_prim::{BinOp, PrimType};

use super::grid::read;
use super::points::{fresh_like, over_points};

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
    let results = fresh_like(builder, binders, |ty| ty.array_of(Atom::i64(1)));
    let sinks = vec![Sink::Map; binders.len()];
    over_points(builder, results.clone(), Atom::i64(1), sinks, |builder, _| {
        let (firsts, first) = match parts.neutral {
            Some(neutral) => (neutral, 0),
            None => (reads(builder, &parts.arrays, &[Atom::i64(0)]), 1),
        };
        let others = match first {
            0 => parts.count,
            _ => builder.binary(BinOp::Sub, parts.count, Atom::i64(first)),
        };
        fold(builder, op, firsts, (first, others), |builder, part| reads(builder, &parts.arrays, &[part]))
    });
    for (&binder, result) in binders.iter().zip(results) {
        let read = read(builder.vars(), result, vec![Atom::i64(0)]);
        builder.emit(vec![binder], read);
    }
}

/// In the code of a thread, combines `count` values in order, beginning with `firsts`. `values` computes a value from its
/// number, which begins with `first`.
pub(super) fn fold(
    builder: &mut Builder,
    op: Lambda,
    firsts: Vec<Atom>,
    (first, count): (i64, Atom),
    values: impl FnOnce(&mut Builder, Atom) -> Vec<Atom>,
) -> Vec<Atom> {
    let number = builder.fresh(None, Type::scalar(PrimType::I64));
    let body = builder.body(|builder| values(builder, Atom::Var(number)));
    let map = Lambda { params: vec![number], body };
    let numbers = Source::Iota { start: Atom::i64(first), stride: Atom::i64(1) };
    let sink = Sink::Reduce { op, neutral: firsts, commutative: false };
    builder.screma(count, vec![numbers], map, vec![sink])
}

/// The elements of the arrays at this position.
pub(super) fn reads(builder: &mut Builder, arrays: &[Var], at: &[Atom]) -> Vec<Atom> {
    let read = |&array: &Var| {
        let ty = &builder.vars()[array].ty;
        let ty = Type::array(ty.elem, ty.shape[at.len()..].to_vec());
        let read = read(builder.vars(), array, at.to_vec());
        builder.bind(ty, read)
    };
    arrays.iter().map(read).collect()
}
