//! What code does with blocks: which it mentions, which memory a name may stand for, how large a
//! block is, and which memory belongs to a loop.
//!
//! Memory is named by its *root*: the allocation, the parameter or the call that a block comes
//! from. In a round of a loop a merge parameter is a root too; what it was in other rounds does not
//! matter there.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Span;
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
        Stm::Trace { args, .. } => atoms(args),
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

/// Where the segments that are the first to mention each block are written, also in branches and loops: they make
/// what lies in a fresh one.
pub fn places<L: Level>(body: &Body<L>, vars: &VarTable) -> BTreeMap<Var, Span> {
    fn add<L: Level>(body: &Body<L>, vars: &VarTable, places: &mut BTreeMap<Var, Span>) {
        for stm in &body.stms {
            match stm {
                Stm::If { then, otherwise, .. } => {
                    add(then, vars, places);
                    add(otherwise, vars, places);
                }
                Stm::Loop { body, .. } => add(body, vars, places),
                Stm::Segment(segment) => {
                    let Some(span) = L::grid(segment).span else { continue };
                    used(stm, &mut |var| {
                        block_of(var, vars).map(|block| *places.entry(block).or_insert(span));
                    });
                }
                _ => {}
            }
        }
    }
    let mut places = BTreeMap::new();
    add(body, vars, &mut places);
    places
}

/// Calls `each` with every variable that a statement binds, also inside.
pub fn bound<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    match stm {
        Stm::Let { var, .. }
        | Stm::View(var)
        | Stm::Alloc { block: var, .. }
        | Stm::Constants { block: var, .. }
        | Stm::Load { var, .. } => each(*var),
        Stm::Store { .. } | Stm::Copy { .. } | Stm::Assert { .. } | Stm::Trace { .. } => (),
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
    /// Memory that was made inside of branches or loops and came out: what else came out beside it goes by its name,
    /// so that a chain of loops does not come to have more and more of it.
    came_out: BTreeSet<Var>,
    /// What stands for memory by now that was replaced.
    replaced: BTreeMap<Var, Var>,
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
            came_out: BTreeSet::new(),
            replaced: BTreeMap::new(),
            counts: given.iter().filter_map(|&(var, count)| Some((var, count?))).collect(),
            own: given.iter().map(|&(var, _)| var).collect(),
        };
        blocks.body(body, &given.iter().map(|&(var, _)| var).collect::<Vec<_>>(), vars);
        blocks
    }

    /// The memory that a block may be.
    pub fn roots(&self, block: Var) -> BTreeSet<Var> {
        let root = |root: &Var| self.replaced.get(root).copied().unwrap_or(*root);
        self.roots
            .get(&block)
            .map_or_else(|| BTreeSet::from([block]), |roots| roots.iter().map(root).collect())
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

    /// Takes note that what was made in one block is now made in another, which will not be replaced itself.
    pub fn replace(&mut self, old: Var, new: Var) {
        self.replaced.insert(old, new);
    }

    /// A body that may overwrite these blocks of others, each time that it runs.
    fn body<L: Level>(&mut self, body: &Body<L>, own: &[Var], vars: &VarTable) {
        let mut before = Before::of(body, own, vars, self);
        for (at, stm) in body.stms.iter().enumerate() {
            before.ours.extend(makes(stm));
            match stm {
                Stm::Alloc { block, count } => {
                    self.counts.insert(*block, *count);
                }
                Stm::If { binders, then, otherwise, .. } => {
                    self.body(then, &[], vars);
                    self.body(otherwise, &[], vars);
                    let of = |position: usize| {
                        let results = [then.result.get(position), otherwise.result.get(position)];
                        results.into_iter().flatten().flat_map(|&result| self.roots_of(result)).collect()
                    };
                    let roots = (0..binders.len()).map(of).collect();
                    self.come_out_of(stm, binders, roots, &mut before);
                }
                Stm::Loop { binders, params, body: round, .. } => {
                    for &(param, init) in params {
                        if let Some(count) = init.var().and_then(|init| self.shared_count(init)) {
                            self.counts.insert(param, count);
                        }
                    }
                    self.claim(&before, at, stm, params, vars);
                    self.round(params, round, vars);
                    // What was found out inside may rest upon what was claimed.
                    while self.confirm(params, round) {
                        bound_in(round, &mut |var| {
                            self.own.remove(&var);
                        });
                        self.round(params, round, vars);
                    }
                    let of = |position: usize| self.after(params, round, position);
                    let roots = (0..binders.len()).map(of).collect();
                    self.come_out_of(stm, binders, roots, &mut before);
                }
                Stm::Segment(segment) => self.body(&L::grid(segment).body, &[], vars),
                _ => (),
            }
        }
    }

    /// A round of a loop, which may overwrite what belongs to the loop.
    fn round<L: Level>(&mut self, params: &[(Var, Atom)], round: &Body<L>, vars: &VarTable) {
        let params = params.iter().map(|&(param, _)| param);
        let own: Vec<Var> = params.filter(|param| self.own.contains(param)).collect();
        self.body(round, &own, vars);
    }

    /// Takes note of what these binders of a branch or loop may be. What was made inside is known to nobody else: so it
    /// goes by the name of what came out before and is as large, if each of them that may be the one may be the other.
    fn come_out_of<L: Level>(
        &mut self,
        stm: &Stm<L>,
        binders: &[Var],
        mut roots: Vec<BTreeSet<Var>>,
        before: &mut Before,
    ) {
        let mut inside = BTreeSet::new();
        bound(stm, &mut |var| _ = inside.insert(var));
        let new: BTreeSet<Var> =
            roots.iter().flatten().copied().filter(|root| inside.contains(root)).collect();
        for root in &new {
            let mut with: Vec<&mut BTreeSet<Var>> =
                roots.iter_mut().filter(|roots| roots.contains(root)).collect();
            let as_large = |known: &&Var| self.count(**known) == self.count(*root);
            let all = |known: &&Var| with.iter().all(|roots| roots.contains(known));
            let known = with[0].iter().filter(|known| !new.contains(known) && self.came_out.contains(known));
            match known.filter(as_large).copied().find(|known| all(&known)) {
                Some(_) => with.iter_mut().for_each(|roots| _ = roots.remove(root)),
                None => _ = self.came_out.insert(*root),
            }
        }
        for (&binder, roots) in binders.iter().zip(roots) {
            before.come_out(binder, &roots);
            self.roots.insert(binder, roots);
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
    /// stands, or this body's own from its start; no other first value; not mentioned in or behind the loop. What is an
    /// outer body's own is needed again when this body runs again.
    fn claim<L: Level>(
        &mut self,
        before: &Before,
        at: usize,
        stm: &Stm<L>,
        params: &[(Var, Atom)],
        vars: &VarTable,
    ) {
        let inits: Vec<BTreeSet<Var>> = params.iter().map(|&(_, init)| self.roots_of(init)).collect();
        let ours = |root: &Var| before.ours.contains(root);
        let candidates = (0..params.len()).filter(|&position| {
            let shared = |(other, roots): (usize, &BTreeSet<Var>)| {
                other != position && !roots.is_disjoint(&inits[position])
            };
            !inits[position].is_empty()
                && inits[position].iter().all(ours)
                && !inits.iter().enumerate().any(shared)
        });
        let candidates: Vec<usize> = candidates.collect();
        if candidates.is_empty() {
            return;
        }
        let inside = self.mentioned_inside(stm, vars);
        let free = |root: &Var| !inside.contains(root) && !before.is_mentioned_behind(*root, at);
        for position in candidates {
            if inits[position].iter().all(free) {
                self.own.insert(params[position].0);
            }
        }
    }

    /// The memory from outside that a round of a loop mentions.
    fn mentioned_inside<L: Level>(&self, looped: &Stm<L>, vars: &VarTable) -> BTreeSet<Var> {
        let (mut new, mut found) = (BTreeSet::new(), BTreeSet::new());
        bound(looped, &mut |var| _ = new.insert(var));
        if let Stm::Loop { body: round, .. } = looped {
            used_in(round, &mut |var| {
                if let Some(block) = block_of(var, vars).filter(|block| !new.contains(block)) {
                    found.extend(self.roots(block));
                }
            });
        }
        found
    }

    /// Takes back what was claimed of parameters whose next values are not the loop's own either, or
    /// not of one size. Was there any?
    fn confirm<L: Level>(&mut self, params: &[(Var, Atom)], round: &Body<L>) -> bool {
        let made: BTreeSet<Var> = round.stms.iter().flat_map(makes).copied().collect();
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

/// What belongs to a body at a statement, and where it mentions memory for the last time.
struct Before {
    /// Its own from the start, or made by now.
    ours: BTreeSet<Var>,
    last: BTreeMap<Var, usize>,
}

impl Before {
    /// At the beginning of a body nothing is made. The results stand behind the last statement.
    fn of<L: Level>(body: &Body<L>, own: &[Var], vars: &VarTable, blocks: &Blocks) -> Before {
        let mut last = BTreeMap::new();
        if body.stms.iter().any(|stm| matches!(stm, Stm::Loop { .. })) {
            let new = binders(body);
            let mut mention = |at: usize, var: Var| {
                let Some(block) = block_of(var, vars) else { return };
                match new.contains(&block) {
                    // What else it may be is found out where it comes out of a branch or a loop.
                    true => _ = last.insert(block, at),
                    false => last.extend(blocks.roots(block).into_iter().map(|root| (root, at))),
                }
            };
            for (at, stm) in body.stms.iter().enumerate() {
                used(stm, &mut |var| mention(at, var));
            }
            let results = body.result.iter().filter_map(|atom| atom.var());
            results.for_each(|var| mention(body.stms.len(), var));
        }
        Before { ours: own.iter().copied().collect(), last }
    }

    /// What comes out of a branch or loop stands for this memory from there on.
    fn come_out(&mut self, binder: Var, roots: &BTreeSet<Var>) {
        if let Some(&last) = self.last.get(&binder) {
            for &root in roots {
                let known = self.last.entry(root).or_insert(last);
                *known = last.max(*known);
            }
        }
    }

    fn is_mentioned_behind(&self, root: Var, at: usize) -> bool {
        self.last.get(&root).is_some_and(|&last| last > at)
    }
}

/// The memory that a statement makes.
fn makes<L: Level>(stm: &Stm<L>) -> &[Var] {
    match stm {
        Stm::Alloc { block, .. } => std::slice::from_ref(block),
        Stm::Call { binders, .. } => binders,
        _ => &[],
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
