//! May-alias analysis of memory blocks: the memory to which a variable of block type may refer.
//!
//! Memory is identified by the allocation, constant, parameter or call that binds it. Two such sources are different
//! memory if the code writes to one of them: no other name in scope refers to a parameter that a function overwrites. The
//! analysis ignores the order of statements. So if a loop exchanges two parameters, both may refer to the memory of either.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::visit::WriteVisitor;
use ravel_kernel::*;

/// The memory that each block of a piece of code may refer to.
#[derive(Default)]
pub struct Aliases {
    /// For results of branches, and parameters and results of loops: the blocks that they may be.
    sources: BTreeMap<Var, Vec<Var>>,
}

impl Aliases {
    /// Analyses the code of a function or an entry point.
    pub fn of<L: Level>(body: &Body<L>, vars: &VarTable) -> Aliases {
        let mut finder = Finder { vars, aliases: Aliases::default() };
        finder.body(body);
        finder.aliases
    }

    /// The memory that a block may refer to.
    pub fn memory(&self, block: Var) -> BTreeSet<Var> {
        let (mut reached, mut pending) = (BTreeSet::new(), vec![block]);
        while let Some(block) = pending.pop() {
            if reached.insert(block) {
                pending.extend(self.sources.get(&block).into_iter().flatten());
            }
        }
        reached.retain(|block| !self.sources.contains_key(block));
        reached
    }

    /// The memory that a body may overwrite. Calls are left out.
    pub fn overwritten<L: Level>(&self, body: &Body<L>, vars: &VarTable) -> BTreeSet<Var> {
        let mut blocks = BTreeSet::new();
        WriteVisitor(&mut |array| {
            if let Type::Array(view) = &vars[array].ty {
                blocks.insert(view.block);
            }
        })
        .body(body);
        blocks.into_iter().flat_map(|block| self.memory(block)).collect()
    }
}

struct Finder<'a> {
    vars: &'a VarTable,
    aliases: Aliases,
}

impl Finder<'_> {
    fn flow(&mut self, binders: &[Var], values: &[Atom]) {
        for (&binder, value) in binders.iter().zip(values) {
            if let (Type::Block(_), Atom::Var(value)) = (&self.vars[binder].ty, value) {
                self.aliases.sources.entry(binder).or_default().push(*value);
            }
        }
    }
}

impl Visit for Finder<'_> {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::If { binders, then, otherwise, .. } => {
                self.flow(binders, &then.result);
                self.flow(binders, &otherwise.result);
            }
            Stm::Loop { binders, params, body, .. } => {
                let (params, inits): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
                for values in [&inits, &body.result] {
                    self.flow(&params, values);
                    self.flow(binders, values);
                }
            }
            Stm::Segment(_) | stm_without_bodies!() => (),
        }
        self.children(stm);
    }
}
