//! The division of a construct in two: after its map, before the end of its map, or after its scans.
//!
//! This is not a rule, since it decides nothing: it is part of `block-level`, of `distribute` and of the pass `bins`, which apply to maps and to
//! scans without further code.

use std::collections::BTreeSet;

use ravel_core::{
    Atom, Body, Exp, Lambda, Screma, Sink, Source, Stm, Substitution, Var, VarInfo, VarTable, atom_type,
    free_in_body, free_in_stm,
};

/// Splits a construct in two. The given statement keeps the map, and binds its results as arrays. The returned statement
/// reads these arrays and has the scans and the other sinks. If there are no scans, `map` sinks stay in the given statement.
pub(crate) fn split_after_map(vars: &mut VarTable, screma: &mut Screma, stm: &mut Stm) -> Option<Stm> {
    split_before(vars, screma, stm, Vec::new())
}

/// Splits a construct as [`split_after_map`] does, but the end of the map, which only computes scalars, goes to the returned
/// statement too. So what inner constructs compute needs no segment of its own between them and the sinks.
pub(super) fn split_before_scalars(vars: &mut VarTable, screma: &mut Screma, stm: &mut Stm) -> Option<Stm> {
    let is_direct = |sink: &Sink| screma.scans.is_empty() && *sink == Sink::Map;
    if screma.sinks.iter().all(is_direct) {
        return None;
    }
    let mut tail = Vec::new();
    // What earlier statements of the map, and sinks that stay with it, need.
    let mut needed: BTreeSet<Var> = BTreeSet::new();
    let direct = screma.sink_ranges().filter(|(sink, ..)| is_direct(sink));
    let direct: Vec<usize> = direct.map(|(.., values)| values.start).collect();
    needed.extend(direct.into_iter().filter_map(|at| screma.map.body.result[at].var()));
    let mut head = std::mem::take(&mut screma.map.body.stms);
    while let Some(stm) = head.pop() {
        if is_scalar(vars, &stm) && !stm.binders.iter().any(|binder| needed.contains(binder)) {
            tail.push(stm);
        } else {
            needed.extend(free_in_stm(vars, &stm));
            screma.map.body.stms.push(stm);
        }
    }
    screma.map.body.stms.reverse();
    tail.reverse();
    let end = Body { stms: tail, result: screma.map.body.result.clone() };
    let mut stored = free_in_body(vars, &end);
    stored.retain(|var| screma.map.body.stms.iter().any(|stm| stm.binders.contains(var)));
    let results: BTreeSet<Var> = end.result.iter().filter_map(|result| result.var()).collect();
    // The given statement has a result, but no more of them than without the division.
    if stored.is_empty() || stored.len() > results.len() {
        screma.map.body.stms.extend(end.stms);
        return split_before(vars, screma, stm, Vec::new());
    }
    split_before(vars, screma, stm, end.stms)
}

/// Whether the statement computes scalars from scalars, and cannot fail.
fn is_scalar(vars: &VarTable, stm: &Stm) -> bool {
    let all = |body: &Body| body.stms.iter().all(|stm| is_scalar(vars, stm));
    stm.binders.iter().all(|&binder| vars[binder].ty.is_scalar())
        && match &stm.exp {
            Exp::Atom(_) | Exp::Unary(..) | Exp::Binary(..) | Exp::Compare(..) | Exp::Convert(..) => true,
            Exp::If { then, otherwise, .. } => all(then) && all(otherwise),
            _ => false,
        }
}

/// Splits a construct after its map, whose last statements, `tail`, have been taken out of it. They compute no result of a sink
/// that stays in the given statement.
fn split_before(vars: &mut VarTable, screma: &mut Screma, stm: &mut Stm, tail: Vec<Stm>) -> Option<Stm> {
    let is_direct = |sink: &Sink| screma.scans.is_empty() && *sink == Sink::Map;
    if screma.sinks.iter().all(is_direct) {
        return None;
    }
    let in_tail: BTreeSet<Var> = tail.iter().flat_map(|stm| &stm.binders).copied().collect();
    let mut tail = Body { stms: tail, result: Vec::new() };
    let results = std::mem::take(&mut screma.map.body.result);
    // For each value that the map stores, its array.
    let mut stored: Vec<(Atom, Var)> = Vec::new();
    let (mut passed, mut binders, mut sinks) = (Vec::new(), Vec::new(), Vec::new());
    for (sink, own, values) in screma.sink_ranges() {
        if is_direct(sink) {
            stored.push((results[values.start], stm.binders[own.start]));
        } else {
            binders.extend_from_slice(&stm.binders[own]);
            sinks.push(sink.clone());
        }
    }
    match screma.scans.is_empty() {
        true => {
            screma.sink_ranges().filter(|(sink, ..)| !is_direct(sink)).for_each(|(.., at)| passed.extend(at))
        }
        false => passed.extend(0..results.len()),
    }
    let mut second = Screma { map: Lambda::default(), sinks, ..screma.clone() };
    second.sources.clear();
    let (mut renamed, mut params) = (Substitution::new(), Vec::new());
    // The tail reads what the map computes, and elements of the map's own sources.
    let computed =
        screma.map.body.stms.iter().flat_map(|stm| &stm.binders).copied().collect::<BTreeSet<Var>>();
    let mut needed: Vec<Atom> = Vec::new();
    for var in free_in_body(vars, &tail) {
        if computed.contains(&var) {
            needed.push(Atom::Var(var));
        } else if let Some(at) = screma.map.params.iter().position(|&param| param == var) {
            let param = vars.push(vars[var].clone());
            second.sources.push(screma.sources[at].clone());
            second.map.params.push(param);
            renamed.insert(var, Atom::Var(param));
        }
    }
    let wanted: Vec<Atom> = passed.into_iter().map(|at| results[at]).collect();
    let is_passed = |value: &Atom| value.var().is_none_or(|var| !in_tail.contains(&var));
    needed.retain(|value| !wanted.contains(value));
    for result in wanted.iter().copied().filter(is_passed).chain(needed) {
        let ty = atom_type(vars, result);
        let hint = result.var().and_then(|var| vars[var].hint);
        let array = stored.iter().find(|(value, _)| *value == result).map(|&(_, array)| array);
        let array = array.unwrap_or_else(|| {
            let array = vars.push(VarInfo { hint, ty: ty.array_of(screma.width) });
            stored.push((result, array));
            array
        });
        let param = vars.push(VarInfo { hint, ty });
        second.sources.push(Source::Array(array));
        second.map.params.push(param);
        params.push((result, Atom::Var(param)));
        result.var().into_iter().for_each(|var| renamed.insert(var, Atom::Var(param)));
    }
    let value =
        |value: &Atom| params.iter().find(|(passed, _)| passed == value).map_or(*value, |&(_, param)| param);
    tail.result = wanted.iter().map(value).collect();
    renamed.body(vars, &mut tail);
    second.map.body = tail;
    (screma.scans, screma.post) = (Vec::new(), None);
    screma.sinks = vec![Sink::Map; stored.len()];
    (screma.map.body.result, stm.binders) = stored.into_iter().unzip();
    Some(Stm { binders, exp: Exp::Screma(Box::new(second)), origin: stm.origin.clone() })
}

/// Splits a construct with code after its scans. The given statement keeps the scans, and binds all values as arrays. The
/// returned statement reads these arrays, and has the code after the scans and the sinks.
pub(crate) fn split_after_scans(vars: &mut VarTable, screma: &mut Screma, stm: &mut Stm) -> Option<Stm> {
    let map = screma.post.take()?;
    let array = |&param: &Var| {
        let VarInfo { hint, ty } = vars[param].clone();
        vars.push(VarInfo { hint, ty: ty.array_of(screma.width) })
    };
    let arrays: Vec<Var> = map.params.iter().map(array).collect();
    let sinks = std::mem::replace(&mut screma.sinks, vec![Sink::Map; arrays.len()]);
    let sources = arrays.iter().map(|&array| Source::Array(array)).collect();
    let second = Screma { width: screma.width, sources, map, scans: Vec::new(), post: None, sinks };
    let binders = std::mem::replace(&mut stm.binders, arrays);
    Some(Stm { binders, exp: Exp::Screma(Box::new(second)), origin: stm.origin.clone() })
}
