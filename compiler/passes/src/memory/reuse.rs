//! # reuse: produce an array in the memory of a dead one
//!
//! ## Rule
//!
//! ```text
//!   alloc y = n … copy ys = xs E
//!   -----------------------------------------------------------------
//!   … E                                                with x for y
//!
//!   alloc y = n … segment map (i < m) { … load e = xs[i] … store ys[i] = f … } E
//!   -----------------------------------------------------------------
//!   … segment map (i < m) { … load e = xs[i] … store ys[i] = f … } E      with x for y
//! ```
//!
//! `xs` and `ys` are views of the memory blocks `x` and `y`.
//!
//! * *copy-coalescing*: a copy of a dead array becomes the array itself.
//! * *map-in-place*: a map of a dead array overwrites it.
//!
//! The statement is the first use of `y`, which is allocated in the same body.
//!
//! ## Requires
//!
//! * *dead*: the older array belongs to this body, and is dead after the statement. `x` was allocated in the
//!   body before `y`, or it is the result of an earlier loop in memory that nothing else refers to, or it is a
//!   parameter whose memory belongs to the body. No later statement mentions memory that may alias it.
//! * *size*: both memory blocks have the same element type and the same number of elements, as a product of the
//!   same sizes.
//! * *layout*, of copy-coalescing: original and copy have the same layout in their memory blocks.
//! * *same-element*, of map-in-place: at one point, or in one iteration of a loop of the point, all accesses to the
//!   two arrays are to the same element. The segment refers to the memory of `x` by one name only, because a
//!   buffer that a GPU kernel stores to can be bound only once.
//! * *no-load-after-store*, of map-in-place: no load follows a store.
//! * *cannot-fail*, of map-in-place: no point can fail, since a failing point runs again. By then `x` may be
//!   overwritten.
//!
//! A loop parameter belongs to the loop's body under two conditions. Its initial value has no other use: it is
//! allocated in the body around the loop and not used after the loop. And its next value is always in memory that
//! the iteration allocates, or that belongs to the body already.
//!
//! ## Ensures
//!
//! One block fewer, and for copy-coalescing one copy fewer.
//!
//! ## Leaves alone
//!
//! Blocks in private memory. Reductions and scans, whose points may run twice.
//!
//! ## Costs
//!
//! One walk over the program.
//!
//! ## Source
//!
//! Memory reuse by last use and index functions as in Munksgaard, Henriksen, Sadayappan and Oancea, "Memory
//! optimizations in an array language" (SC 2022), who short-circuit copies by overlap tests on index functions.
//! Here the index functions must be equal.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block i64 [n]) -> ([]i64) {
//!   view xs1: i64 [n] = xs + 0i64 * [1i64]
//!   alloc x: block i64 = n
//!   view x1: i64 [n] = x + 0i64 * [1i64]
//!   copy x1 = xs1
//!   store x1[0i64] = 7i64
//!   alloc y: block i64 = n
//!   view y1: i64 [n] = y + 0i64 * [1i64]
//!   copy y1 = x1
//!   store y1[0i64] = 1i64
//!   alloc z: block i64 = n
//!   view z1: i64 [n] = z + 0i64 * [1i64]
//!   segment map (j < n) chunk 1i64 {
//!     load f: i64 = y1[j]
//!     let g: i64 = add(f, j)
//!     store z1[j] = g
//!   }
//!   yield n, z
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block i64 [n_0]) -> ([]i64) {
//!   view xs1_2: i64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc x_3: block i64 = n_0
//!   view x1_4: i64 [n_0] = x_3 + 0i64 * [1i64]
//!   copy x1_4 = xs1_2
//!   store x1_4[0i64] = 7i64
//!   view y1_5: i64 [n_0] = x_3 + 0i64 * [1i64]
//!   store y1_5[0i64] = 1i64
//!   view z1_6: i64 [n_0] = x_3 + 0i64 * [1i64]
//!   segment map (j_7 < n_0) chunk 1i64 {
//!     load f_8: i64 = y1_5[j_7]
//!     let g_9: i64 = add(f_8, j_7)
//!     store z1_6[j_7] = g_9
//!   }
//!   yield n_0, x_3
//! }
//! ```

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;

use super::blocks::{Blocks, overwritable};
use super::may_fire;
use super::occurrences::{block_of, same_function, threads_mut, view_of, visit_uses};
use super::rename::{Rename, Views};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise};

/// The pass `reuse`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "reuse",
    about: "Produces an array in the memory of a dead one.",
    rules: &[COPY, MAP],
    premises: &[DEAD, SIZE, LAYOUT, SAME_ELEMENT, NO_LOAD_AFTER_STORE, CANNOT_FAIL],
    run,
};

const COPY: &str = "copy-coalescing";
const MAP: &str = "map-in-place";

const DEAD: Premise = Premise {
    name: "dead",
    about: "the older array belongs to this body, and is dead after the statement",
    otherwise: "{} may be live after it, or does not belong to the body",
};

const SIZE: Premise = Premise {
    name: "size",
    about: "both memory blocks have the same element type and the same number of elements, as a product of the same sizes",
    otherwise: "{} has another size",
};

const LAYOUT: Premise = Premise {
    name: "layout",
    about: "original and copy have the same layout in their memory blocks",
    otherwise: "{} has another layout",
};

const SAME_ELEMENT: Premise = Premise {
    name: "same-element",
    about: "at one point, or in one iteration of a loop of the point, all accesses to the two arrays are to the same element",
    otherwise: "other elements of {} are read",
};

const NO_LOAD_AFTER_STORE: Premise = Premise {
    name: "no-load-after-store",
    about: "no load follows a store",
    otherwise: "{} is read after the store",
};

const CANNOT_FAIL: Premise = Premise {
    name: "cannot-fail",
    about: "no point can fail, since a failing point runs again",
    otherwise: "{} would be overwritten when a failing point runs again",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.host_functions {
        let blocks = Blocks::of_function(function);
        Reuse::new(&mut function.vars, blocks, cx).body(&mut function.body, &BTreeSet::new());
    }
    for function in &mut program.thread_functions {
        let blocks = Blocks::of_function(function);
        Reuse::new(&mut function.vars, blocks, cx).body(&mut function.body, &BTreeSet::new());
    }
    for entry in &mut program.entries {
        let blocks = Blocks::of_entry(entry);
        let own = overwritable(entry);
        Reuse::new(&mut entry.vars, blocks, cx).body(&mut entry.body, &own);
    }
    program.remove_dead_code();
}

struct Reuse<'a> {
    vars: &'a mut VarTable,
    blocks: Blocks,
    views: Views,
    cx: &'a mut Cx,
}

/// The positions in a body at which memory is allocated and mentioned.
#[derive(Default)]
struct Mentions {
    made: BTreeMap<Var, usize>,
    /// For each loop result in memory that nothing else refers to: the position of the loop.
    owned_results: BTreeMap<Var, usize>,
    first: BTreeMap<Var, usize>,
    last: BTreeMap<Var, usize>,
}

impl<'a> Reuse<'a> {
    fn new(vars: &'a mut VarTable, blocks: Blocks, cx: &'a mut Cx) -> Reuse<'a> {
        let views = Views::of(vars);
        Reuse { vars, blocks, views, cx }
    }

    /// Rewrites a body, which may overwrite the blocks in `own`.
    fn body<L: Level>(&mut self, body: &mut Body<L>, own: &BTreeSet<Var>) {
        let nothing = BTreeSet::new();
        for step in &mut body.stms {
            match &mut step.stm {
                Stm::If { then, otherwise, .. } => {
                    self.body(then, &nothing);
                    self.body(otherwise, &nothing);
                }
                Stm::Loop { params, body, .. } => {
                    let own =
                        params.iter().map(|&(param, _)| param).filter(|&param| self.blocks.is_own(param));
                    let own = own.collect();
                    self.body(body, &own);
                }
                Stm::Segment(segment) => {
                    if let Some(body) = threads_mut::<L>(segment) {
                        self.body(body, &nothing);
                    }
                }
                stm_without_bodies!() => (),
            }
        }
        // A body without memory of its own has nothing to reuse.
        if own.is_empty() && !body.stms.iter().any(|step| matches!(step.stm, Stm::Alloc { .. })) {
            return;
        }
        let mut mentions = self.mentions(body, own);
        let mut replaced = BTreeMap::new();
        let mut dropped = BTreeSet::new();
        for at in 0..body.stms.len() {
            let Step { stm, origin } = &body.stms[at];
            match stm {
                &Stm::Copy { to, from } => {
                    let (Some(y), Some(x)) = (block_of(to, self.vars), block_of(from, self.vars)) else {
                        continue;
                    };
                    if !self.is_fresh(&mentions, y, at) {
                        continue;
                    }
                    let same_layout = match (view_of(to, self.vars), view_of(from, self.vars)) {
                        (Some(to), Some(from)) => same_function(to, from),
                        _ => false,
                    };
                    let wrong =
                        self.missing_for_reuse(&mentions, y, x, at).or((!same_layout).then_some(LAYOUT));
                    if may_fire(self.cx, COPY, wrong, self.vars[x].hint, origin) {
                        self.replace(&mut mentions, y, x);
                        replaced.insert(y, x);
                        dropped.insert(at);
                    }
                }
                Stm::Segment(segment) => {
                    let AnySegment::Grid(segment) = L::segment(segment) else { continue };
                    let Some((SegmentKind::Map, point)) = segment.threads() else { continue };
                    let mut accesses = Accesses { can_fail: segment.can_fail(), ..Accesses::default() };
                    accesses.body(point, &mut Vec::new(), self.vars);
                    for &y in &accesses.stored {
                        if !self.is_fresh(&mentions, y, at) {
                            continue;
                        }
                        for &x in &accesses.loaded {
                            let memory = self.blocks.memory(x);
                            let is_other_name =
                                |block: Var| block != x && !self.blocks.memory(block).is_disjoint(&memory);
                            let wrong = self
                                .missing_for_reuse(&mentions, y, x, at)
                                .or_else(|| accesses.missing_for_overwrite(y, x, is_other_name));
                            if may_fire(self.cx, MAP, wrong, self.vars[x].hint, origin) {
                                self.replace(&mut mentions, y, x);
                                replaced.insert(y, x);
                                break;
                            }
                        }
                    }
                }
                _ => (),
            }
        }
        let mut at = 0..;
        body.stms.retain(|step| {
            let is_replaced = matches!(&step.stm, Stm::Alloc { block, .. } if replaced.contains_key(block));
            !is_replaced & at.next().is_some_and(|at| !dropped.contains(&at))
        });
        if !replaced.is_empty() {
            Rename(&replaced).body(body);
        }
    }

    fn mentions<L: Level>(&self, body: &Body<L>, own: &BTreeSet<Var>) -> Mentions {
        let mut mentions = Mentions::default();
        mentions.made.extend(own.iter().map(|&block| (block, 0)));
        let mut note = |var: Var, at: usize| {
            let Some(block) = block_of(var, self.vars) else { return };
            for root in self.blocks.roots(block) {
                mentions.first.entry(root).or_insert(at);
                mentions.last.insert(root, at);
            }
        };
        for (at, step) in body.stms.iter().enumerate() {
            visit_uses(&step.stm, &mut |var| note(var, at));
        }
        body.result.iter().filter_map(|atom| atom.var()).for_each(|var| note(var, body.stms.len()));
        for (at, step) in body.stms.iter().enumerate() {
            match &step.stm {
                Stm::Alloc { block, .. } => _ = mentions.made.insert(*block, at),
                Stm::Loop { binders, .. } => {
                    let owned = binders.iter().filter(|binder| self.blocks.is_owned_result(**binder));
                    mentions.owned_results.extend(owned.map(|&binder| (binder, at)));
                }
                _ => (),
            }
        }
        mentions
    }

    /// Whether the block is in device memory, is allocated in this body, and is first mentioned at this position.
    fn is_fresh(&self, mentions: &Mentions, y: Var, at: usize) -> bool {
        let device = matches!(&self.vars[y].ty, Type::Block(BlockType { space: Space::Device, .. }));
        let made_here = mentions.made.contains_key(&y) && !self.blocks.is_own(y);
        device && made_here && mentions.first.get(&y) == Some(&at)
    }

    /// The premise, if any, that keeps `y` from using the memory of `x`.
    fn missing_for_reuse(&self, mentions: &Mentions, y: Var, x: Var, at: usize) -> Option<Premise> {
        let x_made = mentions.made.get(&x).or(mentions.owned_results.get(&x));
        let older = match (x_made, mentions.made.get(&y)) {
            (Some(x_made), Some(y_made)) => self.blocks.is_own(x) || x_made < y_made,
            _ => false,
        };
        if !older || mentions.last.get(&x) != Some(&at) {
            return Some(DEAD);
        }
        let same_size = self.vars[x].ty == self.vars[y].ty && self.blocks.same_size(x, y);
        (!same_size).then_some(SIZE)
    }

    /// Replaces `y` by `x`.
    fn replace(&mut self, mentions: &mut Mentions, y: Var, x: Var) {
        self.views.move_to(self.vars, y, x);
        self.blocks.replace(y, x);
        if let Some(last) = mentions.last.get(&y).copied() {
            mentions.last.insert(x, last);
        }
    }
}

/// The accesses of a segment to blocks.
#[derive(Default)]
struct Accesses {
    /// The blocks that it stores to.
    stored: Vec<Var>,
    /// The blocks that it loads from.
    loaded: Vec<Var>,
    /// All accesses, in program order.
    all: Vec<Access>,
    /// Whether a point may fail.
    can_fail: bool,
}

/// An access to a block.
struct Access {
    block: Var,
    kind: AccessKind,
}

enum AccessKind {
    /// A load of one element of a view. If it is `counted`, the indices contain the counters of all enclosing loops,
    /// so each iteration accesses a different element.
    Load { view: View, indices: Vec<Atom>, counted: bool },
    /// A store of one element of a view, likewise.
    Store { view: View, indices: Vec<Atom>, counted: bool },
    /// Any other access.
    Other,
}

impl Accesses {
    /// The premise, if any, that keeps `y` from overwriting `x`; `is_other_name` recognises aliases of `x`.
    fn missing_for_overwrite(&self, y: Var, x: Var, is_other_name: impl Fn(Var) -> bool) -> Option<Premise> {
        if self.all.iter().any(|access| is_other_name(access.block)) {
            return Some(SAME_ELEMENT);
        }
        let mut stored = false;
        let mut place: Option<(&View, &Vec<Atom>)> = None;
        let (mut same_element, mut in_order) = (true, true);
        for access in self.all.iter().filter(|access| access.block == y || access.block == x) {
            let (AccessKind::Load { view, indices, counted } | AccessKind::Store { view, indices, counted }) =
                &access.kind
            else {
                return Some(SAME_ELEMENT);
            };
            let loads = matches!(access.kind, AccessKind::Load { .. });
            let (first, first_indices) = *place.get_or_insert((view, indices));
            same_element &= *counted && loads == (access.block == x);
            same_element &= same_function(first, view) && first_indices == indices;
            in_order &= !(loads && stored);
            stored |= !loads;
        }
        missing(&[
            (SAME_ELEMENT, &|| same_element),
            (NO_LOAD_AFTER_STORE, &|| in_order),
            (CANNOT_FAIL, &|| !self.can_fail),
        ])
    }

    /// Collects the accesses of a body. `loops` are the counters of the enclosing loops; `None` for a while loop.
    fn body(&mut self, body: &Body<Thread>, loops: &mut Vec<Option<Var>>, vars: &VarTable) {
        for Step { stm, .. } in &body.stms {
            match stm {
                Stm::Load { array, indices, .. } | Stm::Store { array, indices, .. } => {
                    let Some(view) = view_of(*array, vars).cloned() else { continue };
                    let (block, indices) = (view.block, indices.clone());
                    let is_index = |counter: &Option<Var>| {
                        counter.is_some_and(|counter| indices.contains(&Atom::Var(counter)))
                    };
                    let counted = loops.iter().all(is_index);
                    let (list, kind) = match stm {
                        Stm::Load { .. } => (&mut self.loaded, AccessKind::Load { view, indices, counted }),
                        _ => (&mut self.stored, AccessKind::Store { view, indices, counted }),
                    };
                    if !list.contains(&block) {
                        list.push(block);
                    }
                    self.all.push(Access { block, kind });
                }
                Stm::If { then, otherwise, .. } => {
                    self.body(then, loops, vars);
                    self.body(otherwise, loops, vars);
                    self.flows(then.result.iter().chain(&otherwise.result), vars);
                }
                Stm::Loop { params, form, body, .. } => {
                    self.flows(params.iter().map(|(_, init)| init).chain(&body.result), vars);
                    loops.push(match form {
                        LoopForm::For { index, .. } => Some(*index),
                        LoopForm::While(_) => None,
                    });
                    self.body(body, loops, vars);
                    loops.pop();
                }
                stm => visit_uses(stm, &mut |var| self.other(var, vars)),
            }
        }
    }

    /// Notes an access of unknown kind to each of these blocks, which leave a branch or flow through a loop.
    fn flows<'a>(&mut self, atoms: impl Iterator<Item = &'a Atom>, vars: &VarTable) {
        atoms.filter_map(|atom| atom.var()).for_each(|var| self.other(var, vars));
    }

    fn other(&mut self, var: Var, vars: &VarTable) {
        if let Some(block) = block_of(var, vars) {
            self.all.push(Access { block, kind: AccessKind::Other });
        }
    }
}
