//! # distribute: a map with inner constructs becomes several segments
//!
//! ## Rule
//!
//! ```text
//!   zs = #[flattening(full)] screma n { from xss map \xs -> { y = reduce m { xs }  e = S[y]  zs = map m { T[xs, e] } in zs } to map }
//!   -----------------------------------------------------------------------------------------------------------------------
//!   ys = segment grid (i < n, j < m) { map \() -> xss[i, j]  to reduce }
//!   es = segment grid (i < n) { map \() -> { y = ys[i]  in S[y] }  to map }
//!   zs = segment grid (i < n, j < m) { map \() -> { e = es[i]  in T[xss[i], e] }  to map }
//! ```
//!
//! * *distribute*: if an outermost construct has the attribute `flattening(full)`, its inner constructs become segments of
//!   their own, and the sequential code between them becomes segments over the outer points.
//!
//! So all levels of a nest run in parallel, also if the outer construct has few points. The rule repeats inside the new
//! segments. An inner construct that maps becomes another dimension of the segment, as in `nest`. One that reduces or scans
//! combines along the last dimension.
//!
//! The statements of a point are divided into groups (`distribute/groups.rs`). Each inner construct that can run in parallel is
//! a group, and sequential statements share groups. A value that another group needs is stored in an array over all points. Views,
//! checks and short arithmetic are computed again in each group instead.
//!
//! If the outer construct does more than map, a second construct scans, reduces, writes or combines what the points
//! computed (`after_map.rs`).
//!
//! ## Requires
//!
//! * *parallel-inside*: an inner construct of the point can run in parallel. Its width and the sizes of its results are the same
//!   for all points. It only maps, or reduces or scans scalars, by operators that use no variable of the point. It
//!   does not have the attribute `sequential`.
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
//! Constructs without the attribute, and inner constructs in branches and loops, which are sequential code of a point.
//!
//! ## Costs
//!
//! An array over all points for each value that a group passes to another one, and a launch for each group.
//!
//! ## Source
//!
//! Henriksen, Thorøe, Elsman and Oancea, "Incremental Flattening for Nested Data Parallelism" (PPoPP 2019): its rules
//! of map fission, and of reductions and scans inside of maps.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xss: [n][m]f32) -> (out: [n][m]f32) = {
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
//!       let zs: [m]f32 = screma m { from xs map \(y: f32) -> { let z: f32 = div y scale in z } to map }
//!       in zs
//!     }
//!     to map
//!   }
//!   in zss
//! }
//! entry main = main (n, m, xss) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xss_2: [n_0][m_1]f32) -> (out_3: [n_0][m_1]f32) = {
//!   let most_4: [n_0]f32 = segment grid (v5 < n_0, v6 < m_1) {
//!     map \() -> {
//!       let x_7: f32 = xss_2[v5, v6]
//!       in x_7
//!     }
//!     to reduce \(a_8: f32, b_9: f32) -> {
//!       let c_10: f32 = max a_8 b_9
//!       in c_10
//!     } (0.0f32)
//!   }
//!   let scale_11: [n_0]f32 = #[flattening(full)] segment grid (v12 < n_0) {
//!     map \() -> {
//!       let most_13: f32 = most_4[v12]
//!       let root_14: f32 = sqrt most_13
//!       let scale_15: f32 = exp root_14
//!       in scale_15
//!     }
//!     to map
//!   }
//!   let zss_16: [n_0][m_1]f32 = segment grid (v17 < n_0, v18 < m_1) {
//!     map \() -> {
//!       let scale_19: f32 = scale_11[v17]
//!       let y_20: f32 = xss_2[v17, v18]
//!       let z_21: f32 = div y_20 scale_19
//!       in z_21
//!     }
//!     to map
//!   }
//!   in zss_16
//! }
//! entry main = main (n_0, m_1, xss_2) -> (out_3)
//! ```

mod groups;

use std::collections::BTreeMap;

use ravel_core::alias::Summaries;
use ravel_core::{
    Atom, Body, Exp, Lambda, Level, Screma, Segment, Sink, Source, Stm, Substitution, Var, VarInfo, VarTable,
    copy_body, free_in_body,
};

use self::groups::{Group, Groups, aliases, is_consumed};
use super::after_map::split_after_map;
use super::fill;
use super::grid::read;
use super::nest::{add_dimension, is_mapped, progression};
use crate::simplify::dead;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const DISTRIBUTE: &str = "distribute";

/// The attribute that asks for the rule.
pub(super) const ATTRIBUTE: &str = "flattening(full)";

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
    stm.origin.attributes.iter().any(|attribute| attribute.as_str() == ATTRIBUTE)
}

/// If a construct asks for the rule and does more than map, leaves its map in the statement, if this has inner constructs.
/// Returns a second statement, which has the rest.
pub(super) fn split_map(vars: &mut VarTable, stm: &mut Stm) -> Option<Stm> {
    let (true, Exp::Screma(screma)) = (asks(stm), &stm.exp) else { return None };
    if !has_constructs(&screma.map.body) {
        return None;
    }
    let mut screma = Screma::clone(screma);
    let mut consumer = split_after_map(vars, &mut screma, stm)?;
    consumer.origin.attributes.retain(|attribute| attribute.as_str() != ATTRIBUTE);
    stm.exp = Exp::Screma(Box::new(screma));
    Some(consumer)
}

fn has_constructs(body: &Body) -> bool {
    body.stms.iter().any(|stm| matches!(stm.exp, Exp::Screma(_)))
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
    let mut segment = Segment::clone(segment);
    bind_recurrences(vars, &mut segment, stm);
    let body = &mut segment.screma.map.body;
    split_inner_maps(vars, body);
    let aliases = aliases(vars, summaries, body);
    for stm in &mut body.stms {
        if !stm.binders.iter().any(|&binder| is_consumed(&aliases, binder)) {
            fill::as_map(vars, cx, stm, Level::Grid);
        }
    }
    let counters: Vec<Var> = segment.space().map(|(counter, _)| counter).collect();
    let groups = match Groups::of(vars, &aliases, &counters, &segment.screma.map.body) {
        Ok(groups) => groups,
        Err((premise, blamed)) => {
            let name = blamed.and_then(|var| vars[var].hint);
            let refusal = Refusal::of(premise).blame(name, stm.origin.place());
            cx.refuse(DISTRIBUTE, refusal, &stm.origin);
            return None;
        }
    };
    if !cx.fire(DISTRIBUTE, &stm.origin) {
        return None;
    }
    Some(segments(vars, stm, &segment, &groups))
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

/// Splits the inner constructs that do more than map, if their maps have constructs inside. So these become parallel too.
fn split_inner_maps(vars: &mut VarTable, body: &mut Body) {
    for mut stm in std::mem::take(&mut body.stms) {
        let mut consumer = None;
        if let Exp::Screma(screma) = &stm.exp
            && has_constructs(&screma.map.body)
        {
            let mut screma = Screma::clone(screma);
            consumer = split_after_map(vars, &mut screma, &mut stm);
            stm.exp = Exp::Screma(Box::new(screma));
        }
        body.stms.push(stm);
        body.stms.extend(consumer);
    }
}

/// A segment for each group, in order.
fn segments(vars: &mut VarTable, stm: &Stm, segment: &Segment, groups: &Groups) -> Vec<Stm> {
    let body = &segment.screma.map.body;
    let mut segments = Segments { vars, stm, segment, groups, arrays: BTreeMap::new(), repeated: Vec::new() };
    for (&binder, &result) in stm.binders.iter().zip(&body.result) {
        match result.var().filter(|&var| groups.is_stored(var) && !segments.arrays.contains_key(&var)) {
            Some(var) => _ = segments.arrays.insert(var, binder),
            None => segments.repeated.push((result, binder)),
        }
    }
    // The last group is first, since a group stores what later ones read.
    let mut stms: Vec<Stm> = groups.in_order().rev().filter_map(|group| segments.segment(group)).collect();
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
}

impl Segments<'_> {
    fn segment(&mut self, group: Group) -> Option<Stm> {
        let body = &self.segment.screma.map.body;
        let mut stms: Vec<Stm> = Vec::new();
        let mut own = Vec::new();
        for (at, stm) in body.stms.iter().enumerate() {
            if self.groups.is_in(at, group) {
                own.extend_from_slice(&stm.binders);
                stms.push(stm.clone());
            } else if self.groups.is_repeated(at) {
                stms.push(stm.clone());
            }
        }
        let is_parallel = self.groups.is_parallel(group);
        let mut outputs: Vec<(Atom, Var)> = Vec::new();
        for var in own {
            match self.arrays.get(&var) {
                Some(&array) => outputs.push((Atom::Var(var), array)),
                None if is_parallel => {
                    let array = self.array(var);
                    outputs.push((Atom::Var(var), array));
                }
                None => {}
            }
        }
        if group == self.groups.last() {
            outputs.append(&mut self.repeated);
        }
        if outputs.is_empty() {
            return None;
        }
        let mut code = Body { stms, result: outputs.iter().map(|&(value, _)| value).collect() };
        dead::slice(self.vars, &mut code);
        self.read_others(&mut code);
        let mut segment = Segment { screma: self.map(code), ..self.segment.clone() };
        let mut origin = self.stm.origin.clone();
        if is_parallel {
            origin = segment.screma.map.body.stms.last().map_or(origin, |inner| inner.origin.clone());
            add_dimension(self.vars, &mut segment);
        }
        origin.add_rule(DISTRIBUTE);
        // The counters of each segment are new.
        let stm = Stm { binders: Vec::new(), exp: Exp::Segment(Box::new(segment)), origin };
        let copy = Body { stms: vec![stm], result: Vec::new() };
        let copy = copy_body(self.vars, None, Substitution::new(), &copy);
        let binders: Vec<Var> = outputs.into_iter().map(|(_, array)| array).collect();
        copy.stms.into_iter().next().map(|stm| Stm { binders, ..stm })
    }

    /// The array over all points of a value.
    fn array(&mut self, var: Var) -> Var {
        if let Some(&array) = self.arrays.get(&var) {
            return array;
        }
        let VarInfo { hint, ty } = self.vars[var].clone();
        let ty = ty.over(self.segment.space().map(|(_, size)| size));
        let array = self.vars.push(VarInfo { hint, ty });
        self.arrays.insert(var, array);
        array
    }

    /// Reads the values of other groups from their arrays.
    fn read_others(&mut self, code: &mut Body) {
        let counters: Vec<Atom> = self.segment.space().map(|(counter, _)| Atom::Var(counter)).collect();
        let origin = self.stm.origin.inside();
        let mut reads = Vec::new();
        let bound: Vec<Var> = code.stms.iter().flat_map(|stm| &stm.binders).copied().collect();
        for var in free_in_body(self.vars, code) {
            if self.groups.is_stored(var) && !bound.contains(&var) {
                let array = self.array(var);
                let exp = read(self.vars, array, counters.clone());
                reads.push(Stm { binders: vec![var], exp, origin: origin.clone() });
            }
        }
        code.stms.splice(0..0, reads);
    }

    /// A construct that maps this code.
    fn map(&self, body: Body) -> Screma {
        let sinks = vec![Sink::Map; body.result.len()];
        let map = Lambda { params: Vec::new(), body };
        let width = self.segment.screma.width;
        Screma { width, sources: Vec::new(), map, scans: Vec::new(), post: None, sinks }
    }
}
