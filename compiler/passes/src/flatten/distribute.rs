//! # distribute, interchange-loop, interchange-branch: a map with inner constructs becomes several segments
//!
//! ## Rule
//!
//! ```text
//!   zs = #[flattening(full)] screma n { from xss map \xs -> { y = reduce m { xs }  e = S[y]  z = map m { T[xs, e] } in z } to map }
//!   ----------------------------------------------------------------------------------------------------------------------
//!   ys = segment grid (i < n, j < m) { map \() -> xss[i, j]  to reduce }
//!   es = segment grid (i < n) { map \() -> { y = ys[i]  in S[y] }  to map }
//!   zs = segment grid (i < n, j < m) { map \() -> { e = es[i]  in T[xss[i, j], e] }  to map }
//!
//!   rs = #[flattening(full)] screma n { from xss map \xs -> { r = loop (p = xs) for k < b do B in r } to map }
//!   --------------------------------------------------------------------------------------------------------
//!   rs = loop (ps = copy xss) for k < b do segment grid (i < n) { map \() -> { p = ps[i]  B }  to map }
//! ```
//!
//! * *distribute*: if an outermost construct has the attribute `flattening(full)`, its inner constructs become segments of
//!   their own, and the sequential code between them becomes segments over the outer points.
//! * *interchange-loop*: a loop of the points that has inner constructs becomes a loop of the host, whose merge parameters are
//!   arrays over all points.
//! * *interchange-branch*: a branch of the points that has inner constructs becomes a branch of the host.
//!
//! So all levels of a nest run in parallel, also if the outer construct has few points. The rules repeat inside the new
//! segments. An inner construct that maps becomes another dimension of the segment, as in `nest`. One that reduces or scans
//! combines along the last dimension.
//!
//! The statements of a point are divided into groups (`distribute/groups.rs`). Each inner construct, loop or branch that can be
//! exchanged with the outer construct is a group, and sequential statements share groups. A value that another group needs is
//! stored in an array over all points. Views, checks and short arithmetic are computed again in each group instead. Scalars that
//! are the same for all points are computed before the segments.
//!
//! If the outer construct does more than map, a second construct scans, reduces, writes or combines what the points
//! computed (`after_map.rs`). It also computes the scalars at the end of a point, so that these need no segment.
//!
//! ## Requires
//!
//! * *parallel-inside*: an inner construct of the point can run in parallel. Its width and the sizes of its results are the same
//!   for all points. It only maps, or reduces or scans scalars, by operators that use no variable of the point. It
//!   does not have the attribute `sequential`. It may be in a loop or branch if the number of iterations or the condition is the
//!   same for all points, and if the loop consumes none of its arrays.
//! * *no-shared-consumption*: no array that a group passes to another one is consumed.
//! * *fixed-shapes*: the sizes of an array that a group passes to another one are the same for all points.
//!
//! ## Ensures
//!
//! Every element is computed as before. Groups run in the order of their dependences. A check stays before everything that it
//! guards.
//!
//! ## Leaves alone
//!
//! Constructs without the attribute. Loops and branches that differ from point to point stay sequential code of the points, with
//! all constructs in them.
//!
//! ## Costs
//!
//! An array over all points for each value that a group passes to another one, and a launch for each group. A loop of the host
//! launches in each iteration, and the arrays of its parameters are copied before it.
//!
//! ## Source
//!
//! Henriksen, Thorøe, Elsman and Oancea, "Incremental Flattening for Nested Data Parallelism" (PPoPP 2019): its rules
//! of map fission and of interchange, and of reductions and scans inside of maps.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xss: [n][m]f32, rounds: i64) -> (out: [n][m]f32) = {
//!   let zss: [n][m]f32 = #[flattening(full)] screma n {
//!     from xss
//!     map \(xs: [m]f32) -> {
//!       let most: f32 = screma m {
//!         from xs
//!         map \(x: f32) -> x
//!         to reduce \(a: f32, b: f32) -> { let c: f32 = max a b in c } (0f32)
//!       }
//!       let root: f32 = sqrt most
//!       let scale: f32 = exp root
//!       let zs: [m]f32 = loop (ys: [m]f32 = xs) for k: i64 < rounds do {
//!         let first: bool = eq k 0
//!         let next: [m]f32 = if first then {
//!           let divided: [m]f32 = screma m { from ys map \(y: f32) -> { let z: f32 = div y scale in z } to map }
//!           in divided
//!         } else {
//!           let squared: [m]f32 = screma m { from ys map \(u: f32) -> { let v: f32 = mul u u in v } to map }
//!           in squared
//!         }
//!         in next
//!       }
//!       in zs
//!     }
//!     to map
//!   }
//!   in zss
//! }
//! entry main = main (n, m, xss, rounds) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xss_2: [n_0][m_1]f32, rounds_3: i64) -> (out_4: [n_0][m_1]f32) = {
//!   let most_5: [n_0]f32 = segment grid (v6 < n_0, v7 < m_1) {
//!     map \() -> {
//!       let x_8: f32 = xss_2[v6, v7]
//!       in x_8
//!     }
//!     to reduce \(a_9: f32, b_10: f32) -> {
//!       let c_11: f32 = max a_9 b_10
//!       in c_11
//!     } (0.0f32)
//!   }
//!   let scale_12: [n_0]f32 = #[flattening(full)] segment grid (v13 < n_0) {
//!     map \() -> {
//!       let most_14: f32 = most_5[v13]
//!       let root_15: f32 = sqrt most_14
//!       let scale_16: f32 = exp root_15
//!       in scale_16
//!     }
//!     to map
//!   }
//!   let ys_17: [n_0][m_1]f32 = segment grid (v18 < n_0, v19 < m_1) {
//!     map \() -> {
//!       let xs_20: [m_1]f32 = slice xss_2[v18, 0i64 : m_1 : 1i64]
//!       let v21: f32 = xs_20[v19]
//!       in v21
//!     }
//!     to map
//!   }
//!   let zss_22: [n_0][m_1]f32 = loop (ys_23: [n_0][m_1]f32 = ys_17) for k_24: i64 < rounds_3 do {
//!     let first_25: bool = eq k_24 0i64
//!     let next_26: [n_0][m_1]f32 = if first_25 then {
//!       let divided_27: [n_0][m_1]f32 = segment grid (v28 < n_0, v29 < m_1) {
//!         map \() -> {
//!           let scale_30: f32 = scale_12[v28]
//!           let y_31: f32 = ys_23[v28, v29]
//!           let z_32: f32 = div y_31 scale_30
//!           in z_32
//!         }
//!         to map
//!       }
//!       in divided_27
//!     } else {
//!       let squared_33: [n_0][m_1]f32 = segment grid (v34 < n_0, v35 < m_1) {
//!         map \() -> {
//!           let u_36: f32 = ys_23[v34, v35]
//!           let v_37: f32 = mul u_36 u_36
//!           in v_37
//!         }
//!         to map
//!       }
//!       in squared_33
//!     }
//!     in next_26
//!   }
//!   in zss_22
//! }
//! entry main = main (n_0, m_1, xss_2, rounds_3) -> (out_4)
//! ```

mod groups;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Exp, Lambda, Level, Loop, Screma, Segment, Sink, Source, Stm, Substitution, Var, VarInfo,
    VarTable, atom_type, copy_body, free_in_body, free_in_lambda,
};

use self::groups::{Group, Groups, aliases, is_consumed, is_repeated};
use super::after_map::{split_after_map, split_after_scans, split_before_scalars};
use super::attributes::{self, Version};
use super::fill;
use super::grid::read;
use super::nest::{add_dimension, is_mapped, progression};
use super::sizes::KnownScalars;
use crate::simplify::dead;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const DISTRIBUTE: &str = "distribute";

/// The rule for loops with constructs inside.
pub(super) const INTERCHANGE_LOOP: &str = "interchange-loop";

/// The rule for branches with constructs inside.
pub(super) const INTERCHANGE_BRANCH: &str = "interchange-branch";

pub(super) const PARALLEL_INSIDE: Premise = Premise {
    name: "parallel-inside",
    about: "an inner construct of the point can run in parallel",
    otherwise: "no construct inside has a width that is the same for all points, and only maps, reduces or scans scalars",
};

pub(super) const NO_SHARED_CONSUMPTION: Premise = Premise {
    name: "no-shared-consumption",
    about: "no array that a group passes to another one is consumed",
    otherwise: "{} is consumed, and is used by several of the new segments",
};

pub(super) const FIXED_SHAPES: Premise = Premise {
    name: "fixed-shapes",
    about: "the sizes of an array that a group passes to another one are the same for all points",
    otherwise: "the size of {} differs from point to point",
};

/// Whether the statement asks for the rule.
pub(super) fn asks(stm: &Stm) -> bool {
    attributes::version(stm) == Some(Version::Full)
}

/// If a construct asks for the rule and does more than map, leaves its map in the statement, if this has inner constructs.
/// Returns a second statement, which has the rest.
pub(super) fn split_map(vars: &mut VarTable, stm: &mut Stm) -> Option<Stm> {
    let (true, Exp::Screma(screma)) = (asks(stm), &stm.exp) else { return None };
    if !has_constructs(&screma.map.body) {
        return None;
    }
    let mut screma = Screma::clone(screma);
    let mut consumer = split_before_scalars(vars, &mut screma, stm)?;
    attributes::remove(&mut consumer);
    stm.exp = Exp::Screma(Box::new(screma));
    Some(consumer)
}

/// Whether the body has a construct, also in loops and branches.
pub(super) fn has_constructs(body: &Body) -> bool {
    body.stms.iter().any(|stm| match &stm.exp {
        Exp::Screma(_) => true,
        Exp::Loop(looped) => has_constructs(&looped.body),
        Exp::If { then, otherwise, .. } => has_constructs(then) || has_constructs(otherwise),
        _ => false,
    })
}

/// Divides the points of a segment of maps into groups, each in a segment of its own. Returns these segments.
pub(super) fn distribute(
    vars: &mut VarTable,
    cx: &mut Cx,
    summaries: &Summaries,
    stm: &Stm,
) -> Option<Vec<Stm>> {
    let Exp::Segment(segment) = &stm.exp else { return None };
    if (segment.level, segment.points) != (Level::Grid, Level::Thread) || !is_mapped(&segment.screma) {
        return None;
    }
    if !has_constructs(&segment.screma.map.body) {
        return None;
    }
    let (mut segment, aliases) = prepared(vars, cx, summaries, stm)?;
    let mut known = KnownScalars::default();
    known.record_varying(segment.space().map(|(counter, _)| counter));
    let body = &mut segment.screma.map.body;
    let before = move_known_scalars(body, &mut known);
    let body = &segment.screma.map.body;
    let mut groups = Groups::of(vars, &aliases, known.clone(), body, &[]);
    if groups.is_ok() {
        let kept: Vec<usize> = not_exchanged(cx, body, groups.iter().flat_map(Groups::in_order));
        if !kept.is_empty() {
            groups = Groups::of(vars, &aliases, known, body, &kept);
        }
    }
    match groups {
        Ok(groups) => cx.fire(DISTRIBUTE, &stm.origin).then(|| {
            let segments = segments(vars, stm, &segment, &groups);
            before.into_iter().chain(segments).collect()
        }),
        Err((premise, blamed)) => {
            let name = blamed.and_then(|var| vars[var].hint);
            let refusal = Refusal::of(premise).blame(name, stm.origin.place());
            cx.refuse(DISTRIBUTE, refusal, &stm.origin);
            None
        }
    }
}

/// Takes the scalars out of the body that are the same for all points, and that can be computed before the segment.
fn move_known_scalars(body: &mut Body, known: &mut KnownScalars) -> Vec<Stm> {
    let mut moved = Vec::new();
    for stm in std::mem::take(&mut body.stms) {
        match known.can_move(&stm) {
            true => moved.push(stm),
            false => {
                known.record_varying(stm.binders.iter().copied());
                body.stms.push(stm);
            }
        }
    }
    moved
}

/// The numbers of the loops and branches in groups of their own that stay in the points, since their rules do not fire.
fn not_exchanged(cx: &mut Cx, body: &Body, groups: impl Iterator<Item = Group>) -> Vec<usize> {
    let mut stays = |at: &usize| {
        let stm = &body.stms[*at];
        let rule = match &stm.exp {
            Exp::Loop(_) => INTERCHANGE_LOOP,
            Exp::If { .. } => INTERCHANGE_BRANCH,
            _ => return false,
        };
        !cx.fire(rule, &stm.origin)
    };
    groups.filter_map(Group::parallel).filter(|at| stays(at)).collect()
}

/// A copy of a segment in which more inner constructs can run in parallel, with the alias sets of its points.
fn prepared(
    vars: &mut VarTable,
    cx: &mut Cx,
    summaries: &Summaries,
    stm: &Stm,
) -> Option<(Segment, Aliases)> {
    let whole = Body { stms: vec![stm.clone()], result: Vec::new() };
    let mut copy = copy_body(vars, None, Substitution::new(), &whole);
    let Exp::Segment(mut segment) = copy.stms.pop()?.exp else { return None };
    bind_recurrences(vars, &mut segment, stm);
    let body = &mut segment.screma.map.body;
    UseChecked { vars, values: Substitution::new() }.body(body);
    split_inner_constructs(vars, body);
    let aliases = aliases(vars, summaries, body);
    for stm in &mut body.stms {
        if !stm.binders.iter().any(|&binder| is_consumed(&aliases, binder)) {
            match stm.exp {
                Exp::Copy(array) => stm.exp = fill::copy(vars, array, &stm.origin),
                Exp::Iota { .. } | Exp::Replicate { .. } => fill::as_map(vars, cx, stm, Level::Thread),
                _ => {}
            }
        }
    }
    Some((*segment, aliases))
}

/// Uses scalars that a check returns as they were before the check. So a size or a bound that is checked in the point, but is the
/// same for all points, is known before the segment. The check still guards the statements after it. A result stays as the check
/// returns it, unless it is the size of another result.
struct UseChecked<'a> {
    vars: &'a mut VarTable,
    values: Substitution,
}

impl VisitMut for UseChecked<'_> {
    fn var(&mut self, _: &mut Var) {}

    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.values.atom(*atom);
    }

    fn binder(&mut self, var: &mut Var) {
        self.values.binder(self.vars, *var);
    }

    fn body(&mut self, body: &mut Body) {
        body.stms.iter_mut().for_each(|stm| self.stm(stm));
        let sizes: Vec<Atom> =
            body.result.iter().flat_map(|&result| atom_type(self.vars, result).shape).collect();
        for result in &mut body.result {
            let value = self.values.atom(*result);
            if sizes.contains(&value) {
                *result = value;
            }
        }
    }

    fn stm(&mut self, stm: &mut Stm) {
        self.exp(&mut stm.exp);
        stm.binders.iter_mut().for_each(|binder| self.binder(binder));
        if let Exp::Assert { values, .. } = &stm.exp {
            for (&binder, &value) in stm.binders.iter().zip(values) {
                if self.vars[binder].ty.is_scalar() {
                    self.values.insert(binder, value);
                }
            }
        }
    }
}

/// Makes statements of the recurrences that are sources of the segment.
fn bind_recurrences(vars: &mut VarTable, segment: &mut Segment, stm: &Stm) {
    let origin = stm.origin.inside();
    let params = std::mem::take(&mut segment.screma.map.params);
    let sources = std::mem::take(&mut segment.screma.sources);
    for (param, source) in params.into_iter().zip(sources).rev() {
        let stms = match source {
            Source::Iota { start, stride } => {
                progression(vars, param, (start, stride), segment.index, &origin)
            }
            Source::Array(array) => {
                let exp = read(vars, array, vec![Atom::Var(segment.index)]);
                vec![Stm { binders: vec![param], exp, origin: origin.clone() }]
            }
        };
        segment.screma.map.body.stms.splice(0..0, stms);
    }
}

/// Splits the inner constructs that do more than map, if their maps have constructs inside, so that these become parallel too.
/// Also splits those whose code after the scans uses variables of the point: the rows of a segment share this code. A construct may
/// be split for both reasons.
fn split_inner_constructs(vars: &mut VarTable, body: &mut Body) {
    let of_point: BTreeSet<Var> = body.stms.iter().flat_map(|stm| &stm.binders).copied().collect();
    // The next one last.
    let mut waiting = std::mem::take(&mut body.stms);
    waiting.reverse();
    while let Some(mut stm) = waiting.pop() {
        if let Exp::Screma(screma) = &stm.exp {
            let mut screma = Screma::clone(screma);
            let differs = |post: &Lambda| !free_in_lambda(vars, post).is_disjoint(&of_point);
            waiting.extend(match () {
                () if has_constructs(&screma.map.body) => split_after_map(vars, &mut screma, &mut stm),
                () if screma.post.as_ref().is_some_and(differs) => {
                    split_after_scans(vars, &mut screma, &mut stm)
                }
                () => None,
            });
            stm.exp = Exp::Screma(Box::new(screma));
        }
        body.stms.push(stm);
    }
}

/// A segment for each group, in order.
fn segments(vars: &mut VarTable, stm: &Stm, segment: &Segment, groups: &Groups) -> Vec<Stm> {
    let body = &segment.screma.map.body;
    let (arrays, repeated) = (BTreeMap::new(), Vec::new());
    let returned = stm.binders.iter().copied().collect();
    let mut segments = Segments { vars, stm, segment, groups, arrays, repeated, returned };
    for (&binder, &result) in stm.binders.iter().zip(&body.result) {
        match result.var().filter(|&var| groups.is_stored(var) && !segments.arrays.contains_key(&var)) {
            Some(var) => _ = segments.arrays.insert(var, binder),
            None => segments.repeated.push((result, binder)),
        }
    }
    // The last group is first, since a group stores what later ones read.
    let mut stms: Vec<Stm> =
        groups.in_order().rev().flat_map(|group| segments.of_group(group).into_iter().rev()).collect();
    stms.reverse();
    stms
}

/// The new segments, from the last to the first.
struct Segments<'a> {
    vars: &'a mut VarTable,
    /// The statement that is replaced.
    stm: &'a Stm,
    segment: &'a Segment,
    groups: &'a Groups,
    /// For each value of a point that is stored, the array over all points.
    arrays: BTreeMap<Var, Var>,
    /// The results of the point that are not values of a group, or are already stored, with their arrays. The last group
    /// stores them.
    repeated: Vec<(Atom, Var)>,
    /// The results, and the arrays with which a loop begins: it may return them as they are. Results share no memory, so no
    /// other loop may begin with one of these.
    returned: BTreeSet<Var>,
}

impl Segments<'_> {
    /// The statements of a group, in order.
    fn of_group(&mut self, group: Group) -> Vec<Stm> {
        let Some(at) = group.parallel() else {
            return self.sequential(group).into_iter().collect();
        };
        let inner = self.segment.screma.map.body.stms[at].clone();
        let arrays: Vec<Var> = inner.binders.iter().map(|&binder| self.array(binder)).collect();
        let mut stms = Vec::new();
        let stm = match inner.exp {
            Exp::Loop(looped) => {
                let looped = self.loop_over_points(at, looped, &mut stms);
                Stm { binders: Vec::new(), exp: Exp::Loop(looped), ..inner }
            }
            Exp::If { cond, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|side| self.over_points(at, Vec::new(), side));
                Stm { binders: Vec::new(), exp: Exp::If { cond, then, otherwise }, ..inner }
            }
            _ => {
                let result = inner.binders.iter().map(|&binder| Atom::Var(binder)).collect();
                let mut segment = self.map(0..=at, |other| other == at, Vec::new(), result);
                add_dimension(self.vars, &mut segment);
                Stm { binders: Vec::new(), exp: Exp::Segment(Box::new(segment)), ..inner }
            }
        };
        stms.push(self.with_new_names(stm, arrays));
        stms
    }

    /// The segment of a group of sequential statements, if it stores anything.
    fn sequential(&mut self, group: Group) -> Option<Stm> {
        let stms = self.segment.screma.map.body.stms.iter().enumerate();
        let own = stms.filter(|&(at, _)| self.groups.is_in(at, group)).flat_map(|(_, stm)| &stm.binders);
        let stored = own.filter_map(|var| Some((Atom::Var(*var), *self.arrays.get(var)?)));
        let mut outputs: Vec<(Atom, Var)> = stored.collect();
        if group == self.groups.last() {
            outputs.append(&mut self.repeated);
        }
        let groups = self.groups;
        let last = self.segment.screma.map.body.stms.len();
        self.outputs(0..=last, |at| groups.is_in(at, group), outputs)
    }

    /// A segment that stores these values in these arrays, if there are any.
    fn outputs(
        &mut self,
        range: RangeInclusive<usize>,
        own: impl Fn(usize) -> bool,
        outputs: Vec<(Atom, Var)>,
    ) -> Option<Stm> {
        let (mut result, arrays): (Vec<Atom>, Vec<Var>) = outputs.into_iter().unzip();
        if arrays.is_empty() {
            return None;
        }
        let stms = self.segment.screma.map.body.stms.iter().enumerate();
        let own_stms = stms.filter(|&(at, _)| own(at)).map(|(_, stm)| stm);
        let computed: Vec<Var> = own_stms.flat_map(|stm| &stm.binders).copied().collect();
        let copies = self.copy_views(&mut result, &computed);
        let segment = self.map(range, own, copies, result);
        let stm = self.statement(segment);
        Some(self.with_new_names(stm, arrays))
    }

    /// Replaces results that are views by copies, so that the elements of a row are copied in parallel. `computed` has the other
    /// variables. Returns the statements of the copies.
    fn copy_views(&mut self, result: &mut [Atom], computed: &[Var]) -> Vec<Stm> {
        let mut copies = Vec::new();
        for value in result {
            let Some(array) = value.var().filter(|var| !computed.contains(var)) else { continue };
            if !self.vars[array].ty.is_scalar() {
                let origin = self.stm.origin.inside();
                let exp = fill::copy(self.vars, array, &origin);
                let copy = self.vars.push(self.vars[array].clone());
                copies.push(Stm { binders: vec![copy], exp, origin });
                *value = Atom::Var(copy);
            }
        }
        copies
    }

    /// A loop of a point as a loop over arrays of all points. Pushes the statement that makes its first values, if there must
    /// be one.
    fn loop_over_points(&mut self, at: usize, looped: Loop, stms: &mut Vec<Stm>) -> Loop {
        let Loop { params, form, body } = looped;
        let (mut first, mut merged, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for &(param, init) in &params {
            let stored = init.var().filter(|&var| self.groups.is_stored(var)).map(|var| self.array(var));
            let array = stored.filter(|array| !self.returned.contains(array)).unwrap_or_else(|| {
                let array = self.array_like(Atom::Var(param));
                first.push((init, array));
                array
            });
            self.returned.insert(array);
            let all = self.array_like(Atom::Var(param));
            merged.push((all, Atom::Var(array)));
            let exp = read(self.vars, all, self.counters());
            reads.push(Stm { binders: vec![param], exp, origin: self.stm.origin.inside() });
        }
        stms.extend(self.outputs(0..=at, |_| false, first));
        // A parameter that becomes another one as it is needs no copy.
        let kept = |value: Atom| params.iter().position(|&(param, _)| Atom::Var(param) == value);
        let kept: Vec<Option<Atom>> =
            body.result.iter().map(|&value| Some(Atom::Var(merged[kept(value)?].0))).collect();
        let computed = body.result.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
        let result = computed.map(|(&value, _)| value).collect();
        let mut body = self.over_points(at, reads, Body { result, ..body });
        let mut computed = body.result.into_iter();
        body.result = kept.into_iter().filter_map(|kept| kept.or_else(|| computed.next())).collect();
        Loop { params: merged, form, body }
    }

    /// The body of a loop or branch of all points: a segment whose points run these statements, and then the body of the loop
    /// or branch of a point.
    fn over_points(&mut self, at: usize, mut before: Vec<Stm>, mut body: Body) -> Body {
        let arrays: Vec<Var> = body.result.iter().map(|&result| self.array_like(result)).collect();
        let computed = body.stms.iter().filter(|stm| !is_repeated(&stm.exp)).flat_map(|stm| &stm.binders);
        let computed: Vec<Var> = computed.copied().collect();
        let copies = self.copy_views(&mut body.result, &computed);
        before.extend(body.stms.into_iter().chain(copies));
        let segment = self.map(0..=at, |_| false, before, body.result);
        let stm = Stm { binders: arrays.clone(), ..self.statement(segment) };
        Body { stms: vec![stm], result: arrays.into_iter().map(Atom::Var).collect() }
    }

    fn statement(&self, segment: Segment) -> Stm {
        let origin = self.stm.origin.clone();
        Stm { binders: Vec::new(), exp: Exp::Segment(Box::new(segment)), origin }
    }

    /// A segment that maps these statements of the point, with those that every group repeats, and then others. It reads what
    /// other groups store.
    fn map(
        &mut self,
        range: RangeInclusive<usize>,
        own: impl Fn(usize) -> bool,
        then: Vec<Stm>,
        result: Vec<Atom>,
    ) -> Segment {
        let stms = self.segment.screma.map.body.stms.iter().enumerate();
        let stms = stms.filter(|&(at, _)| range.contains(&at) && (own(at) || self.groups.is_repeated(at)));
        let stms = stms.map(|(_, stm)| stm.clone()).chain(then).collect();
        let mut body = Body { stms, result };
        dead::slice_with_checks(self.vars, &mut body);
        let bound: Vec<Var> = body.stms.iter().flat_map(|stm| &stm.binders).copied().collect();
        let mut reads = Vec::new();
        for var in free_in_body(self.vars, &body) {
            if self.groups.is_stored(var) && !bound.contains(&var) {
                let array = self.array(var);
                let exp = read(self.vars, array, self.counters());
                reads.push(Stm { binders: vec![var], exp, origin: self.stm.origin.inside() });
            }
        }
        body.stms.splice(0..0, reads);
        let sinks = vec![Sink::Map; body.result.len()];
        let map = Lambda { params: Vec::new(), body };
        let width = self.segment.screma.width;
        let screma = Screma { width, sources: Vec::new(), map, scans: Vec::new(), post: None, sinks };
        Segment { screma, ..self.segment.clone() }
    }

    /// The statement with its own counters and other variables, which binds these arrays.
    fn with_new_names(&mut self, mut stm: Stm, binders: Vec<Var>) -> Stm {
        stm.origin.add_rule(DISTRIBUTE);
        let body = Body { stms: vec![stm], result: Vec::new() };
        let mut copy = copy_body(self.vars, None, Substitution::new(), &body);
        let stm = copy.stms.pop();
        stm.map(|stm| Stm { binders, ..stm }).unwrap_or_else(|| unreachable!("the copy has the statement"))
    }

    fn counters(&self) -> Vec<Atom> {
        self.segment.space().map(|(counter, _)| Atom::Var(counter)).collect()
    }

    /// The array over all points of a value that a group stores.
    fn array(&mut self, var: Var) -> Var {
        match self.arrays.get(&var) {
            Some(&array) => array,
            None => {
                let array = self.array_like(Atom::Var(var));
                self.arrays.insert(var, array);
                array
            }
        }
    }

    /// A new array over all points, for values like this one.
    fn array_like(&mut self, value: Atom) -> Var {
        let ty = atom_type(self.vars, value).over(self.segment.space().map(|(_, size)| size));
        let hint = value.var().and_then(|var| self.vars[var].hint);
        self.vars.push(VarInfo { hint, ty })
    }
}
