//! # short-circuit: produce an array where it would be copied to
//!
//! ## Rule
//!
//! ```text
//!   alloc y = n … segment map (i < m) { … store ys[i] = e } … copy xs = ys E
//!   -------------------------------------------------------------------------
//!   … segment map (i < m) { … store xs[i] = e } … E
//! ```
//!
//! `xs` is any view of another memory block, and `ys` is the whole of `y`. The copy may also be a segment that copies one
//! element in each point.
//!
//! * *short-circuit*: a map stores its results where they would be copied to. So an update of part of an array by a map
//!   takes no memory and no copy.
//!
//! ## Requires
//!
//! * *dead*: only the map and the copy mention the array.
//! * *whole*: the copy reads the whole memory block of the array.
//! * *known-place*: the memory to which the array is copied, and the place in it, are known before the map.
//! * *rows*: the map accesses the array element by element, or through views of whole rows.
//! * *no-overlap*: from the map to the copy, nothing else accesses an element that the copy overwrites. The map refers
//!   to the memory by one name only, because a buffer that a GPU kernel stores to can be bound only once.
//! * *same-element*: if the map reads such elements, each iteration of a point reads only the one that it stores
//!   later.
//! * *cannot-fail*: then also no point can fail, since a failing point runs again.
//! * *not-transposed*: if neighbouring threads of the target access memory together, the copy does not transpose the array.
//!
//! ## Ensures
//!
//! One block and one copy fewer.
//!
//! ## Leaves alone
//!
//! Arrays that something else than a map produces, and copies in the code of threads.
//!
//! ## Costs
//!
//! One walk over the program. For each copy, one walk over the statements from the map to the copy.
//!
//! ## Source
//!
//! Munksgaard, Henriksen, Sadayappan and Oancea, "Memory optimizations in an array language" (SC 2022). As there, two
//! sets of elements are shown to be disjoint from their index functions.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n, m] (*xs: block i64 [n, m], k: i64) -> ([][]i64) {
//!   loop () for i: i64 < m {
//!     alloc y: block i64 = n
//!     view y1: i64 [n] = y + 0i64 * [1i64]
//!     view column: i64 [n] = xs + i * [m]
//!     segment map (j < n) chunk 1i64 {
//!       load f: i64 = column[j]
//!       let g: i64 = add(f, k)
//!       store y1[j] = g
//!     }
//!     segment map "copy" (j1 < n) chunk 1i64 {
//!       load e: i64 = y1[j1]
//!       store column[j1] = e
//!     }
//!   }
//!   yield n, m, xs
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0, m_1] (*xs_2: block i64 [n_0, m_1], k_3: i64) -> ([][]i64) {
//!   loop () for i_4: i64 < m_1 {
//!     view column_5: i64 [n_0] = xs_2 + i_4 * [m_1]
//!     view y1_6: i64 [n_0] = xs_2 + i_4 * [m_1]
//!     segment map (j_7 < n_0) chunk 1i64 {
//!       load f_8: i64 = column_5[j_7]
//!       let g_9: i64 = add(f_8, k_3)
//!       store y1_6[j_7] = g_9
//!     }
//!   }
//!   yield n_0, m_1, xs_2
//! }
//! ```

mod positions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ravel_kernel::*;
use ravel_prim::BinOp;

use self::positions::{Polynomial, Scalars, Unknown};
use super::blocks::Blocks;
use super::may_fire;
use super::occurrences::{block_of, threads_mut, view_of, visit_binders, visit_uses};
use crate::steps::Steps;
use crate::{Cx, KernelPass, Premise};

/// The pass `short-circuit`: its rule, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "short-circuit",
    about: "Produces an array where it would be copied to.",
    rules: &[RULE],
    premises: &[DEAD, WHOLE, KNOWN_PLACE, ROWS, NO_OVERLAP, SAME_ELEMENT, CANNOT_FAIL, NOT_TRANSPOSED],
    run,
};

const RULE: &str = "short-circuit";

const DEAD: Premise = Premise {
    name: "dead",
    about: "only the map and the copy mention the array",
    otherwise: "{} is used elsewhere too",
};

const WHOLE: Premise = Premise {
    name: "whole",
    about: "the copy reads the whole memory block of the array",
    otherwise: "only part of {} is copied",
};

const KNOWN_PLACE: Premise = Premise {
    name: "known-place",
    about: "the memory to which the array is copied, and the place in it, are known before the map",
    otherwise: "the place of {} is known only after the map",
};

const ROWS: Premise = Premise {
    name: "rows",
    about: "the map accesses the array element by element, or through views of whole rows",
    otherwise: "the map accesses {} in another way",
};

const NO_OVERLAP: Premise = Premise {
    name: "no-overlap",
    about: "from the map to the copy, nothing else accesses an element that the copy overwrites",
    otherwise: "the elements that {} overwrites may be accessed before the copy",
};

const SAME_ELEMENT: Premise = Premise {
    name: "same-element",
    about: "if the map reads such elements, each iteration of a point reads only the one that it stores later",
    otherwise: "the map may read elements that other points of {} would have overwritten",
};

const CANNOT_FAIL: Premise = Premise {
    name: "cannot-fail",
    about: "then also no point can fail, since a failing point runs again",
    otherwise: "a point of {} that fails would read what it has overwritten",
};

const NOT_TRANSPOSED: Premise = Premise {
    name: "not-transposed",
    about: "if neighbouring threads of the target access memory together, the copy does not transpose the array",
    otherwise: "neighbouring threads would store elements of {} far from each other",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.host_functions {
        let blocks = Blocks::of_function(function);
        let scalars = Scalars::of(&function.body, &[]);
        ShortCircuit { vars: &mut function.vars, blocks, scalars, cx }.body(&mut function.body);
    }
    for entry in &mut program.entries {
        let blocks = Blocks::of_entry(entry);
        let scalars = Scalars::of(&entry.body, &entry.sizes);
        ShortCircuit { vars: &mut entry.vars, blocks, scalars, cx }.body(&mut entry.body);
    }
    program.remove_dead_code();
}

struct ShortCircuit<'a> {
    vars: &'a mut VarTable,
    blocks: Blocks,
    scalars: Scalars,
    cx: &'a mut Cx,
}

/// A copy that may become unnecessary.
#[derive(Clone)]
struct Candidate {
    /// The position of the map.
    map: usize,
    /// The position of the copy.
    copy: usize,
    /// The array that the copy reads.
    from: View,
    /// The array that the copy overwrites.
    to: View,
}

/// The statements of a body, and what becomes of them.
struct Statements {
    /// For each block, the positions of the statements that mention it.
    mentions: BTreeMap<Var, BTreeSet<usize>>,
    /// For each variable that the body binds, the position of its statement.
    binders: BTreeMap<Var, usize>,
    /// The positions of the statements that the rule drops or moves.
    dropped: BTreeSet<usize>,
    /// The statements that it inserts before a position.
    before: BTreeMap<usize, Vec<Step<Host>>>,
}

impl ShortCircuit<'_> {
    fn body(&mut self, body: &mut Body<Host>) {
        for step in &mut body.stms {
            match &mut step.stm {
                Stm::If { then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                }
                Stm::Loop { body, .. } => self.body(body),
                Stm::Segment(_) | stm_without_bodies!() => (),
            }
        }
        if !body.stms.iter().any(|step| matches!(step.stm, Stm::Alloc { .. })) {
            return;
        }
        let mut statements = self.statements(body);
        for copy in 0..body.stms.len() {
            let Some(candidate) = self.candidate(body, &statements, copy) else { continue };
            let moved = self.check(body, &statements, &candidate);
            let hint = self.vars[candidate.from.block].hint;
            let origin = &body.stms[candidate.map].origin;
            if may_fire(self.cx, RULE, moved.as_ref().err().copied(), hint, origin)
                && let Ok(moved) = moved
            {
                self.rewrite(body, &mut statements, &candidate, moved);
            }
        }
        let Statements { dropped, mut before, .. } = statements;
        for (at, step) in std::mem::take(&mut body.stms).into_iter().enumerate() {
            body.stms.extend(before.remove(&at).unwrap_or_default());
            if !dropped.contains(&at) {
                body.stms.push(step);
            }
        }
    }

    fn statements(&self, body: &Body<Host>) -> Statements {
        let (mut mentions, mut binders) = (BTreeMap::<Var, BTreeSet<usize>>::new(), BTreeMap::new());
        let mut mention = |var: Var, at: usize| {
            for block in block_of(var, self.vars).into_iter().flat_map(|block| self.blocks.roots(block)) {
                mentions.entry(block).or_default().insert(at);
            }
        };
        for (at, step) in body.stms.iter().enumerate() {
            visit_uses(&step.stm, &mut |var| mention(var, at));
            visit_binders(&step.stm, &mut |var| _ = binders.insert(var, at));
        }
        body.result.iter().filter_map(|atom| atom.var()).for_each(|var| mention(var, body.stms.len()));
        Statements { mentions, binders, dropped: BTreeSet::new(), before: BTreeMap::new() }
    }

    /// The candidate whose copy is at this position: a map is the first to mention the array, which is allocated in this
    /// body.
    fn candidate(&self, body: &Body<Host>, statements: &Statements, copy: usize) -> Option<Candidate> {
        let (to, from) = self.copied(&body.stms[copy].stm)?;
        let (to, from) = (view_of(to, self.vars)?.clone(), view_of(from, self.vars)?.clone());
        let alloc = &body.stms[*statements.binders.get(&from.block)?].stm;
        let in_device = matches!(&self.vars[from.block].ty, Type::Block(ty) if ty.space == Space::Device);
        let map = *statements.mentions.get(&from.block)?.first()?;
        let is_map = matches!(
            &body.stms[map].stm,
            Stm::Segment(GridSegment { points: Points::Threads { kind: SegmentKind::Map, .. }, .. })
        );
        let is_candidate =
            matches!(alloc, Stm::Alloc { .. }) && in_device && is_map && map < copy && to.block != from.block;
        is_candidate.then_some(Candidate { map, copy, from, to })
    }

    /// The array that a statement overwrites with another one, and that other one.
    fn copied(&self, stm: &Stm<Host>) -> Option<(Var, Var)> {
        match stm {
            &Stm::Copy { to, from } => Some((to, from)),
            Stm::Segment(segment) => {
                let (SegmentKind::Map, body) = segment.threads()? else { return None };
                let [Step { stm: load, .. }, Step { stm: store, .. }] = &body.stms[..] else { return None };
                let Stm::Load { var, array: from, indices: of_load } = load else { return None };
                let Stm::Store { array: to, indices: of_store, value } = store else { return None };
                let (counters, sizes): (Vec<Atom>, Vec<Atom>) =
                    segment.space.iter().map(|&(counter, size)| (Atom::Var(counter), size)).unzip();
                let shapes = [*from, *to].map(|array| view_of(array, self.vars).map(|view| &view.shape));
                let copies = *value == Atom::Var(*var)
                    && [of_load, of_store].iter().all(|indices| **indices == counters)
                    && shapes.iter().all(|shape| *shape == Some(&sizes));
                copies.then_some((*to, *from))
            }
            _ => None,
        }
    }

    /// The positions of the statements that must move before the map, or the premise that fails.
    fn check(
        &self,
        body: &Body<Host>,
        statements: &Statements,
        candidate: &Candidate,
    ) -> Result<BTreeSet<usize>, Premise> {
        let Candidate { map, copy, from, to } = candidate;
        let (map, copy) = (*map, *copy);
        if statements.mentions[&from.block] != BTreeSet::from([map, copy]) {
            return Err(DEAD);
        }
        let Stm::Alloc { count, .. } = body.stms[statements.binders[&from.block]].stm else {
            return Err(WHOLE);
        };
        if !self.blocks.is_whole(from, count) {
            return Err(WHOLE);
        }
        let is_innermost = |view: &View, dimension: usize| view.strides[dimension] == Atom::i64(1);
        let innermost = |view| (0..from.shape.len()).filter(move |&dimension| is_innermost(view, dimension));
        if self.cx.target.coalesces
            && innermost(to).next().is_some()
            && !innermost(from).any(|dimension| is_innermost(to, dimension))
        {
            return Err(NOT_TRANSPOSED);
        }
        let mut moved = BTreeSet::new();
        let place = to.strides.iter().chain([&to.offset]).filter_map(|atom| atom.var());
        let is_known = |block: Var| statements.binders.get(&block).is_none_or(|&at| at < map);
        if !is_known(to.block) || !place.into_iter().all(|var| early(body, statements, map, var, &mut moved))
        {
            return Err(KNOWN_PLACE);
        }
        let Stm::Segment(segment) = &body.stms[map].stm else { return Err(ROWS) };
        let accesses = Accesses::of(&body.stms[map].stm, self.vars);
        let (own, others): (Vec<&Access>, Vec<&Access>) =
            accesses.all.iter().partition(|access| access.block(self.vars) == Some(from.block));
        let placed =
            |access: &&Access| view_of(access.array, self.vars).and_then(|view| self.place(view, candidate));
        if accesses.has_others(from.block) || !own.iter().all(|access| placed(access).is_some()) {
            return Err(ROWS);
        }
        let memory = self.blocks.memory(to.block);
        let are_disjoint = |accesses: &Accesses| {
            let may_be = |block: Var| !self.blocks.memory(block).is_disjoint(&memory);
            let is_disjoint = |access: &Access| {
                let Some(block) = access.block(self.vars) else { return true };
                !may_be(block) || (block == to.block && self.is_disjoint(access, to))
            };
            !accesses.others.iter().any(|&block| may_be(block)) && accesses.all.iter().all(is_disjoint)
        };
        for at in map + 1..copy {
            if !statements.dropped.contains(&at)
                && !are_disjoint(&Accesses::of(&body.stms[at].stm, self.vars))
            {
                return Err(NO_OVERLAP);
            }
        }
        // The other accesses of the map, without the reads of the elements that it overwrites.
        let overwritten =
            |access: &&&Access| access.block(self.vars) == Some(to.block) && !self.is_disjoint(access, to);
        let reads: Vec<&Access> = others.iter().copied().filter(|access| overwritten(&access)).collect();
        let rest = others.iter().copied().filter(|access| !overwritten(&access)).cloned().collect();
        let rest = Accesses { all: rest, others: accesses.others.clone() };
        if reads.iter().any(|access| access.stores) || !are_disjoint(&rest) {
            return Err(NO_OVERLAP);
        }
        if reads.is_empty() {
            return Ok(moved);
        }
        let is_same = |read: &Access, store: &Access| {
            let (Some(view), Some(target)) =
                (view_of(read.array, self.vars), view_of(store.array, self.vars))
            else {
                return false;
            };
            let target =
                self.place(target, candidate).and_then(|place| place.position(self, target, to, store));
            let position = self.position(view, read);
            read.is_counted()
                && store.is_counted()
                && read.order < store.order
                && position.is_some()
                && position == target
        };
        let is_later = |store: &&Access| store.stores && reads.iter().all(|read| is_same(read, store));
        if !own.iter().all(is_later) {
            return Err(SAME_ELEMENT);
        }
        if segment.can_fail() { Err(CANNOT_FAIL) } else { Ok(moved) }
    }

    /// The position of the element of an access.
    fn position(&self, view: &View, access: &Access) -> Option<Polynomial> {
        let indices = access.indices.as_ref()?;
        self.scalars.position(view, |dimension| self.scalars.polynomial(*indices.get(dimension)?))
    }

    /// Whether an access is to no element of a view of the same block.
    fn is_disjoint(&self, access: &Access, to: &View) -> bool {
        let Some(view) = view_of(access.array, self.vars) else { return false };
        let mut sizes = BTreeMap::new();
        let Some(region) = self.region(to, &mut sizes) else { return false };
        let element = self.position(view, access);
        let misses = |position: Option<Polynomial>, sizes: &BTreeMap<usize, Polynomial>| {
            position.is_some_and(|position| self.scalars.disjoint(&position, &region, sizes))
        };
        if misses(element, &sizes) {
            return true;
        }
        let elements = self.region(view, &mut sizes);
        misses(elements, &sizes)
    }

    /// The positions of all elements of a view. Adds the sizes of its places.
    fn region(&self, view: &View, sizes: &mut BTreeMap<usize, Polynomial>) -> Option<Polynomial> {
        let first = sizes.len();
        for (dimension, &size) in view.shape.iter().enumerate() {
            sizes.insert(first + dimension, self.scalars.polynomial(size)?);
        }
        self.scalars.position(view, |dimension| Some(Polynomial::variable(Unknown::Place(first + dimension))))
    }

    /// Where a view of the array lies after the rewrite.
    fn place(&self, view: &View, candidate: &Candidate) -> Option<Place> {
        let Candidate { from, to, .. } = candidate;
        let of = |atom: Atom| self.scalars.polynomial(atom);
        let mut rest = of(view.offset)?;
        let mut free: Vec<usize> = (0..view.shape.len()).collect();
        let mut place = Place { fixed: Vec::new(), strides: vec![Atom::i64(1); view.shape.len()] };
        for (dimension, &stride) in from.strides.iter().enumerate() {
            let (stride, size) = (of(stride)?, of(from.shape[dimension])?);
            let (index, remainder) = rest.divide(&stride)?;
            rest = remainder;
            let along = free.iter().position(|&own| {
                of(view.strides[own]).as_ref() == Some(&stride) && of(view.shape[own]).as_ref() == Some(&size)
            });
            match along {
                Some(along) if index.is_zero() => place.strides[free.remove(along)] = to.strides[dimension],
                _ if self.scalars.is_index(&index, &size) => {
                    place.fixed.push((index.atom()?, to.strides[dimension]))
                }
                _ => return None,
            }
        }
        (rest.is_zero() && free.is_empty()).then_some(place)
    }

    /// Lets the map store where the copy would, and drops the copy and the allocation. These statements move before the map.
    fn rewrite(
        &mut self,
        body: &mut Body<Host>,
        statements: &mut Statements,
        candidate: &Candidate,
        moved: BTreeSet<usize>,
    ) {
        let Candidate { map, copy, from, to } = candidate;
        let (map, copy) = (*map, *copy);
        let is_own = |vars: &VarTable, stm: &Stm<Host>| match stm {
            Stm::View(array) => view_of(*array, vars).is_some_and(|view| view.block == from.block),
            _ => false,
        };
        let before = statements.before.entry(map).or_default();
        before.extend(moved.iter().map(|&at| body.stms[at].clone()));
        for at in 0..copy {
            if is_own(self.vars, &body.stms[at].stm) && !statements.dropped.contains(&at) {
                let mut steps = vec![body.stms[at].clone()];
                self.move_views(&mut steps, candidate);
                statements.before.entry(map).or_default().extend(steps);
                statements.dropped.insert(at);
            }
        }
        for at in moved {
            visit_binders(&body.stms[at].stm, &mut |var| _ = statements.binders.insert(var, map));
            statements.dropped.insert(at);
        }
        statements.dropped.extend([statements.binders[&from.block], copy]);
        if let Stm::Segment(segment) = &mut body.stms[map].stm
            && let Some(point) = threads_mut::<Host>(segment)
        {
            self.move_views_in(point, candidate);
        }
        body.stms[map].add_rule(RULE);
        for block in self.blocks.roots(to.block) {
            let mentions = statements.mentions.entry(block).or_default();
            mentions.remove(&copy);
            mentions.insert(map);
        }
    }

    fn move_views_in(&mut self, body: &mut Body<Thread>, candidate: &Candidate) {
        self.move_views(&mut body.stms, candidate);
        for step in &mut body.stms {
            match &mut step.stm {
                Stm::If { then, otherwise, .. } => {
                    self.move_views_in(then, candidate);
                    self.move_views_in(otherwise, candidate);
                }
                Stm::Loop { body, .. } => self.move_views_in(body, candidate),
                Stm::Segment(_) | stm_without_bodies!() => (),
            }
        }
    }

    /// Moves the views of the array to their new memory. Each comes right before its first use: by then, an offset that
    /// it needs may be known from another view of that memory.
    fn move_views<L: Level>(&mut self, steps: &mut Vec<Step<L>>, candidate: &Candidate) {
        let (own, mut rest): (Vec<Step<L>>, Vec<Step<L>>) =
            std::mem::take(steps).into_iter().partition(|step| {
                matches!(&step.stm, Stm::View(array)
                if view_of(*array, self.vars).is_some_and(|view| view.block == candidate.from.block))
            });
        for step in own {
            let Stm::View(array) = step.stm else { continue };
            let Some(view) = view_of(array, self.vars).cloned() else { continue };
            let place = self.place(&view, candidate).expect("the premise `rows` holds");
            let first = rest.iter().position(|step| {
                let mut uses = false;
                visit_uses(&step.stm, &mut |var| uses |= var == array);
                uses
            });
            let first = first.unwrap_or(rest.len());
            let (offset, mut new) = self.offset(&place, &candidate.to, &rest[..first], &step.origin);
            self.vars[array].ty =
                Type::Array(View { block: candidate.to.block, offset, strides: place.strides, ..view });
            new.push(step);
            rest.splice(first..first, new);
        }
        *steps = rest;
    }

    /// The offset of a place, and the statements that compute it unless earlier ones do.
    fn offset<L: Level>(
        &mut self,
        place: &Place,
        to: &View,
        earlier: &[Step<L>],
        origin: &Arc<Origin>,
    ) -> (Atom, Vec<Step<L>>) {
        let wanted = place.offset(self, to);
        let known = earlier.iter().find_map(|step| match step.stm {
            Stm::Let { var, .. } => (wanted.is_some() && self.scalars.polynomial(Atom::Var(var)) == wanted)
                .then_some(Atom::Var(var)),
            _ => None,
        });
        if let Some(known) = known {
            return (known, Vec::new());
        }
        let mut steps = Steps::new(origin, self.vars);
        let offset = place.fixed.iter().fold(to.offset, |offset, &(index, stride)| {
            let step = steps.binary(BinOp::Mul, index, stride);
            steps.binary(BinOp::Add, offset, step)
        });
        let steps = steps.finish();
        for step in &steps {
            if let Stm::Let { var, exp } = &step.stm {
                self.scalars.record(*var, exp);
            }
        }
        (offset, steps)
    }
}

/// Whether the scalar is known before a position, or can be: then adds the positions of the statements that must move
/// there.
fn early(
    body: &Body<Host>,
    statements: &Statements,
    position: usize,
    var: Var,
    moved: &mut BTreeSet<usize>,
) -> bool {
    let Some(&at) = statements.binders.get(&var).filter(|&&at| at >= position && !moved.contains(&at)) else {
        return true;
    };
    let Stm::Let { exp, .. } = &body.stms[at].stm else { return false };
    let operands = exp.operands();
    let can_move = exp.is_total()
        && operands
            .iter()
            .filter_map(|atom| atom.var())
            .all(|var| early(body, statements, position, var, moved));
    moved.insert(at);
    can_move
}

/// Where a view of the array lies in the memory to which the array is copied.
struct Place {
    /// For each dimension that the view lacks: its index, and the stride of the new memory.
    fixed: Vec<(Atom, Atom)>,
    /// The strides of the view in the new memory.
    strides: Vec<Atom>,
}

impl Place {
    fn offset(&self, cx: &ShortCircuit, to: &View) -> Option<Polynomial> {
        let of = |atom: Atom| cx.scalars.polynomial(atom);
        self.fixed.iter().try_fold(of(to.offset)?, |offset, &(index, stride)| {
            offset.plus(&of(index)?.times(&of(stride)?)?)
        })
    }

    /// The new position of the element of an access to a view.
    fn position(&self, cx: &ShortCircuit, view: &View, to: &View, access: &Access) -> Option<Polynomial> {
        let origin = View { offset: Atom::i64(0), strides: self.strides.clone(), ..view.clone() };
        self.offset(cx, to)?.plus(&cx.position(&origin, access)?)
    }
}

/// The accesses of a statement to arrays, in program order.
#[derive(Default)]
struct Accesses {
    all: Vec<Access>,
    /// The blocks that the statement mentions otherwise.
    others: Vec<Var>,
}

/// An access to elements of an array.
#[derive(Clone)]
struct Access {
    array: Var,
    /// The indices of the element; `None` if it is to all elements.
    indices: Option<Vec<Atom>>,
    /// The counters of the loops in which it is; `None` for a while loop.
    loops: Vec<Option<Var>>,
    stores: bool,
    /// Its number in program order.
    order: usize,
}

impl Access {
    fn block(&self, vars: &VarTable) -> Option<Var> {
        block_of(self.array, vars)
    }

    /// Whether the indices contain the counters of all enclosing loops, so that each iteration accesses a different element.
    fn is_counted(&self) -> bool {
        let Some(indices) = &self.indices else { return false };
        let is_index =
            |counter: &Option<Var>| counter.is_some_and(|counter| indices.contains(&Atom::Var(counter)));
        self.loops.iter().all(is_index)
    }
}

impl Accesses {
    fn of(stm: &Stm<Host>, vars: &VarTable) -> Accesses {
        let mut accesses = Accesses::default();
        match stm {
            Stm::Segment(segment) => match segment.threads() {
                Some((SegmentKind::Map, body)) => accesses.body(body, &mut Vec::new(), vars),
                _ => visit_uses(stm, &mut |var| accesses.other(var, vars)),
            },
            stm => accesses.stm(stm, &mut Vec::new(), vars),
        }
        accesses
    }

    fn has_others(&self, block: Var) -> bool {
        self.others.contains(&block)
    }

    fn body<L: Level>(&mut self, body: &Body<L>, loops: &mut Vec<Option<Var>>, vars: &VarTable) {
        body.stms.iter().for_each(|step| self.stm(&step.stm, loops, vars));
        body.result.iter().filter_map(|atom| atom.var()).for_each(|var| self.other(var, vars));
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>, loops: &mut Vec<Option<Var>>, vars: &VarTable) {
        match stm {
            Stm::Load { array, indices, .. } => self.access(*array, Some(indices), loops, false),
            Stm::Store { array, indices, .. } => self.access(*array, Some(indices), loops, true),
            Stm::Copy { to, from } => {
                self.access(*from, None, loops, false);
                self.access(*to, None, loops, true);
            }
            Stm::If { then, otherwise, .. } => {
                self.body(then, loops, vars);
                self.body(otherwise, loops, vars);
            }
            Stm::Loop { params, form, body, .. } => {
                params.iter().filter_map(|(_, init)| init.var()).for_each(|var| self.other(var, vars));
                loops.push(match form {
                    LoopForm::For { index, .. } => Some(*index),
                    LoopForm::While(_) => None,
                });
                self.body(body, loops, vars);
                loops.pop();
            }
            Stm::Let { .. }
            | Stm::SineCosine { .. }
            | Stm::View(_)
            | Stm::Alloc { .. }
            | Stm::Constants { .. }
            | Stm::Combine { .. }
            | Stm::Assert { .. }
            | Stm::Trace { .. }
            | Stm::Choose { .. }
            | Stm::Call { .. }
            | Stm::Segment(_) => visit_uses(stm, &mut |var| self.other(var, vars)),
        }
    }

    fn access(&mut self, array: Var, indices: Option<&Vec<Atom>>, loops: &[Option<Var>], stores: bool) {
        let (indices, loops, order) = (indices.cloned(), loops.to_vec(), self.all.len());
        self.all.push(Access { array, indices, loops, stores, order });
    }

    fn other(&mut self, var: Var, vars: &VarTable) {
        self.others.extend(block_of(var, vars));
    }
}
