//! The composition of a filter and what reads the elements that it keeps.
//!
//! ```text
//!   P = sources → map → scans → post → sinks        C = kept elements → map → scans → post → sinks
//!
//!   C's map is applied behind P's where there is a mark, and else gives blanks; its scans go beside
//!   those of P, its post lambda behind that of P. What comes out goes to C's sinks, then to P's.
//! ```
//!
//! A blank is what lets a point without a mark leave no trace: the neutral element of a scan or a
//! reduction, -1 of a position. Often it only has to be handed in: the position of a second filter
//! is -1 where its own mark is false. Where that is not enough, the value is chosen in the end. Of
//! what is written nowhere any blank will do.

use ravel_core::{
    Atom, Body, Exp, Lambda, Origin, Screma, Sink, Stm, Substitution, Var, VarInfo, VarTable, atom_type,
};
use ravel_prim::{PrimType, PrimValue, convert};

use super::Room;
use super::kept::{Filter, definition};
use crate::fuse::compose::{Bound, identity, side_by_side};

/// What a consumer's lambdas give where there is no mark.
pub struct Plan {
    /// What each result of the map lambda must be, if that matters.
    blanks: Vec<Option<Atom>>,
    /// The results of the map lambda that hang on the mark.
    behind: Vec<bool>,
    /// Which values dealt to the sinks are chosen in the end, and what they are without a mark.
    chosen: Vec<(usize, Atom)>,
}

impl Plan {
    /// The blanks of a consumer.
    pub fn of(vars: &VarTable, screma: &Screma) -> Plan {
        let neutral = screma.scans.iter().flat_map(|scan| &scan.neutral);
        let mut blanks: Vec<Option<Atom>> = neutral.copied().map(Some).collect();
        let scanned = blanks.len();
        blanks.resize(screma.map.body.result.len(), None);
        let mut quiet = Quiet { vars, screma, scanned, blanks };
        let mut chosen = Vec::new();
        for (sink, _, values) in screma.sink_ranges() {
            let needed = match sink {
                Sink::Reduce { neutral, .. } => neutral.clone(),
                Sink::Write { .. } | Sink::Combine { .. } => vec![Atom::i64(-1)],
                Sink::Map => Vec::new(),
            };
            let loud = values.zip(needed).filter(|&(at, blank)| !quiet.is_dealt(at, blank));
            chosen.extend(loud.collect::<Vec<_>>());
        }
        let Body { stms, result } = &screma.map.body;
        let is_bound =
            |atom: Atom| stms.iter().any(|stm| stm.binders.iter().any(|&var| Atom::Var(var) == atom));
        let behind = result.iter().zip(&quiet.blanks);
        let behind = behind.map(|(&atom, blank)| blank.map_or_else(|| is_bound(atom), |blank| blank != atom));
        Plan { behind: behind.collect(), blanks: quiet.blanks, chosen }
    }

    /// Is all that hangs on the mark scalars?
    pub fn is_scalar(&self, vars: &VarTable, screma: &Screma) -> bool {
        let behind = screma.map.body.result.iter().zip(&self.behind).filter(|(_, behind)| **behind);
        let mut atoms = behind.map(|(&atom, _)| atom).chain(self.chosen.iter().map(|&(_, blank)| blank));
        atoms.all(|atom| atom_type(vars, atom).is_scalar())
    }
}

/// Finds out what has to be handed in for what comes out to be blank.
struct Quiet<'a> {
    vars: &'a VarTable,
    screma: &'a Screma,
    scanned: usize,
    blanks: Vec<Option<Atom>>,
}

impl Quiet<'_> {
    /// Is the value dealt at this position a blank if only the right ones are handed in?
    fn is_dealt(&mut self, at: usize, blank: Atom) -> bool {
        match &self.screma.post {
            None => self.is_handed_in(at, blank),
            Some(post) => self.is_quiet(post, post.body.result[at], blank),
        }
    }

    fn is_handed_in(&mut self, at: usize, blank: Atom) -> bool {
        at >= self.scanned && *self.blanks[at].get_or_insert(blank) == blank
    }

    fn is_quiet(&mut self, post: &Lambda, atom: Atom, blank: Atom) -> bool {
        let no = Atom::bool(false);
        let Atom::Var(var) = atom else { return atom == blank };
        if let Some(at) = post.params.iter().position(|&param| param == var) {
            return self.is_handed_in(at, blank);
        }
        let Some(stm) = definition(&post.body, atom) else { return false };
        match &stm.exp {
            Exp::Convert(ty, mark) if atom_type(self.vars, *mark).elem == PrimType::Bool => {
                blank == Atom::Const(convert(PrimValue::Bool(false), *ty)) && self.is_quiet(post, *mark, no)
            }
            Exp::If { cond, otherwise, .. } => {
                let at = stm.binders.iter().position(|&binder| binder == var);
                at.is_some_and(|at| otherwise.result[at] == blank) && self.is_quiet(post, *cond, no)
            }
            _ => false,
        }
    }
}

/// The composition of a filter and its consumer, which writes into these rooms what it mapped or
/// wrote.
pub fn compose(
    vars: &mut VarTable,
    (producer, consumer): (Bound, Bound),
    (filter, plan, makes, rooms): (&Filter, &Plan, &[bool], &[Room]),
    origin: &Origin,
) -> Bound {
    let Bound { binders: other_binders, screma: p } = producer;
    let Bound { binders: own_binders, screma: c } = consumer;
    let scanned = |screma: &Screma| screma.scans.iter().map(|scan| scan.neutral.len()).sum::<usize>();
    let scanned = [scanned(&p), scanned(&c)];
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
    stms.extend(behind_mark(vars, inner, &mut results, (filter, plan), origin));
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
    let (mut values, mut own_binders, mut rooms) =
        (values.into_iter(), own_binders.into_iter(), rooms.iter());
    for (sink, &makes) in c.sinks.into_iter().zip(makes) {
        result.extend((sink == Sink::Map).then_some(filter.at));
        result.extend(values.by_ref().take(sink.arity()));
        let results: Vec<Var> = own_binders.by_ref().take(sink.results()).collect();
        match makes.then(|| rooms.next()).flatten() {
            Some(room) => {
                binders.push(room.written);
                sinks.push(Sink::Write { target: room.target, rank: 1 });
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

/// The statement that computes behind the mark what hangs on it, if something does. Gives the
/// results the names that it binds.
fn behind_mark(
    vars: &mut VarTable,
    inner: Body,
    results: &mut [Atom],
    (filter, plan): (&Filter, &Plan),
    origin: &Origin,
) -> Option<Stm> {
    let mut binders = Vec::new();
    let mut then = Body { stms: inner.stms, result: Vec::new() };
    let mut otherwise = Body::default();
    for (at, &value) in inner.result.iter().enumerate().filter(|&(at, _)| plan.behind[at]) {
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
