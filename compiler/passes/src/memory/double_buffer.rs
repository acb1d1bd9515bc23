//! # double-buffer: double buffering for loops that compute an array from the last one
//!
//! ## Rule
//!
//! ```text
//!   loop (p = x) { alloc y = n … yield y } -> (z)
//!     -->   alloc y0 = n  loop (p = x, y = y0) { … yield y, p } -> (z, rest)
//!
//!   alloc a = n … loop () { alloc y = n … copy as = ys } … a …
//!     -->   alloc y0 = n  loop (p = a, y = y0) { … p for a … yield y, p } -> (z, rest) … z for a …
//! ```
//!
//! * *swap-allocated*: a loop that allocates its next array in each iteration alternates between two blocks.
//! * *swap-copied*: a loop that copies its next array over the last one alternates between two blocks.
//!
//! ## Requires
//!
//! * *unaliased*: neither the initial array nor any later one has another use. `p` and the yielded `y` may be at
//!   different positions. In swap-copied, `a` is allocated in the body that contains the loop, and neither the
//!   loop nor later statements use its memory by another name.
//! * *dead*: an iteration does not yield the array that it began with, nor use it after the copy.
//! * *size*: both memory blocks have the same number of elements, which is known before the loop.
//! * *whole*, of swap-copied: the copied array covers its whole memory block and has the layout of the copy.
//!
//! ## Ensures
//!
//! An iteration allocates and copies nothing.
//!
//! ## Leaves alone
//!
//! Private blocks, which are not loop parameters, and loops whose initial value has other uses (`copy-initial` can
//! make such a loop begin with a copy).
//!
//! ## Costs
//!
//! The second block lives until the end of the body around the loop. Linear in the size of the program for
//! every firing.
//!
//! ## Source
//!
//! Double buffering as done by hand in stencil codes. Munksgaard, Henriksen, Sadayappan and Oancea, "Memory
//! optimizations in an array language" (SC 2022), have it as a pass, which copies at the end of an iteration
//! where this one exchanges names.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (*xs: block i64 [n], k: i64) -> ([]i64, []i64) {
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
//!   alloc a: block i64 = n
//!   view a1: i64 [n] = a + 0i64 * [1i64]
//!   store a1[0i64] = k
//!   loop (s: i64 = 0i64) for l: i64 < k {
//!     alloc b: block i64 = n
//!     view b1: i64 [n] = b + 0i64 * [1i64]
//!     load g: i64 = a1[0i64]
//!     let h: i64 = add(g, s)
//!     store b1[0i64] = h
//!     copy a1 = b1
//!     yield h
//!   } -> (t: i64)
//!   yield n, z, n, a
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (*xs_1: block i64 [n_0], k_2: i64) -> ([]i64, []i64) {
//!   let v3: bool = lt(0i64, k_2)
//!   let v4: i64 = select(v3, n_0, 0i64)
//!   alloc y_5: block i64 = v4
//!   loop (x_6: block i64 = xs_1, y_7: block i64 = y_5) for i_8: i64 < k_2 {
//!     view x1_9: i64 [n_0] = x_6 + 0i64 * [1i64]
//!     view y1_10: i64 [n_0] = y_7 + 0i64 * [1i64]
//!     segment map (j_11 < n_0) chunk 1i64 {
//!       load f_12: i64 = x1_9[0i64]
//!       store y1_10[j_11] = f_12
//!     }
//!     yield y_7, x_6
//!   } -> (z_13: block i64, y_14: block i64)
//!   alloc a_15: block i64 = n_0
//!   view a1_16: i64 [n_0] = a_15 + 0i64 * [1i64]
//!   store a1_16[0i64] = k_2
//!   let v17: bool = lt(0i64, k_2)
//!   let v18: i64 = select(v17, n_0, 0i64)
//!   alloc b_19: block i64 = v18
//!   loop (s_20: i64 = 0i64, a_21: block i64 = a_15, b_22: block i64 = b_19) for l_23: i64 < k_2 {
//!     view a1_24: i64 [n_0] = a_21 + 0i64 * [1i64]
//!     view b1_25: i64 [n_0] = b_22 + 0i64 * [1i64]
//!     load g_26: i64 = a1_24[0i64]
//!     let h_27: i64 = add(g_26, s_20)
//!     store b1_25[0i64] = h_27
//!     yield h_27, b_22, a_21
//!   } -> (t_28: i64, a_29: block i64, b_30: block i64)
//!   yield n_0, z_13, n_0, a_29
//! }
//! ```

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;

use super::block_pairs::{Allocation, allocations, fits, partners, yielded_blocks};
use super::blocks::Blocks;
use super::guard::alloc_before;
use super::may_fire;
use super::occurrences::{binders, block_of, same_function, threads_mut, view_of, visit_uses, visit_uses_in};
use super::rename::Rename;
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise};

/// The pass `double-buffer`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "double-buffer",
    about: "Lets a loop alternate between two memory blocks, where each iteration allocated or copied one.",
    rules: &[ALLOCATED, COPIED],
    premises: &[UNALIASED, DEAD, SIZE, WHOLE],
    run,
};

const ALLOCATED: &str = "swap-allocated";
const COPIED: &str = "swap-copied";

const UNALIASED: Premise = Premise {
    name: "unaliased",
    about: "neither the initial array nor any later one has another use",
    otherwise: "the memory of {} does not belong to the loop",
};

const DEAD: Premise = Premise {
    name: "dead",
    about: "an iteration does not yield the array that it began with, nor use it after the copy",
    otherwise: "the next iteration needs {}",
};

const SIZE: Premise = Premise {
    name: "size",
    about: "both memory blocks have the same number of elements, which is known before the loop",
    otherwise: "{} may have another size",
};

const WHOLE: Premise = Premise {
    name: "whole",
    about: "the copied array covers its whole memory block and has the layout of the copy",
    otherwise: "{} is copied in part",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.host_functions {
        let blocks = Blocks::of_function(function);
        Exchanger { vars: &mut function.vars, blocks, cx }.body(&mut function.body);
    }
    for function in &mut program.thread_functions {
        let blocks = Blocks::of_function(function);
        Exchanger { vars: &mut function.vars, blocks, cx }.body(&mut function.body);
    }
    for entry in &mut program.entries {
        let blocks = Blocks::of_entry(entry);
        Exchanger { vars: &mut entry.vars, blocks, cx }.body(&mut entry.body);
    }
    program.remove_dead_code();
}

struct Exchanger<'a> {
    vars: &'a mut VarTable,
    blocks: Blocks,
    cx: &'a mut Cx,
}

impl Exchanger<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        let mut at = 0;
        while at < body.stms.len() {
            if matches!(body.stms[at].stm, Stm::Loop { .. }) {
                at += self.exchange_allocated(body, at);
                while let Some(added) = self.exchange_copied(body, at) {
                    at += added;
                }
            }
            match &mut body.stms[at].stm {
                Stm::If { then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                }
                Stm::Loop { body, .. } => self.body(body),
                Stm::Segment(segment) => {
                    if let Some(body) = threads_mut::<L>(segment) {
                        self.body(body);
                    }
                }
                stm_without_bodies!() => (),
            }
            at += 1;
        }
    }

    /// Exchanges blocks that iterations allocate and yield. Returns the number of statements added before the loop.
    fn exchange_allocated<L: Level>(&mut self, body: &mut Body<L>, at: usize) -> usize {
        let made = allocations(&body.stms[at].stm, self.vars);
        let Stm::Loop { binders, params, form, body: iteration } = &mut body.stms[at].stm else { return 0 };
        let mut before = Vec::new();
        for position in 0..params.len() {
            let is_next = |made: &&Allocation| iteration.result[position] == Atom::Var(made.block);
            let Some(&made) = made.iter().find(is_next) else { continue };
            let yielded = yielded_blocks(&self.blocks, iteration);
            let wrong = |param: Var| {
                missing(&[
                    (UNALIASED, &|| self.blocks.is_own(param)),
                    (DEAD, &|| !yielded.contains(&param)),
                    (SIZE, &|| fits(&self.blocks, self.vars, param, made)),
                ])
            };
            let turns = partners(params, position).find(|&param| wrong(param).is_none());
            let param = turns.unwrap_or(params[position].0);
            let wrong = wrong(param);
            let Some(alloc) = iteration.stms.iter().position(|step| allocates(step, made.block)) else {
                continue;
            };
            if !may_fire(self.cx, ALLOCATED, wrong, self.vars[param].hint, &iteration.stms[alloc].origin) {
                continue;
            }
            let mut alloc = iteration.stms.remove(alloc);
            alloc.add_rule(ALLOCATED);
            let (first, rest) = (self.fresh_like(made.block), self.fresh_like(made.block));
            let stms = alloc_before(self.vars, first, made.count, *form, params, &[]);
            before.extend(Step::all(&alloc.origin, stms));
            params.push((made.block, Atom::Var(first)));
            iteration.result.push(Atom::Var(param));
            binders.push(rest);
        }
        let added = before.len();
        body.stms.splice(at..at, before);
        added
    }

    /// Exchanges a block that an iteration allocates and copies at its end. Returns the number of statements added
    /// before the loop, if it fired.
    fn exchange_copied<L: Level>(&mut self, body: &mut Body<L>, at: usize) -> Option<usize> {
        let pairs = allocations(&body.stms[at].stm, self.vars);
        let Stm::Loop { body: iteration, .. } = &body.stms[at].stm else { return None };
        let first_copy = iteration
            .stms
            .iter()
            .rposition(|step| !matches!(step.stm, Stm::Copy { .. }))
            .map_or(0, |last| last + 1);
        let (copy, a, pair) = (first_copy..iteration.stms.len()).find_map(|copy| {
            let Stm::Copy { to, from } = iteration.stms[copy].stm else { return None };
            let (a, y) = (block_of(to, self.vars)?, block_of(from, self.vars)?);
            let pair = *pairs.iter().find(|pair| pair.block == y)?;
            let wrong = self.missing_for_copied(body, at, copy, a, pair);
            let alloc = iteration.stms.iter().find(|step| allocates(step, y))?;
            let fires = may_fire(self.cx, COPIED, wrong, self.vars[a].hint, &alloc.origin);
            fires.then_some((copy, a, pair))
        })?;
        let (first, param) = (self.fresh_like(pair.block), self.fresh_like(a));
        let (last, rest) = (self.fresh_like(a), self.fresh_like(pair.block));
        let later = body.stms.split_off(at + 1);
        let mut looped = body.stms.pop()?;
        let Stm::Loop { binders, params, form, body: iteration } = &mut looped.stm else { return None };
        let before = alloc_before(self.vars, first, pair.count, *form, params, &[]);
        iteration.stms.remove(copy);
        let alloc = iteration.stms.iter().position(|step| allocates(step, pair.block))?;
        let mut alloc = iteration.stms.remove(alloc);
        alloc.add_rule(COPIED);
        self.replace_block(iteration, a, param);
        params.extend([(param, Atom::Var(a)), (pair.block, Atom::Var(first))]);
        iteration.result.extend([Atom::Var(pair.block), Atom::Var(param)]);
        binders.extend([last, rest]);
        self.blocks.record_roots(last, [a, first].into());
        let added = before.len();
        body.stms.extend(Step::all(&alloc.origin, before));
        body.stms.push(looped);
        let mut rest = Body { stms: later, result: std::mem::take(&mut body.result) };
        self.replace_block(&mut rest, a, last);
        body.stms.append(&mut rest.stms);
        body.result = rest.result;
        Some(added)
    }

    /// The premise, if any, that keeps the copy at the end of an iteration from becoming an exchange.
    fn missing_for_copied<L: Level>(
        &self,
        body: &Body<L>,
        at: usize,
        copy: usize,
        a: Var,
        pair: Allocation,
    ) -> Option<Premise> {
        let Stm::Loop { params, body: iteration, .. } = &body.stms[at].stm else { return Some(UNALIASED) };
        let Stm::Copy { to, from } = iteration.stms[copy].stm else { return Some(WHOLE) };
        let allocated_before = body.stms[..at].iter().any(|step| allocates(step, a));
        let mut other_name = false;
        let mut mention = |var: Var| {
            let block = block_of(var, self.vars).filter(|&block| block != a);
            other_name |= block.is_some_and(|block| self.blocks.memory(block).contains(&a));
        };
        body.stms[at..].iter().for_each(|step| visit_uses(&step.stm, &mut mention));
        body.result.iter().filter_map(|atom| atom.var()).for_each(mention);
        let is_initial_value = params.iter().any(|&(_, init)| init == Atom::Var(a));
        if !allocated_before || other_name || is_initial_value {
            return Some(UNALIASED);
        }
        let mut used_after_copy = BTreeSet::new();
        iteration.stms[copy + 1..].iter().for_each(|step| {
            visit_uses(&step.stm, &mut |var| used_after_copy.extend(block_of(var, self.vars)));
        });
        let nexts = iteration.result.iter().filter_map(|next| next.var());
        used_after_copy.extend(nexts.flat_map(|next| self.blocks.memory(next)));
        if used_after_copy.contains(&a) || used_after_copy.contains(&pair.block) {
            return Some(DEAD);
        }
        if !fits(&self.blocks, self.vars, a, pair) {
            return Some(SIZE);
        }
        match (view_of(to, self.vars), view_of(from, self.vars)) {
            (Some(to), Some(from)) if same_function(to, from) && self.blocks.is_whole(to, pair.count) => None,
            _ => Some(WHOLE),
        }
    }

    /// A new block variable of the same type.
    fn fresh_like(&mut self, block: Var) -> Var {
        let info = self.vars[block].clone();
        self.vars.push(info)
    }

    /// Replaces a block, and all views of it, in a body. Views from outside the body are bound again, on the new block,
    /// at its start.
    fn replace_block<L: Level>(&mut self, body: &mut Body<L>, old: Var, new: Var) {
        let inside = binders(body);
        let mut outer = BTreeSet::new();
        visit_uses_in(body, &mut |var| {
            if view_of(var, self.vars).is_some_and(|view| view.block == old) && !inside.contains(&var) {
                outer.insert(var);
            }
        });
        for &var in &inside {
            if let Type::Array(view) = &mut self.vars[var].ty
                && view.block == old
            {
                view.block = new;
            }
        }
        let mut names = BTreeMap::from([(old, new)]);
        let mut views = Vec::new();
        for var in outer {
            let mut info = self.vars[var].clone();
            if let Type::Array(view) = &mut info.ty {
                view.block = new;
            }
            let name = self.vars.push(info);
            names.insert(var, name);
            views.push(Stm::View(name));
        }
        Rename(&names).body(body);
        let origin = body.stms.first().map(|first| first.origin.clone()).unwrap_or_default();
        body.stms.splice(0..0, Step::all(&origin, views));
    }
}

/// Whether the statement allocates the block.
fn allocates<L: Level>(step: &Step<L>, made: Var) -> bool {
    matches!(step.stm, Stm::Alloc { block, .. } if block == made)
}
