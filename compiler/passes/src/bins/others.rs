//! The points that no bin computes: those that are too wide, or all if bins do not pay or are switched off. The nest as it is computes
//! them, one a thread.

use ravel_base::Symbol;
use ravel_core::{
    Atom, Body, Builder, DimSlice, Exp, Lambda, Screma, Sink, Source, Stm, Type, Var, copy_lambda,
};
use ravel_prim::{CmpOp, PrimType};

use super::inspector;
use crate::flatten::progression;

/// The attribute by which the nest stays as it is.
const ONE_A_THREAD: &str = "flattening(no)";

/// Adds the branch that computes these points, if there are any. `results` are the arrays with the values of all others, `others`
/// is the number of points that are too wide, and `widths` has all widths. `pays` says whether the others are in bins.
/// Returns the values of all points.
pub(super) fn branch(
    builder: &mut Builder,
    stm: &Stm,
    screma: &Screma,
    (others, widths, cond): (Atom, Var, Atom),
    results: &[Var],
) -> Exp {
    let i64 = Type::scalar(PrimType::I64);
    let all = |result: Vec<Atom>| Body { stms: Vec::new(), result };
    let [then, otherwise] = [others, screma.width].map(|count| all(vec![count]));
    let count = builder.bind(i64.clone(), Exp::If { cond, then, otherwise });
    let is_none = builder.compare(CmpOp::Eq, count, Atom::i64(0));
    let same = all(results.iter().map(|&array| Atom::Var(array)).collect());
    builder.begin();
    let list = builder.body(|builder| vec![inspector::others(builder, screma.width, widths)]);
    let otherwise = all(vec![Atom::Var(widths)]);
    let listed = builder.bind(i64.clone().array_of(screma.width), Exp::If { cond, then: list, otherwise });
    let listed = listed.var().unwrap_or(widths);
    let map = at_points(builder, screma, |builder, place| {
        let then = builder.body(|builder| vec![builder.index(listed, vec![place])]);
        let otherwise = all(vec![place]);
        builder.bind(i64, Exp::If { cond, then, otherwise })
    });
    let sinks = results.iter().map(|&target| Sink::Write { target, rank: 1 }).collect();
    let mut origin = stm.origin.clone();
    origin.attributes.push(Symbol::new(ONE_A_THREAD));
    let before = builder.set_origin(origin);
    let source = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
    let written = builder.screma(count, vec![source], map, sinks);
    builder.set_origin(before);
    let otherwise = builder.end(written);
    Exp::If { cond: is_none, then: same, otherwise }
}

/// A copy of the map for the point at a place of a list. Its results are the index of the point and a value, for each value of the
/// map.
pub(crate) fn at_points(
    builder: &mut Builder,
    screma: &Screma,
    at: impl FnOnce(&mut Builder, Atom) -> Atom,
) -> Lambda {
    let map = copy_lambda(builder.vars_mut(), &screma.map);
    let place = builder.fresh(None, Type::scalar(PrimType::I64));
    builder.begin();
    let index = at(builder, Atom::Var(place));
    let point = index.var().unwrap_or(place);
    for (&param, source) in map.params.iter().zip(&screma.sources) {
        match *source {
            Source::Array(array) => {
                let shape = builder.vars()[param].ty.shape.clone();
                let element = match &shape[..] {
                    [] => builder.index(array, vec![Atom::Var(point)]),
                    _ => {
                        let whole = shape.into_iter().map(DimSlice::whole);
                        builder.slice(
                            array,
                            std::iter::once(DimSlice::Fix(Atom::Var(point))).chain(whole).collect(),
                        )
                    }
                };
                builder.emit(vec![param], Exp::Atom(element));
            }
            Source::Iota { start, stride } => {
                let origin = builder.origin().clone();
                let stms = progression(builder.vars_mut(), param, (start, stride), point, &origin);
                stms.into_iter().for_each(|stm| builder.push(stm));
            }
        }
    }
    map.body.stms.into_iter().for_each(|stm| builder.push(stm));
    let results = map.body.result.into_iter().flat_map(|value| [Atom::Var(point), value]).collect();
    Lambda { params: vec![place], body: builder.end(results) }
}
