//! # hoist-blocks: allocate the memory blocks of a loop once
//!
//! ## Rule
//!
//! ```text
//!   loop … { alloc b = n … }   -->   let m = select(runs, n, 0)  alloc b = m  loop … { … }
//! ```
//!
//! * *hoist-block*: a block that each iteration of a loop allocates is allocated before the loop.
//!
//! ## Requires
//!
//! * *invariant*: the size of the memory block is known before the loop. Total scalar arithmetic on such values
//!   is hoisted too.
//! * *does-not-escape*: no value that an iteration yields can lie in the memory block. So each iteration may overwrite
//!   it.
//!
//! ## Ensures
//!
//! The contents of a fresh block are unspecified, so it may hold what the last iteration stored. Inner loops are
//! processed first, so a block that leaves one can also leave the loops around it. If a check before the allocation fails,
//! the block has no elements: the program must report the check, not a lack of memory. Two kinds of checks are considered:
//! checks that can be hoisted out of every loop that the size is hoisted from, and checks of an outermost loop whose
//! outcome in the first iteration is total arithmetic on the index and the initial values of the parameters.
//!
//! ## Leaves alone
//!
//! Allocations in branches, which may never run, and private blocks, which cost nothing.
//!
//! ## Costs
//!
//! A block lives until the end of the body around the loop. One walk over the program for each level of loops.
//!
//! ## Source
//!
//! Hoisting of allocations is common in compilers with explicit memory, as in Munksgaard, Henriksen, Sadayappan
//! and Oancea, "Memory optimizations in an array language" (SC 2022).
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block i64 [n], k: i64) -> ([]i64) {
//!   view xs1: i64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block i64 = n
//!   view out1: i64 [n] = out + 0i64 * [1i64]
//!   segment map (p < n) chunk 1i64 {
//!     loop () for i: i64 < k {
//!       let m: i64 = add(n, 1i64)
//!       alloc b: block i64 = m
//!       view b1: i64 [n] = b + 0i64 * [1i64]
//!       load e: i64 = xs1[i]
//!       store b1[i] = e
//!       load f: i64 = b1[i]
//!       store out1[p] = f
//!     }
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block i64 [n_0], k_2: i64) -> ([]i64) {
//!   view xs1_3: i64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_4: block i64 = n_0
//!   view out1_5: i64 [n_0] = out_4 + 0i64 * [1i64]
//!   segment map (p_6 < n_0) chunk 1i64 {
//!     let m_7: i64 = add(n_0, 1i64)
//!     let v8: bool = lt(0i64, k_2)
//!     let v9: i64 = select(v8, m_7, 0i64)
//!     alloc b_10: block i64 = v9
//!     loop () for i_11: i64 < k_2 {
//!       view b1_12: i64 [n_0] = b_10 + 0i64 * [1i64]
//!       load e_13: i64 = xs1_3[i_11]
//!       store b1_12[i_11] = e_13
//!       load f_14: i64 = b1_12[i_11]
//!       store out1_5[p_6] = f_14
//!     }
//!   }
//!   yield n_0, out_4
//! }
//! ```

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;
use ravel_prim::BinOp;

use super::block_pairs::yielded_blocks;
use super::blocks::Blocks;
use super::first_iteration::FirstIteration;
use super::guard::alloc_before;
use super::may_fire;
use super::occurrences::{binders, threads_mut, visit_uses};
use super::scalars::Scalars;
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise};

/// The pass `hoist-blocks`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "hoist-blocks",
    about: "Allocates the memory blocks of a loop once, before it.",
    rules: &[RULE],
    premises: &[INVARIANT, DOES_NOT_ESCAPE],
    run,
};

const RULE: &str = "hoist-block";

const INVARIANT: Premise = Premise {
    name: "invariant",
    about: "the size of the memory block is known before the loop",
    otherwise: "the size of {} is known only in its iteration",
};

const DOES_NOT_ESCAPE: Premise = Premise {
    name: "does-not-escape",
    about: "no value that an iteration yields can lie in the memory block",
    otherwise: "{} is yielded to the next iteration",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.host_functions {
        let blocks = Blocks::of_function(function);
        let scalars = Scalars::of(&function.body);
        Hoist { vars: &mut function.vars, blocks, scalars, loops: 0, cx }.body(&mut function.body);
    }
    for function in &mut program.thread_functions {
        let blocks = Blocks::of_function(function);
        let scalars = Scalars::of(&function.body);
        Hoist { vars: &mut function.vars, blocks, scalars, loops: 0, cx }.body(&mut function.body);
    }
    for entry in &mut program.entries {
        let blocks = Blocks::of_entry(entry);
        let scalars = Scalars::of(&entry.body);
        Hoist { vars: &mut entry.vars, blocks, scalars, loops: 0, cx }.body(&mut entry.body);
    }
    program.remove_dead_code();
}

struct Hoist<'a> {
    vars: &'a mut VarTable,
    blocks: Blocks,
    scalars: Scalars,
    /// The number of enclosing loops.
    loops: usize,
    cx: &'a mut Cx,
}

impl Hoist<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            match &mut step.stm {
                Stm::If { then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                }
                Stm::Loop { params, form, body: iteration, .. } => {
                    self.loops += 1;
                    self.body(iteration);
                    self.loops -= 1;
                    body.stms.extend(self.move_out(iteration, *form, params));
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

    /// Moves blocks, and the statements that they depend on, out of the body of a loop. Returns them, to be put before
    /// the loop.
    fn move_out<L: Level>(
        &mut self,
        iteration: &mut Body<L>,
        form: LoopForm,
        params: &[(Var, Atom)],
    ) -> Vec<Step<L>> {
        let mut inside = binders(iteration);
        inside.extend(params.iter().map(|&(param, _)| param));
        if let LoopForm::For { index, .. } = form {
            inside.insert(index);
        }
        let yielded = yielded_blocks(&self.blocks, iteration);
        // First, this finds the statements that can move. Of these, only those move on which a hoisted allocation depends.
        let mut movable: BTreeSet<Var> = BTreeSet::new();
        let mut leaving: BTreeSet<Var> = BTreeSet::new();
        // The checks so far that can move, and those on which each block depends.
        let mut checks: Vec<Atom> = Vec::new();
        let mut checks_of: BTreeMap<Var, Vec<Atom>> = BTreeMap::new();
        // The checks of the first iteration, with the statements that compute their operands.
        let mut first = FirstIteration::of(self.vars, form, params);
        let mut first_of: BTreeMap<Var, (Vec<Stm<L>>, Vec<Atom>)> = BTreeMap::new();
        for Step { stm, origin } in &iteration.stms {
            let known =
                |atom: Atom| atom.var().is_none_or(|var| !inside.contains(&var) || movable.contains(&var));
            match stm {
                Stm::Let { var, exp } if self.cannot_fail(exp) && exp.operands().into_iter().all(known) => {
                    movable.insert(*var);
                }
                Stm::Let { var, exp }
                    if exp.is_total()
                        && exp
                            .operands()
                            .into_iter()
                            .all(|atom| known(atom) || atom.var().is_some_and(|var| first.knows(var))) =>
                {
                    first.compute(*var, exp);
                }
                Stm::Alloc { block, count } if self.is_device(*block) => {
                    let wrong = missing(&[
                        (INVARIANT, &|| known(*count)),
                        (DOES_NOT_ESCAPE, &|| !yielded.contains(block)),
                    ]);
                    if may_fire(self.cx, RULE, wrong, self.vars[*block].hint, origin) {
                        let moves_along = |check: &Atom| self.scalars.moves_along(*check, *count);
                        let checks: Vec<Atom> = checks.iter().copied().filter(moves_along).collect();
                        let needed = checks.iter().chain([count]).filter_map(|atom| atom.var());
                        leaving.extend(needed.filter(|var| inside.contains(var)));
                        if self.loops == 0 {
                            let evaluated = first.evaluate(self.vars);
                            for stm in &evaluated.0 {
                                visit_uses(stm, &mut |var| leaving.extend(movable.get(&var)));
                            }
                            first_of.insert(*block, evaluated);
                        }
                        checks_of.insert(*block, checks);
                    }
                }
                Stm::Assert { cond: cond @ Atom::Var(_), .. } if known(*cond) && !checks.contains(cond) => {
                    checks.push(*cond);
                }
                Stm::Assert { cond: Atom::Var(cond), .. } if first.knows(*cond) => first.check(*cond),
                _ => (),
            }
        }
        for step in iteration.stms.iter().rev() {
            if let Stm::Let { var, exp } = &step.stm
                && leaving.contains(var)
            {
                leaving.extend(
                    exp.operands().iter().filter_map(|atom| atom.var()).filter(|var| inside.contains(var)),
                );
            }
        }
        let mut before = Vec::new();
        for mut step in std::mem::take(&mut iteration.stms) {
            match step.stm {
                Stm::Let { var, .. } if leaving.contains(&var) => before.push(step),
                Stm::Alloc { block, count } => match checks_of.remove(&block) {
                    Some(mut checks) => {
                        step.add_rule(RULE);
                        let (stms, of_first) = first_of.remove(&block).unwrap_or_default();
                        checks.extend(of_first);
                        let allocated = alloc_before(self.vars, block, count, form, params, &checks);
                        before.extend(Step::all(&step.origin, stms.into_iter().chain(allocated)));
                    }
                    None => iteration.stms.push(step),
                },
                _ => iteration.stms.push(step),
            }
        }
        before
    }

    /// Whether the expression cannot fail, so that it may be computed speculatively. A quotient by a divisor of at
    /// least 1, as in saturating products, cannot fail.
    fn cannot_fail(&self, exp: &ScalarExp) -> bool {
        match exp {
            ScalarExp::Binary(BinOp::Quot, _, Atom::Var(divisor)) => self.scalars.is_positive(*divisor),
            exp => exp.is_total(),
        }
    }

    fn is_device(&self, block: Var) -> bool {
        matches!(&self.vars[block].ty, Type::Block(BlockType { space: Space::Device, .. }))
    }
}
