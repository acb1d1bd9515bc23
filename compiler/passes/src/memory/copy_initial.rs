//! # copy-initial: copy the initial array of a loop, so that the loop can double-buffer
//!
//! ## Rule
//!
//! ```text
//!   loop (p = x) { alloc y = n … yield y } -> (z)
//!     -->   alloc c = n  copy c = x  loop (p = c) { alloc y = n … yield y } -> (z)
//! ```
//!
//! * *copy-initial*: a loop begins with a copy of an array, so that its iterations may overwrite it.
//!
//! `y` may be yielded at another position than the position of `p`. For example, if three arrays move up by one
//! position in each iteration, `p` is the parameter whose array is dropped. If the array of another parameter
//! later moves to the position of `p`, this parameter begins with a copy too, unless its array belongs to the
//! loop.
//!
//! ## Requires
//!
//! * *dead*: an iteration does not yield the array that it began with.
//! * *size*: the initial array is as large as the arrays of the iterations, whose size is known before the
//!   loop.
//! * *produced-by-loop*: each iteration yields for the parameter an array that the loop has produced, and yields it
//!   for no other parameter; yielding a `copy` would help.
//! * *trip-count*: the loop is not known to have fewer than three iterations. Fewer iterations would allocate only
//!   two blocks anyway.
//!
//! ## Ensures
//!
//! The memory of `p` belongs to the loop, so `reuse` or `double-buffer` can produce `y` in it. The result of
//! the loop need not be copied for other uses of `x`.
//!
//! ## Leaves alone
//!
//! Initial arrays that belong to the loop already.
//!
//! ## Costs
//!
//! One pass over the array before the loop replaces an allocation in each iteration. Linear in the program for
//! each level of loops.
//!
//! ## Source
//!
//! The first step of double buffering by hand in stencil codes, which fill the first of two buffers.
//! Munksgaard, Henriksen, Sadayappan and Oancea, "Memory optimizations in an array language" (SC 2022), copy an
//! array that enters a loop to the same end.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block i64 [n], k: i64) -> ([]i64) {
//!   loop (x: block i64 = xs) for i: i64 < k {
//!     view x1: i64 [n] = x + 0i64 * [1i64]
//!     alloc y: block i64 = n
//!     view y1: i64 [n] = y + 0i64 * [1i64]
//!     segment map (j < n) chunk 1i64 {
//!       load f: i64 = x1[0i64]
//!       store y1[j] = f
//!     }
//!     yield y
//!   } -> (z: block i64)
//!   view z1: i64 [n] = z + 0i64 * [1i64]
//!   alloc r: block i64 = n
//!   view r1: i64 [n] = r + 0i64 * [1i64]
//!   copy r1 = z1
//!   yield n, r
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block i64 [n_0], k_2: i64) -> ([]i64) {
//!   alloc x_3: block i64 = n_0
//!   view xs_4: i64 [n_0] = xs_1 + 0i64 * [1i64]
//!   view x_5: i64 [n_0] = x_3 + 0i64 * [1i64]
//!   copy x_5 = xs_4
//!   loop (x_6: block i64 = x_3) for i_7: i64 < k_2 {
//!     view x1_8: i64 [n_0] = x_6 + 0i64 * [1i64]
//!     alloc y_9: block i64 = n_0
//!     view y1_10: i64 [n_0] = y_9 + 0i64 * [1i64]
//!     segment map (j_11 < n_0) chunk 1i64 {
//!       load f_12: i64 = x1_8[0i64]
//!       store y1_10[j_11] = f_12
//!     }
//!     yield y_9
//!   } -> (z_13: block i64)
//!   view z1_14: i64 [n_0] = z_13 + 0i64 * [1i64]
//!   alloc r_15: block i64 = n_0
//!   view r1_16: i64 [n_0] = r_15 + 0i64 * [1i64]
//!   copy r1_16 = z1_14
//!   yield n_0, r_15
//! }
//! ```

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use ravel_kernel::*;
use ravel_prim::{PrimType, PrimValue, convert};

use super::block_pairs::{Allocation, allocations, fits, partners, yielded_blocks};
use super::blocks::Blocks;
use super::may_fire;
use super::occurrences::{first_segment, threads_mut};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise};

/// The pass `copy-initial`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "copy-initial",
    about: "Copies the initial array of a loop, so that iterations may overwrite it.",
    rules: &[RULE],
    premises: &[DEAD, SIZE, PRODUCED_BY_LOOP, TRIP_COUNT],
    run,
};

const RULE: &str = "copy-initial";

const DEAD: Premise = Premise {
    name: "dead",
    about: "an iteration does not yield the array that it began with",
    otherwise: "the next iteration needs {}",
};

const SIZE: Premise = Premise {
    name: "size",
    about: "the initial array is as large as the arrays of the iterations, whose size is known before the loop",
    otherwise: "{} may have another size",
};

const PRODUCED_BY_LOOP: Premise = Premise {
    name: "produced-by-loop",
    about: "each iteration yields for the parameter an array that the loop has produced, and yields it for no other parameter; yielding a `copy` would help",
    otherwise: "{} is not produced by the loop alone, or yielded twice",
};

const TRIP_COUNT: Premise = Premise {
    name: "trip-count",
    about: "the loop is not known to have fewer than three iterations",
    otherwise: "the loop that produces {} runs at most twice",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.host_functions {
        let blocks = Blocks::with_copies_of_function(function);
        Copier { vars: &mut function.vars, blocks, cx }.body(&mut function.body);
    }
    for function in &mut program.thread_functions {
        let blocks = Blocks::with_copies_of_function(function);
        Copier { vars: &mut function.vars, blocks, cx }.body(&mut function.body);
    }
    for entry in &mut program.entries {
        let blocks = Blocks::with_copies_of_entry(entry);
        Copier { vars: &mut entry.vars, blocks, cx }.body(&mut entry.body);
    }
}

/// A copy of the initial array of a loop parameter.
#[derive(Clone, Copy)]
pub struct InitialCopy {
    /// The number of elements to copy.
    count: Atom,
    /// The premise that fails, if any.
    pub missing: Option<Premise>,
}

/// The parameters of a loop that do not belong to it, but could be exchanged with an allocation of its iterations if
/// they began with copies.
pub fn initial_copies<L: Level>(
    blocks: &Blocks,
    looped: &Stm<L>,
    vars: &VarTable,
) -> Vec<(Var, InitialCopy)> {
    let Stm::Loop { params, form, body: iteration, .. } = looped else { return Vec::new() };
    let made = allocations(looped, vars);
    let is_made = |next: &Atom| made.iter().find(|made| Atom::Var(made.block) == *next).copied();
    let nexts: Vec<(usize, Allocation)> =
        iteration.result.iter().enumerate().filter_map(|(at, next)| Some((at, is_made(next)?))).collect();
    if nexts.is_empty() {
        return Vec::new();
    }
    let mut taken = yielded_blocks(blocks, iteration);
    let could_own = could_own(blocks, params, iteration);
    let few = |bound: PrimValue| convert(bound, PrimType::I64).as_i64().is_some_and(|bound| bound < 3);
    let often = !matches!(form, LoopForm::For { bound: Atom::Const(bound), .. } if few(*bound));
    let mut found = Vec::new();
    for (position, made) in nexts {
        let mut places: Vec<_> =
            partners(params, position).map(|param| with_later(blocks, params, iteration, param)).collect();
        // Parameters that need fewer copies come first; among equals, the parameter at the same position.
        places.sort_by_key(|copied| copied.iter().filter(|&&param| !blocks.is_own(param)).count());
        let wrong = |copied: &Vec<Var>| {
            missing(&[
                (DEAD, &|| !taken.contains(&copied[0])),
                (SIZE, &|| copied.iter().all(|&param| fits(blocks, vars, param, made))),
                (PRODUCED_BY_LOOP, &|| copied.iter().all(|param| could_own.contains(param))),
                (TRIP_COUNT, &|| often),
            ])
        };
        let at_fault = || Vec::from([params[position].0]);
        let (copied, wrong) = match places.iter().find(|copied| wrong(copied).is_none()) {
            Some(copied) => (copied.clone(), None),
            None => (at_fault(), wrong(&with_later(blocks, params, iteration, params[position].0))),
        };
        if wrong.is_none() {
            taken.insert(copied[0]);
        }
        let not_own = copied.into_iter().filter(|&param| !blocks.is_own(param));
        found.extend(not_own.map(|param| (param, InitialCopy { count: made.count, missing: wrong })));
    }
    found
}

/// The parameter, and the parameters whose values later move to its position.
fn with_later<L: Level>(
    blocks: &Blocks,
    params: &[(Var, Atom)],
    iteration: &Body<L>,
    param: Var,
) -> Vec<Var> {
    let mut found = vec![param];
    let mut at = 0;
    while let Some(&param) = found.get(at) {
        let next =
            params.iter().position(|&(other, _)| other == param).map(|position| iteration.result[position]);
        let roots = next.and_then(|next| next.var()).map(|next| blocks.roots(next)).unwrap_or_default();
        let new = params
            .iter()
            .map(|&(param, _)| param)
            .filter(|param| roots.contains(param) && !found.contains(param));
        found.extend(new.collect::<Vec<_>>());
        at += 1;
    }
    found
}

/// The parameters that would belong to the loop if all of them began with copies.
fn could_own<L: Level>(blocks: &Blocks, params: &[(Var, Atom)], iteration: &Body<L>) -> BTreeSet<Var> {
    let (made, nexts) = (blocks.fresh_memory(iteration), blocks.yielded_memory(iteration));
    let mut found: BTreeSet<Var> = params.iter().map(|&(param, _)| param).collect();
    loop {
        let stays = |position: usize| {
            let next = &nexts[position];
            let shared =
                nexts.iter().enumerate().any(|(other, roots)| other != position && !roots.is_disjoint(next));
            !shared && !next.is_empty() && next.iter().all(|root| made.contains(root) || found.contains(root))
        };
        let staying = params
            .iter()
            .enumerate()
            .filter(|&(position, (param, _))| found.contains(param) && stays(position));
        let staying: BTreeSet<Var> = staying.map(|(_, &(param, _))| param).collect();
        if staying.len() == found.len() {
            return found;
        }
        found = staying;
    }
}

struct Copier<'a> {
    vars: &'a mut VarTable,
    blocks: Blocks,
    cx: &'a mut Cx,
}

impl Copier<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            match &mut step.stm {
                Stm::If { then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                }
                Stm::Loop { params, body: iteration, .. } => {
                    self.copy_before(params, iteration, &step.origin, &mut body.stms);
                    self.body(iteration);
                }
                Stm::Segment(segment) => {
                    if let Some(body) = threads_mut::<L>(segment) {
                        self.body(body);
                    }
                }
                stm_without_bodies!() => (),
            }
            body.stms.push(step);
        }
    }

    /// Copies initial arrays before a loop.
    fn copy_before<L: Level>(
        &mut self,
        params: &mut [(Var, Atom)],
        iteration: &Body<L>,
        origin: &Arc<Origin>,
        before: &mut Vec<Step<L>>,
    ) {
        for (param, first) in params {
            let (Some(initial), Atom::Var(given)) = (self.blocks.initial_copy(*param), *first) else {
                continue;
            };
            // The copy is blamed on the segment that would write to memory of its own without it.
            let mut origin = first_segment(iteration, *param, self.vars).unwrap_or_else(|| origin.clone());
            if !may_fire(self.cx, RULE, initial.missing, self.vars[*param].hint, &origin) {
                continue;
            }
            Arc::make_mut(&mut origin).add_rule(RULE);
            let copy = self.vars.push(self.vars[*param].clone());
            let [from, to] = [given, copy].map(|block| self.whole(block, initial.count));
            let alloc = Stm::Alloc { block: copy, count: initial.count };
            before
                .extend(Step::all(&origin, [alloc, Stm::View(from), Stm::View(to), Stm::Copy { to, from }]));
            *first = Atom::Var(copy);
        }
    }

    /// A view of all elements of a block.
    fn whole(&mut self, block: Var, count: Atom) -> Var {
        let VarInfo { hint, ty } = self.vars[block].clone();
        let Type::Block(BlockType { elem, .. }) = ty else { return block };
        let view =
            View { elem, block, offset: Atom::i64(0), shape: vec![count], strides: vec![Atom::i64(1)] };
        self.vars.push(VarInfo { hint, ty: Type::Array(view) })
    }
}
