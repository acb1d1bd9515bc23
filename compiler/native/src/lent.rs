//! Loops that pass blocks around without owning them.
//!
//! A merge parameter of block type that is only ever given blocks of the surroundings of its loop needs no
//! reference: whoever owns them there does so until the loop is over, and longer. So a loop that swaps two blocks
//! counts no references in its rounds.

use std::collections::BTreeSet;

use ravel_kernel::{Atom, Body, Level, Stm, Var};

/// The merge parameters of a loop.
#[derive(Default)]
pub(crate) struct Merged {
    /// All of them, in order.
    pub vars: Vec<Var>,
    /// Those that own no reference to the blocks that they are.
    lent: BTreeSet<Var>,
}

impl Merged {
    /// The merge parameters of a loop with this body.
    pub fn new<L: Level>(params: &[(Var, Atom)], body: &Body<L>, is_block: impl Fn(Var) -> bool) -> Merged {
        let vars: Vec<Var> = params.iter().map(|&(var, _)| var).collect();
        let bound: BTreeSet<Var> = body.stms.iter().flat_map(binders).copied().collect();
        let given = |atom: &Atom| atom.var().filter(|&var| is_block(var));
        let moves: Vec<(Var, Var)> =
            vars.iter().zip(&body.result).filter_map(|(&var, atom)| Some((var, given(atom)?))).collect();
        let mut lent: BTreeSet<Var> = moves.iter().map(|&(var, _)| var).collect();
        // Who is given what the body makes, or what such a one is, has to own it.
        let owns = |lent: &BTreeSet<Var>, given: Var| {
            bound.contains(&given) || vars.contains(&given) && !lent.contains(&given)
        };
        while let Some(&(owner, _)) =
            moves.iter().find(|&&(var, given)| lent.contains(&var) && owns(&lent, given))
        {
            lent.remove(&owner);
        }
        Merged { vars, lent }
    }

    /// Those that own what they are.
    pub fn owners(&self) -> impl Iterator<Item = Var> {
        self.vars.iter().copied().filter(|var| !self.lent.contains(var))
    }

    /// Is the one at this place lent what it is?
    pub fn is_lent(&self, place: usize) -> bool {
        self.vars.get(place).is_some_and(|var| self.lent.contains(var))
    }
}

/// The blocks that a statement binds, among other variables.
fn binders<L: Level>(stm: &Stm<L>) -> &[Var] {
    match stm {
        Stm::Let { var, .. } | Stm::Load { var, .. } => std::slice::from_ref(var),
        Stm::Alloc { block, .. } | Stm::Constants { block, .. } => std::slice::from_ref(block),
        Stm::If { binders, .. } | Stm::Loop { binders, .. } | Stm::Call { binders, .. } => binders,
        Stm::View(_)
        | Stm::SineCosine { .. }
        | Stm::Store { .. }
        | Stm::Copy { .. }
        | Stm::Assert { .. }
        | Stm::Trace { .. }
        | Stm::Segment(_) => &[],
    }
}
