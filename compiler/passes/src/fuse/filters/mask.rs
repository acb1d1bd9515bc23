//! The composition of a filter and a consumer of the elements that it keeps.
//!
//! ```text
//!   P = sources → map → scans → post → sinks        C = kept elements → map → scans → post → sinks
//!
//!   C's map follows P's where the mark is true; elsewhere a blank takes the place of its results.
//!   C's scans stand beside P's, and C's post lambda follows P's. C's sinks come first, then P's.
//! ```
//!
//! A *blank* is a value without effect: the neutral element of a scan or a reduction, or position -1 of a write. Often
//! a blank input of the post lambda suffices: the position of a second filter is -1 if its own mark is false. If not,
//! the value is selected by the mark after the post lambda. The element written at position -1 may be any value.

use ravel_core::{
    Atom, Body, Exp, Lambda, Origin, Screma, Sink, Stm, Substitution, Var, VarInfo, VarTable, atom_type,
};
use ravel_prim::{PrimType, PrimValue, convert};

use super::Storage;
use super::pattern::{Filter, definition};
use crate::fuse::compose::{Bound, identity, side_by_side};

/// The results of a consumer's lambdas where the mark is false.
pub struct Plan {
    /// The blank of each result of the map lambda, if its value matters.
    blanks: Vec<Option<Atom>>,
    /// The results of the map lambda that are computed only where the mark is true.
    masked: Vec<bool>,
    /// The values of sinks to select by the mark after the post lambda, with their blanks.
    chosen: Vec<(usize, Atom)>,
}

impl Plan {
    /// The blanks for a consumer.
    pub fn of(vars: &VarTable, screma: &Screma) -> Plan {
        let neutral = screma.scans.iter().flat_map(|scan| &scan.neutral);
        let mut blanks: Vec<Option<Atom>> = neutral.copied().map(Some).collect();
        let scanned = blanks.len();
        blanks.resize(screma.map.body.result.len(), None);
        let mut found = Blanks { vars, screma, scanned, blanks };
        let mut chosen = Vec::new();
        for (sink, _, values) in screma.sink_ranges() {
            let needed = match sink {
                Sink::Reduce { neutral, .. } => neutral.clone(),
                Sink::Write { .. } | Sink::Combine { .. } => vec![Atom::i64(-1)],
                Sink::Map | Sink::Concat { .. } => Vec::new(),
            };
            let unblanked = values.zip(needed).filter(|&(at, blank)| !found.is_blank_output(at, blank));
            chosen.extend(unblanked.collect::<Vec<_>>());
        }
        let Body { stms, result } = &screma.map.body;
        let is_bound =
            |atom: Atom| stms.iter().any(|stm| stm.binders.iter().any(|&var| Atom::Var(var) == atom));
        let masked = result.iter().zip(&found.blanks);
        let masked = masked.map(|(&atom, blank)| blank.map_or_else(|| is_bound(atom), |blank| blank != atom));
        Plan { masked: masked.collect(), blanks: found.blanks, chosen }
    }

    /// Whether all conditionally computed values are scalars.
    pub fn is_scalar(&self, vars: &VarTable, screma: &Screma) -> bool {
        let masked = screma.map.body.result.iter().zip(&self.masked).filter(|(_, masked)| **masked);
        let mut atoms = masked.map(|(&atom, _)| atom).chain(self.chosen.iter().map(|&(_, blank)| blank));
        atoms.all(|atom| atom_type(vars, atom).is_scalar())
    }
}

/// Finds the blank inputs for which the outputs are blank.
struct Blanks<'a> {
    vars: &'a VarTable,
    screma: &'a Screma,
    scanned: usize,
    blanks: Vec<Option<Atom>>,
}

impl Blanks<'_> {
    /// Whether the value for a sink is blank if the inputs are blank. Records which blanks the inputs need.
    fn is_blank_output(&mut self, at: usize, blank: Atom) -> bool {
        match &self.screma.post {
            None => self.is_blank_input(at, blank),
            Some(post) => self.is_blank(post, post.body.result[at], blank),
        }
    }

    fn is_blank_input(&mut self, at: usize, blank: Atom) -> bool {
        at >= self.scanned && *self.blanks[at].get_or_insert(blank) == blank
    }

    fn is_blank(&mut self, post: &Lambda, atom: Atom, blank: Atom) -> bool {
        let no = Atom::bool(false);
        let Atom::Var(var) = atom else { return atom == blank };
        if let Some(at) = post.params.iter().position(|&param| param == var) {
            return self.is_blank_input(at, blank);
        }
        let Some(stm) = definition(&post.body, atom) else { return false };
        match &stm.exp {
            Exp::Convert(ty, mark) if atom_type(self.vars, *mark).elem == PrimType::Bool => {
                blank == Atom::Const(convert(PrimValue::Bool(false), *ty)) && self.is_blank(post, *mark, no)
            }
            Exp::If { cond, otherwise, .. } => {
                let at = stm.binders.iter().position(|&binder| binder == var);
                at.is_some_and(|at| otherwise.result[at] == blank) && self.is_blank(post, *cond, no)
            }
            _ => false,
        }
    }
}

/// The composition of a filter and its consumer. The consumer's mapped and written results are stored in `storage`.
pub fn compose(
    vars: &mut VarTable,
    (producer, consumer): (Bound, Bound),
    (filter, plan, makes, storage): (&Filter, &Plan, &[bool], &[Storage]),
    origin: &Origin,
) -> Bound {
    let Bound { binders: other_binders, screma: p } = producer;
    let Bound { binders: own_binders, screma: c } = consumer;
    let scanned = [p.scanned_count(), c.scanned_count()];
    let Lambda { params, body: Body { mut stms, result } } = p.map;
    let mut inner = c.map.body;
    let mut substitution = Substitution::new();
    for (&param, &element) in c.map.params.iter().zip(&filter.elements) {
        substitution.insert(param, element);
    }
    substitution.body(vars, &mut inner);
    let post = p.post.unwrap_or_else(|| identity(vars, &result));
    let own_post = c.post.unwrap_or_else(|| identity(vars, &inner.result));
    let mut results = inner.result.clone();
    stms.extend(masked_branch(vars, inner, &mut results, (filter, plan), origin));
    let map = Lambda { params, body: Body { stms, result: side_by_side(result, results, scanned) } };

    let Body { mut stms, result: others } = post.body;
    stms.extend(own_post.body.stms);
    let mut values = own_post.body.result;
    for &(at, blank) in &plan.chosen {
        let chosen = fresh(vars, values[at]);
        let then = Body { stms: Vec::new(), result: vec![values[at]] };
        let otherwise = Body { stms: Vec::new(), result: vec![blank] };
        let exp = Exp::If { cond: filter.mark, then, otherwise };
        stms.push(Stm { binders: vec![chosen], exp, origin: origin.clone() });
        values[at] = Atom::Var(chosen);
    }
    let (mut result, mut sinks, mut binders) = (Vec::new(), Vec::new(), Vec::new());
    let (mut values, mut own_binders, mut storage) =
        (values.into_iter(), own_binders.into_iter(), storage.iter());
    for (sink, &makes) in c.sinks.into_iter().zip(makes) {
        result.extend((sink == Sink::Map).then_some(filter.at));
        result.extend(values.by_ref().take(sink.arity()));
        let results: Vec<Var> = own_binders.by_ref().take(sink.results()).collect();
        match makes.then(|| storage.next()).flatten() {
            Some(array) => {
                binders.push(array.written);
                sinks.push(Sink::Write { target: array.target, rank: 1 });
            }
            None => {
                binders.extend(results);
                sinks.push(sink);
            }
        }
    }
    result.extend(others);
    binders.extend(other_binders);
    sinks.extend(p.sinks);
    let params = side_by_side(post.params, own_post.params, scanned);
    let post = Some(Lambda { params, body: Body { stms, result } });
    let scans = p.scans.into_iter().chain(c.scans).collect();
    Bound { binders, screma: Screma { width: p.width, sources: p.sources, map, scans, post, sinks } }
}

/// The branch on the mark that computes the conditional results, if there are any. Replaces these results by its
/// binders.
fn masked_branch(
    vars: &mut VarTable,
    inner: Body,
    results: &mut [Atom],
    (filter, plan): (&Filter, &Plan),
    origin: &Origin,
) -> Option<Stm> {
    let mut binders = Vec::new();
    let mut then = Body { stms: inner.stms, result: Vec::new() };
    let mut otherwise = Body::default();
    for (at, &value) in inner.result.iter().enumerate().filter(|&(at, _)| plan.masked[at]) {
        let zero = Atom::Const(PrimValue::zero(atom_type(vars, value).elem));
        let binder = fresh(vars, value);
        binders.push(binder);
        then.result.push(value);
        otherwise.result.push(plan.blanks[at].unwrap_or(zero));
        results[at] = Atom::Var(binder);
    }
    let exp = Exp::If { cond: filter.mark_before, then, otherwise };
    (!binders.is_empty()).then(|| Stm { binders, exp, origin: origin.clone() })
}

fn fresh(vars: &mut VarTable, like: Atom) -> Var {
    let hint = like.var().and_then(|var| vars[var].hint);
    let ty = atom_type(vars, like);
    vars.push(VarInfo { hint, ty })
}
