//! # start: a loop that could take turns begins with a copy of its own
//!
//! ## Rule (start-copied)
//!
//! ```text
//!   loop (p = x) { alloc y = n … yield y } -> (z)
//!     -->   alloc c = n  copy c = x  loop (p = c) { alloc y = n … yield y } -> (z)
//! ```
//!
//! What is made in a round may also take the turn of another parameter: where three arrays move up by one place, `p` is
//! the one that falls out. Those that come to stand in its place begin with copies too, unless they are the loop's own.
//!
//! ## Requires
//!
//! That `x` is not the loop's own, or there would be nothing to do. And:
//!
//! * *dead*: a round does not hand its `p` on.
//! * *size*: `n` is known before the loop, and `x` has so many elements, of the type of `y`.
//! * *later*: all that stands in the place of `p` in later rounds is made by the rounds, or comes from a place of which
//!   that is so, and is handed on once.
//! * *often*: the loop is not known to go round less than three times, for which it would make two blocks anyhow.
//!
//! ## Ensures, leaves alone, costs
//!
//! The memory of `p` belongs to the loop, so that `reuse` or `swap` makes `y` in it: one pass over the array before
//! the loop is the price of a block in each round. What comes out of the loop need not be copied for
//! those who still need `x`. Linear in the program for each level of loops.
//!
//! ## Source
//!
//! The first step of double buffering by hand, as in stencil codes, which fill the first of two buffers. Munksgaard, Henriksen,
//! Sadayappan and Oancea, "Memory optimizations in an array language" (SC 2022), copy to the same end where an array
//! enters a loop.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ravel_kernel::*;
use ravel_prim::{PrimType, PrimValue, convert};

use super::blocks::Blocks;
use super::exchange::{Made, fits, handed_on, made_in_rounds, partners};
use super::mention::places;
use super::{MemoryPass, may_fire};
use crate::pass::missing;
use crate::{Cx, Premise};

/// The pass.
pub const PASS: MemoryPass = MemoryPass {
    name: "start",
    about: "Lets a loop that makes an array in each round begin with a copy of its own.",
    rules: &[RULE],
    premises: &[DEAD, SIZE, LATER, OFTEN],
    run,
};

const RULE: &str = "start-copied";

const DEAD: Premise = Premise {
    name: "dead",
    about: "a round does not hand on what it began with",
    otherwise: "{} is needed by the next round",
};

const SIZE: Premise = Premise {
    name: "size",
    about: "what the loop begins with is as large as what rounds make, which is known before the loop",
    otherwise: "{} may have another size",
};

const LATER: Premise = Premise {
    name: "later",
    about: "what stands there in later rounds is made by the rounds, and handed on once; a `copy` of it would do",
    otherwise: "{} is not made by the rounds alone, or handed on twice",
};

const OFTEN: Premise = Premise {
    name: "often",
    about: "the loop is not known to go round less than three times",
    otherwise: "{} is made once or twice",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.host_functions {
        let blocks = Blocks::started_function(function);
        Starter { vars: &mut function.vars, blocks, cx }.body(&mut function.body);
    }
    for function in &mut program.thread_functions {
        let blocks = Blocks::started_function(function);
        Starter { vars: &mut function.vars, blocks, cx }.body(&mut function.body);
    }
    for entry in &mut program.entries {
        let blocks = Blocks::started_entry(entry);
        Starter { vars: &mut entry.vars, blocks, cx }.body(&mut entry.body);
    }
}

/// How a loop may begin with a copy for a parameter.
#[derive(Clone, Copy)]
pub struct Start {
    /// How many elements would be copied.
    count: Atom,
    /// Why it should not.
    pub wrong: Option<Premise>,
}

/// The parameters of a loop that are not its own, but could take turns with what rounds make if they
/// began with copies.
pub fn starts<L: Level>(blocks: &Blocks, looped: &Stm<L>, vars: &VarTable) -> Vec<(Var, Start)> {
    let Stm::Loop { params, form, body: round, .. } = looped else { return Vec::new() };
    let made = made_in_rounds(looped, vars);
    let is_made = |next: &Atom| made.iter().find(|made| Atom::Var(made.block) == *next).copied();
    let nexts: Vec<(usize, Made)> =
        round.result.iter().enumerate().filter_map(|(at, next)| Some((at, is_made(next)?))).collect();
    if nexts.is_empty() {
        return Vec::new();
    }
    let mut taken = handed_on(blocks, round);
    let could_own = could_own(blocks, params, round);
    let few = |bound: PrimValue| convert(bound, PrimType::I64).as_i64().is_some_and(|bound| bound < 3);
    let often = !matches!(form, LoopForm::For { bound: Atom::Const(bound), .. } if few(*bound));
    let mut found = Vec::new();
    for (position, made) in nexts {
        let mut places: Vec<_> =
            partners(params, position).map(|param| with_later(blocks, params, round, param)).collect();
        // Those that need fewer copies first; of these, what stands in the place itself.
        places.sort_by_key(|copied| copied.iter().filter(|&&param| !blocks.is_own(param)).count());
        let wrong = |copied: &Vec<Var>| {
            missing(&[
                (DEAD, &|| !taken.contains(&copied[0])),
                (SIZE, &|| copied.iter().all(|&param| fits(blocks, vars, param, made))),
                (LATER, &|| copied.iter().all(|param| could_own.contains(param))),
                (OFTEN, &|| often),
            ])
        };
        let at_fault = || Vec::from([params[position].0]);
        let (copied, wrong) = match places.iter().find(|copied| wrong(copied).is_none()) {
            Some(copied) => (copied.clone(), None),
            None => (at_fault(), wrong(&with_later(blocks, params, round, params[position].0))),
        };
        if wrong.is_none() {
            taken.insert(copied[0]);
        }
        let not_own = copied.into_iter().filter(|&param| !blocks.is_own(param));
        found.extend(not_own.map(|param| (param, Start { count: made.count, wrong })));
    }
    found
}

/// The parameter, and those that come to stand in its place.
fn with_later<L: Level>(blocks: &Blocks, params: &[(Var, Atom)], round: &Body<L>, param: Var) -> Vec<Var> {
    let mut found = vec![param];
    let mut at = 0;
    while let Some(&param) = found.get(at) {
        let next =
            params.iter().position(|&(other, _)| other == param).map(|position| round.result[position]);
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

/// The parameters that would belong to the loop if it began with copies for all of them.
fn could_own<L: Level>(blocks: &Blocks, params: &[(Var, Atom)], round: &Body<L>) -> BTreeSet<Var> {
    let (made, nexts) = (blocks.made(round), blocks.nexts(round));
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

struct Starter<'a> {
    vars: &'a mut VarTable,
    blocks: Blocks,
    cx: &'a mut Cx,
}

impl Starter<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut stm in std::mem::take(&mut body.stms) {
            match &mut stm {
                Stm::If { then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                }
                Stm::Loop { params, body: round, .. } => {
                    self.begin(params, round, &mut body.stms);
                    self.body(round);
                }
                Stm::Segment(segment) => self.body(&mut L::grid_mut(segment).body),
                _ => (),
            }
            body.stms.push(stm);
        }
    }

    /// Lets a loop begin with copies, which are made before it.
    fn begin<L: Level>(&mut self, params: &mut [(Var, Atom)], round: &Body<L>, before: &mut Vec<Stm<L>>) {
        for (param, first) in params {
            let (Some(start), Atom::Var(given)) = (self.blocks.start(*param), *first) else { continue };
            let place = places(round, self.vars).get(param).copied();
            if !may_fire(self.cx, RULE, start.wrong, self.vars[*param].hint, place) {
                continue;
            }
            let copy = self.vars.push(self.vars[*param].clone());
            let [from, to] = [given, copy].map(|block| self.whole(block, start.count));
            before.push(Stm::Alloc { block: copy, count: start.count });
            before.extend([Stm::View(from), Stm::View(to), Stm::Copy { to, from }]);
            *first = Atom::Var(copy);
        }
    }

    /// All elements of a block.
    fn whole(&mut self, block: Var, count: Atom) -> Var {
        let VarInfo { hint, ty } = self.vars[block].clone();
        let Type::Block(BlockType { elem, .. }) = ty else { return block };
        let view =
            View { elem, block, offset: Atom::i64(0), shape: vec![count], strides: vec![Atom::i64(1)] };
        self.vars.push(VarInfo { hint, ty: Type::Array(view) })
    }
}
