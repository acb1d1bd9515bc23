//! The division of a construct in two: after its map, or after its scans.
//!
//! This is not a rule, since it decides nothing: it is part of `block-level` and of `distribute`, which apply to maps and to
//! scans without further code.

use ravel_core::{Atom, Exp, Lambda, Screma, Sink, Source, Stm, Var, VarInfo, VarTable, atom_type};

/// Splits a construct in two. The given statement keeps the map, and binds its results as arrays. The returned statement
/// reads these arrays and has the scans and the other sinks. If there are no scans, `map` sinks stay in the given statement.
pub(super) fn split_after_map(vars: &mut VarTable, screma: &mut Screma, stm: &mut Stm) -> Option<Stm> {
    let is_direct = |sink: &Sink| screma.scans.is_empty() && *sink == Sink::Map;
    if screma.sinks.iter().all(is_direct) {
        return None;
    }
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
    for result in passed.into_iter().map(|at| results[at]) {
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
        second.map.body.result.push(Atom::Var(param));
    }
    (screma.scans, screma.post) = (Vec::new(), None);
    screma.sinks = vec![Sink::Map; stored.len()];
    (screma.map.body.result, stm.binders) = stored.into_iter().unzip();
    Some(Stm { binders, exp: Exp::Screma(Box::new(second)), origin: stm.origin.clone() })
}

/// Splits a construct with code after its scans. The given statement keeps the scans, and binds all values as arrays. The
/// returned statement reads these arrays, and has the code after the scans and the sinks.
pub(super) fn split_after_scans(vars: &mut VarTable, screma: &mut Screma, stm: &mut Stm) -> Option<Stm> {
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
