//! What code does with blocks: which it mentions, which memory a name may stand for, how large a
//! block is, and which memory belongs to a loop.
//!
//! Memory is named by its *root*: the allocation, the parameter or the call that a block comes
//! from. In a round of a loop a merge parameter is a root too; what it was in other rounds does not
//! matter there.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;

/// Calls `each` with every variable that a statement uses, also inside.
pub fn used<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    let mut atoms = |atoms: &[Atom]| atoms.iter().filter_map(|atom| atom.var()).for_each(&mut *each);
    match stm {
        Stm::Let { exp, .. } => atoms(&exp.operands()),
        Stm::View(_) | Stm::Constants { .. } => (),
        Stm::Alloc { count, .. } => atoms(&[*count]),
        Stm::Load { array, indices, .. } => {
            atoms(indices);
            each(*array);
        }
        Stm::Store { array, indices, value } => {
            atoms(indices);
            atoms(&[*value]);
            each(*array);
        }
        Stm::Copy { to, from } => {
            each(*to);
            each(*from);
        }
        Stm::If { cond, then, otherwise, .. } => {
            atoms(&[*cond]);
            used_in(then, each);
            used_in(otherwise, each);
        }
        Stm::Loop { params, form, body, .. } => {
            params.iter().for_each(|&(_, init)| atoms(&[init]));
            if let LoopForm::For { bound, .. } = form {
                atoms(&[*bound]);
            }
            used_in(body, each);
        }
        Stm::Assert { cond, args, .. } => {
            atoms(&[*cond]);
            atoms(args);
        }
        Stm::Call { args, .. } => args.iter().filter_map(|arg| arg.value.var()).for_each(each),
        Stm::Segment(segment) => {
            let segment = L::grid(segment);
            segment.space.iter().for_each(|&(_, size)| atoms(&[size]));
            atoms(&[segment.chunk]);
            used_in(&segment.body, each);
            for combiner in segment.kind.combiners() {
                combiner.neutral.iter().filter_map(|atom| atom.var()).for_each(&mut *each);
                used_in(&combiner.body, each);
                combiner.outs.iter().copied().for_each(&mut *each);
            }
        }
    }
}

/// The same of a body.
pub fn used_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    body.stms.iter().for_each(|stm| used(stm, each));
    body.result.iter().filter_map(|atom| atom.var()).for_each(each);
}

/// Calls `each` with every variable that a statement binds, also inside.
pub fn bound<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    match stm {
        Stm::Let { var, .. }
        | Stm::View(var)
        | Stm::Alloc { block: var, .. }
        | Stm::Constants { block: var, .. }
        | Stm::Load { var, .. } => each(*var),
        Stm::Store { .. } | Stm::Copy { .. } | Stm::Assert { .. } => (),
        Stm::If { binders, then, otherwise, .. } => {
            bound_in(then, each);
            bound_in(otherwise, each);
            binders.iter().copied().for_each(each);
        }
        Stm::Loop { binders, params, form, body } => {
            params.iter().for_each(|&(var, _)| each(var));
            if let LoopForm::For { index, .. } = form {
                each(*index);
            }
            bound_in(body, each);
            binders.iter().copied().for_each(each);
        }
        Stm::Call { binders, .. } => binders.iter().copied().for_each(each),
        Stm::Segment(segment) => {
            let segment = L::grid(segment);
            segment.space.iter().for_each(|&(index, _)| each(index));
            bound_in(&segment.body, each);
            for combiner in segment.kind.combiners() {
                combiner.left.iter().chain(&combiner.right).copied().for_each(&mut *each);
                bound_in(&combiner.body, each);
            }
        }
    }
}

/// The same of a body.
pub fn bound_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    body.stms.iter().for_each(|stm| bound(stm, each));
}

/// The variables that a body binds, also inside.
pub fn binders<L: Level>(body: &Body<L>) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    bound_in(body, &mut |var| {
        found.insert(var);
    });
    found
}

/// The blocks that an entry point may overwrite from the start, with their numbers of elements
/// where these have a name.
pub fn given(entry: &Entry) -> Vec<(Var, Option<Atom>)> {
    let arrays = entry.params.iter().filter(|param| param.consumed && !param.shape.is_empty());
    let count = |shape: &[Atom]| if let [size] = *shape { Some(size) } else { None };
    arrays.map(|param| (param.var, count(&param.shape))).collect()
}

/// What is known of the blocks of an entry point or function.
pub struct Blocks {
    /// Of what comes out of branches and loops: the memory that it may be.
    roots: BTreeMap<Var, BTreeSet<Var>>,
    /// The numbers of elements of blocks.
    counts: BTreeMap<Var, Atom>,
    /// Merge parameters whose memory belongs to their loop: each round may overwrite it.
    own: BTreeSet<Var>,
}

impl Blocks {
    /// Finds out about a body whose blocks of these names are its own from the start.
    pub fn of<L: Level>(body: &Body<L>, vars: &VarTable, given: &[(Var, Option<Atom>)]) -> Blocks {
        let mut blocks = Blocks {
            roots: BTreeMap::new(),
            counts: given.iter().filter_map(|&(var, count)| Some((var, count?))).collect(),
            own: given.iter().map(|&(var, _)| var).collect(),
        };
        blocks.body(body, vars);
        blocks
    }

    /// The memory that a block may be.
    pub fn roots(&self, block: Var) -> BTreeSet<Var> {
        self.roots.get(&block).cloned().unwrap_or_else(|| BTreeSet::from([block]))
    }

    /// How many elements a block has.
    pub fn count(&self, block: Var) -> Option<Atom> {
        self.counts.get(&block).copied()
    }

    /// Is it a parameter whose memory is for nobody else?
    pub fn is_own(&self, param: Var) -> bool {
        self.own.contains(&param)
    }

    /// Takes note of what comes out of a new branch or loop.
    pub fn come_out(&mut self, binder: Var, roots: BTreeSet<Var>) {
        self.roots.insert(binder, roots);
    }

    /// Takes note that what was made in one block is now made in another.
    pub fn replace(&mut self, old: Var, new: Var) {
        for roots in self.roots.values_mut() {
            if roots.remove(&old) {
                roots.insert(new);
            }
        }
    }

    fn body<L: Level>(&mut self, body: &Body<L>, vars: &VarTable) {
        for (at, stm) in body.stms.iter().enumerate() {
            match stm {
                Stm::Alloc { block, count } => {
                    self.counts.insert(*block, *count);
                }
                Stm::If { binders, then, otherwise, .. } => {
                    self.body(then, vars);
                    self.body(otherwise, vars);
                    for (position, &binder) in binders.iter().enumerate() {
                        let results = [then.result.get(position), otherwise.result.get(position)];
                        let roots = results.into_iter().flatten().flat_map(|&result| self.roots_of(result));
                        let roots = roots.collect();
                        self.roots.insert(binder, roots);
                    }
                }
                Stm::Loop { binders, params, body: round, .. } => {
                    for &(param, init) in params {
                        if let Some(count) = init.var().and_then(|init| self.shared_count(init)) {
                            self.counts.insert(param, count);
                        }
                    }
                    self.claim(body, at, params, round, vars);
                    self.body(round, vars);
                    // What was found out inside may rest upon what was claimed.
                    while self.confirm(params, round) {
                        bound_in(round, &mut |var| {
                            self.own.remove(&var);
                        });
                        self.body(round, vars);
                    }
                    for (position, &binder) in binders.iter().enumerate() {
                        let roots = self.after(params, round, position);
                        self.roots.insert(binder, roots);
                    }
                }
                Stm::Segment(segment) => self.body(&L::grid(segment).body, vars),
                _ => (),
            }
        }
    }

    fn roots_of(&self, atom: Atom) -> BTreeSet<Var> {
        atom.var().map(|var| self.roots(var)).unwrap_or_default()
    }

    /// The number of elements that all memory that a block may be has.
    fn shared_count(&self, block: Var) -> Option<Atom> {
        let mut counts = self.roots(block).into_iter().map(|root| self.count(root));
        let first = counts.next()??;
        counts.all(|count| count == Some(first)).then_some(first)
    }

    /// The parameters whose first values nobody else needs: made in the body in which the loop
    /// stands, or its own parameter; no other first value; not mentioned in or behind the loop.
    fn claim<L: Level>(
        &mut self,
        outer: &Body<L>,
        at: usize,
        params: &[(Var, Atom)],
        round: &Body<L>,
        vars: &VarTable,
    ) {
        let mut later = BTreeSet::new();
        outer.stms[at..].iter().for_each(|stm| {
            bound(stm, &mut |var| {
                later.insert(var);
            });
        });
        let made: BTreeSet<Var> = outer.stms[..at]
            .iter()
            .flat_map(|stm| match stm {
                Stm::Alloc { block, .. } => vec![*block],
                Stm::Call { binders, .. } => binders.clone(),
                _ => Vec::new(),
            })
            .collect();
        let mut mentioned = BTreeSet::new();
        let mut mention = |var: Var| {
            if let Some(block) = block_of(var, vars).filter(|block| !later.contains(block)) {
                mentioned.extend(self.roots(block));
            }
        };
        used_in(round, &mut mention);
        outer.stms[at + 1..].iter().for_each(|stm| used(stm, &mut mention));
        outer.result.iter().filter_map(|atom| atom.var()).for_each(mention);
        for (position, &(param, init)) in params.iter().enumerate() {
            let roots = self.roots_of(init);
            let others = params.iter().enumerate().filter(|&(other, _)| other != position);
            let shared =
                others.flat_map(|(_, &(_, init))| self.roots_of(init)).any(|root| roots.contains(&root));
            let free = |root: &Var| {
                let ours = made.contains(root) || self.own.contains(root);
                ours && !mentioned.contains(root)
            };
            if !roots.is_empty() && !shared && roots.iter().all(free) {
                self.own.insert(param);
            }
        }
    }

    /// Takes back what was claimed of parameters whose next values are not the loop's own either, or
    /// not of one size. Was there any?
    fn confirm<L: Level>(&mut self, params: &[(Var, Atom)], round: &Body<L>) -> bool {
        let made: BTreeSet<Var> = round
            .stms
            .iter()
            .flat_map(|stm| match stm {
                Stm::Alloc { block, .. } => vec![*block],
                Stm::Call { binders, .. } => binders.clone(),
                _ => Vec::new(),
            })
            .collect();
        let nexts: Vec<BTreeSet<Var>> = round.result.iter().map(|&next| self.roots_of(next)).collect();
        let mut any = false;
        loop {
            let mut changed = false;
            for (position, &(param, _)) in params.iter().enumerate() {
                let Some(next) = nexts.get(position) else { continue };
                let shared = nexts
                    .iter()
                    .enumerate()
                    .any(|(other, roots)| other != position && !roots.is_disjoint(next));
                let ours = |root: &Var| {
                    made.contains(root)
                        || (self.own.contains(root) && params.iter().any(|(param, _)| param == root))
                };
                if self.own.contains(&param) && (shared || !next.iter().all(ours)) {
                    self.own.remove(&param);
                    changed = true;
                }
                let count = self.count(param);
                if count.is_some() && next.iter().any(|&root| self.count(root) != count) {
                    self.counts.remove(&param);
                    changed = true;
                }
            }
            if !changed {
                return any;
            }
            any = true;
        }
    }

    /// The memory that the last value of a parameter may be.
    fn after<L: Level>(&self, params: &[(Var, Atom)], round: &Body<L>, position: usize) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        let mut reached = BTreeSet::new();
        let mut pending = vec![position];
        while let Some(position) = pending.pop() {
            if !reached.insert(position) {
                continue;
            }
            found.extend(params.get(position).map(|&(_, init)| self.roots_of(init)).unwrap_or_default());
            for root in round.result.get(position).map(|&next| self.roots_of(next)).unwrap_or_default() {
                match params.iter().position(|&(param, _)| param == root) {
                    Some(other) => pending.push(other),
                    None => {
                        found.insert(root);
                    }
                }
            }
        }
        found
    }
}

/// The block itself, or that of an array.
pub fn block_of(var: Var, vars: &VarTable) -> Option<Var> {
    match &vars.get(var)?.ty {
        Type::Block(_) => Some(var),
        Type::Array(view) => Some(view.block),
        Type::Scalar(_) => None,
    }
}

/// The view that an array is a name for.
pub fn view_of(array: Var, vars: &VarTable) -> Option<&View> {
    match &vars.get(array)?.ty {
        Type::Array(view) => Some(view),
        _ => None,
    }
}

/// Are two views the same elements of their blocks, in the same order?
pub fn same_function(a: &View, b: &View) -> bool {
    a.elem == b.elem && a.shape == b.shape && a.offset == b.offset && a.strides == b.strides
}
