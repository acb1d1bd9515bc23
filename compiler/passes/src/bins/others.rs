//! The points that fit no bin: the nest as it is computes them, one a thread, and nothing else changes for the other points.

use ravel_core::{
    Atom, Body, Builder, DimSlice, Exp, Lambda, Screma, Sink, Source, Stm, Type, Var, copy_lambda,
};
use ravel_prim::{CmpOp, PrimType};

use super::context::LANES;
use super::inspector;
use crate::flatten::progression;

/// Adds the branch that computes the points that fit no bin, if there are any. `results` are the arrays with the values of all
/// others, and `widths` has the widths in the order of the source. Returns the values of all points.
pub(super) fn branch(
    builder: &mut Builder,
    stm: &Stm,
    screma: &Screma,
    (widths, widest): (Var, Atom),
    results: &[Var],
) -> Exp {
    let cond = builder.compare(CmpOp::Le, widest, Atom::i64(LANES));
    let then = Body { stms: Vec::new(), result: results.iter().map(|&array| Atom::Var(array)).collect() };
    builder.begin();
    let (count, points) = inspector::others(builder, screma.width, widths);
    let map = at_points(builder, screma);
    let sinks = results.iter().map(|&target| Sink::Write { target, rank: 1 }).collect();
    let before = builder.set_origin(stm.origin.clone());
    let written = builder.screma(count, vec![Source::Array(points)], map, sinks);
    builder.set_origin(before);
    let otherwise = builder.end(written);
    Exp::If { cond, then, otherwise }
}

/// A copy of the map for the point with a given index. Its results are the index and a value, for each value of the map.
fn at_points(builder: &mut Builder, screma: &Screma) -> Lambda {
    let map = copy_lambda(builder.vars_mut(), &screma.map);
    let point = builder.fresh(None, Type::scalar(PrimType::I64));
    builder.begin();
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
    Lambda { params: vec![point], body: builder.end(results) }
}
