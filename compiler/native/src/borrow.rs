//! Loop parameters that borrow blocks instead of owning them.
//!
//! A merge parameter of block type borrows its blocks if it only receives blocks that are owned outside its loop: their
//! owners outlive the loop. So a loop that swaps two blocks counts no references in its iterations.

use std::collections::BTreeSet;

use ravel_kernel::{Atom, Body, Level, Stm, Var};

/// The merge parameters of a loop.
#[derive(Default)]
pub(crate) struct MergeParams {
    /// The parameters, in order.
    pub vars: Vec<Var>,
    /// The parameters that own no reference to their blocks.
    borrowed: BTreeSet<Var>,
}

impl MergeParams {
    /// The merge parameters of a loop with this body.
    pub fn new<L: Level>(
        params: &[(Var, Atom)],
        body: &Body<L>,
        is_block: impl Fn(Var) -> bool,
    ) -> MergeParams {
        let vars: Vec<Var> = params.iter().map(|&(var, _)| var).collect();
        let bound: BTreeSet<Var> = body.stms.iter().flat_map(|step| binders(&step.stm)).copied().collect();
        let block_of = |atom: &Atom| atom.var().filter(|&var| is_block(var));
        let moves: Vec<(Var, Var)> =
            vars.iter().zip(&body.result).filter_map(|(&var, atom)| Some((var, block_of(atom)?))).collect();
        let mut borrowed: BTreeSet<Var> = moves.iter().map(|&(var, _)| var).collect();
        // A parameter that receives a block of the body, or of an owning parameter, must own it.
        let owns = |borrowed: &BTreeSet<Var>, received: Var| {
            bound.contains(&received) || vars.contains(&received) && !borrowed.contains(&received)
        };
        while let Some(&(owner, _)) =
            moves.iter().find(|&&(var, received)| borrowed.contains(&var) && owns(&borrowed, received))
        {
            borrowed.remove(&owner);
        }
        MergeParams { vars, borrowed }
    }

    /// The parameters that own their blocks.
    pub fn owners(&self) -> impl Iterator<Item = Var> {
        self.vars.iter().copied().filter(|var| !self.borrowed.contains(var))
    }

    /// Whether the parameter at this position borrows its block.
    pub fn is_borrowed(&self, place: usize) -> bool {
        self.vars.get(place).is_some_and(|var| self.borrowed.contains(var))
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
        | Stm::Combine { .. }
        | Stm::Copy { .. }
        | Stm::Assert { .. }
        | Stm::Trace { .. }
        | Stm::Choose { .. }
        | Stm::Segment(_) => &[],
    }
}
