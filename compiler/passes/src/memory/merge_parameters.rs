//! # merge-parameters: use a block that a loop keeps by its name before the loop
//!
//! ## Rule
//!
//! ```text
//!   loop (p = x) { … p … yield p } -> (z)  … z …      -->      loop () { … x … } -> ()  … x …
//! ```
//!
//! * *kept-block*: if a loop keeps a memory block from iteration to iteration, the block is no merge parameter: code
//!   uses it by the name that it has before the loop.
//!
//! ## Requires
//!
//! Nothing: every iteration yields the block that it began with, so `p`, `x` and `z` are the same block.
//!
//! ## Ensures
//!
//! The loop counts no references to the block. Code in the loop knows which block it is, so it is known to differ from
//! other blocks: loads of other arrays can leave loops that store to it.
//!
//! ## Leaves alone
//!
//! Loops that exchange blocks, or that go on with a new one, and scalars: in core IR, `simplify` has replaced invariant
//! scalars already. An array that is updated in place is another value in core IR, and the same block here.
//!
//! ## Costs
//!
//! One walk over the program.
//!
//! ## Source
//!
//! The simplifier of the Futhark compiler removes invariant merge parameters (`hoistLoopInvariantMergeVariables`). This
//! pass does so for memory, where arrays that are updated in place become invariant.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n, m] (*xs: block i64 [n], is: block i64 [m]) -> ([]i64) {
//!   view is1: i64 [m] = is + 0i64 * [1i64]
//!   loop (p: block i64 = xs, s: i64 = 0i64) for i: i64 < m {
//!     load j: i64 = is1[i]
//!     loop (q: block i64 = p) for k: i64 < j {
//!       view q1: i64 [n] = q + 0i64 * [1i64]
//!       store q1[k] = s
//!       yield q
//!     } -> (r: block i64)
//!     let t: i64 = add(s, j)
//!     yield r, t
//!   } -> (z: block i64, u: i64)
//!   view z1: i64 [n] = z + 0i64 * [1i64]
//!   store z1[0i64] = u
//!   yield n, z
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0, m_1] (*xs_2: block i64 [n_0], is_3: block i64 [m_1]) -> ([]i64) {
//!   view is1_4: i64 [m_1] = is_3 + 0i64 * [1i64]
//!   loop (s_5: i64 = 0i64) for i_6: i64 < m_1 {
//!     load j_7: i64 = is1_4[i_6]
//!     loop () for k_8: i64 < j_7 {
//!       view q1_9: i64 [n_0] = xs_2 + 0i64 * [1i64]
//!       store q1_9[k_8] = s_5
//!     }
//!     let t_10: i64 = add(s_5, j_7)
//!     yield t_10
//!   } -> (u_11: i64)
//!   view z1_12: i64 [n_0] = xs_2 + 0i64 * [1i64]
//!   store z1_12[0i64] = u_11
//!   yield n_0, xs_2
//! }
//! ```

use std::collections::BTreeMap;

use ravel_kernel::*;

use super::rename::{Rename, Views};
use crate::{Cx, KernelPass};

/// The pass `merge-parameters`: its rule, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "merge-parameters",
    about: "Lets loops name the memory blocks that they keep, instead of passing them on.",
    rules: &[RULE],
    premises: &[],
    run,
};

const RULE: &str = "kept-block";

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.host_functions {
        run_on(&mut function.body, &mut function.vars, cx);
    }
    for function in &mut program.thread_functions {
        run_on(&mut function.body, &mut function.vars, cx);
    }
    for entry in &mut program.entries {
        run_on(&mut entry.body, &mut entry.vars, cx);
    }
}

fn run_on<L: Level>(body: &mut Body<L>, vars: &mut VarTable, cx: &mut Cx) {
    let mut blocks = KeptBlocks { vars, cx, names: BTreeMap::new() };
    blocks.body(body);
    let names: BTreeMap<Var, Var> = blocks.names.keys().map(|&old| (old, blocks.name(old))).collect();
    Rename(&names).body(body);
    let mut views = Views::of(vars);
    for (&old, &new) in &names {
        views.move_to(vars, old, new);
    }
}

struct KeptBlocks<'a> {
    vars: &'a VarTable,
    cx: &'a mut Cx,
    /// For each merge parameter and each result of a loop that is no longer one: the name of the block before the loop.
    names: BTreeMap<Var, Var>,
}

impl VisitMut for KeptBlocks<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for step in &mut body.stms {
            // The loops inside first: if they keep a block, this loop may keep it too.
            self.step(step);
            self.looped(step);
        }
    }
}

impl KeptBlocks<'_> {
    /// The name of a block from now on.
    fn name(&self, mut block: Var) -> Var {
        while let Some(&name) = self.names.get(&block) {
            block = name;
        }
        block
    }

    /// Removes the merge parameters of a loop that each iteration yields unchanged.
    fn looped<L: Level>(&mut self, step: &mut Step<L>) {
        let Step { origin, stm: Stm::Loop { binders, params, body, .. } } = step else { return };
        let mut fired = false;
        for place in (0..params.len()).rev() {
            let (param, init) = params[place];
            let (Type::Block(_), Atom::Var(init)) = (&self.vars[param].ty, init) else { continue };
            let keeps = body.result[place].var().is_some_and(|next| self.name(next) == param);
            if !keeps || !self.cx.fire(RULE, origin) {
                continue;
            }
            params.remove(place);
            body.result.remove(place);
            self.names.extend([param, binders.remove(place)].map(|name| (name, init)));
            fired = true;
        }
        if fired {
            step.add_rule(RULE);
        }
    }
}
