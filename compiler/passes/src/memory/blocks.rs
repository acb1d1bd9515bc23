//! Facts about memory blocks: which memory a name of a block may refer to, how large that memory is, and which
//! memory belongs to a loop, so that each iteration may overwrite it.
//!
//! A piece of memory is identified by its *root*: the allocation, parameter or call that the block comes from. Inside
//! its loop, a loop parameter is a root too: it stands for the memory that it has in the current iteration. A loop's
//! result is also a root if its memory *belonged to the loop*. Such memory was allocated before the loop or in an
//! iteration, no earlier name of it is used any more, and no other result refers to it.

mod liveness;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;
use ravel_prim::PrimValue;

use super::copy_initial::{InitialCopy, initial_copies};
use super::occurrences::{block_of, threads, visit_binders, visit_binders_in, visit_uses_in};
use liveness::Liveness;

/// The blocks that an entry point may overwrite: its consumed parameters.
pub fn overwritable(entry: &Entry) -> BTreeSet<Var> {
    let arrays = entry.params.iter().filter(|param| param.consumed && !param.shape.is_empty());
    arrays.map(|param| param.var).collect()
}

/// Facts about the blocks of an entry point or function.
#[derive(Default)]
pub struct Blocks {
    /// For results of branches and loops: the roots that they may refer to.
    roots: BTreeMap<Var, BTreeSet<Var>>,
    /// Roots that escaped: they were allocated inside a branch or loop, and a result of it may refer to them.
    /// Suppose that a root escapes, and an earlier root of the same size is in every set that contains it.
    /// Then the later root is dropped from these sets, and the earlier root stands for both. This keeps the sets
    /// small in a chain of loops.
    escaped: BTreeSet<Var>,
    /// For each root that a pass has replaced, the root that now stands for it.
    replaced: BTreeMap<Var, Var>,
    /// For each block, its number of elements, as the factors of a product.
    counts: BTreeMap<Var, Vec<Atom>>,
    /// Scalars that are products of sizes, including products that saturate on overflow.
    products: Products,
    /// Loop parameters whose memory belongs to the loop, so that each iteration may overwrite it. Consumed parameters of
    /// the entry point are here too.
    own: BTreeSet<Var>,
    /// For each result of a loop that lies in memory that belonged to the loop: the roots that this memory had
    /// inside and before the loop.
    owned_results: BTreeMap<Var, BTreeSet<Var>>,
    /// If copies of initial arrays are considered: the decision for each loop parameter. A parameter that gets a copy
    /// counts as the loop's own.
    copies: Option<BTreeMap<Var, InitialCopy>>,
}

impl Blocks {
    /// Analyses an entry point.
    pub fn of_entry(entry: &Entry) -> Blocks {
        Blocks::default().with_entry(entry)
    }

    /// Analyses a function.
    pub fn of_function<L: Level>(function: &Function<L>) -> Blocks {
        Blocks::default().with(&function.body, &BTreeSet::new(), &function.vars)
    }

    /// Analyses an entry point as if loops began with copies of initial arrays where the copy is worth its cost.
    pub fn with_copies_of_entry(entry: &Entry) -> Blocks {
        Blocks { copies: Some(BTreeMap::new()), ..Blocks::default() }.with_entry(entry)
    }

    /// [`Self::with_copies_of_entry`] for a function.
    pub fn with_copies_of_function<L: Level>(function: &Function<L>) -> Blocks {
        let blocks = Blocks { copies: Some(BTreeMap::new()), ..Blocks::default() };
        blocks.with(&function.body, &BTreeSet::new(), &function.vars)
    }

    fn with_entry(mut self, entry: &Entry) -> Blocks {
        let arrays = entry.params.iter().filter(|param| !param.shape.is_empty());
        self.counts.extend(arrays.map(|param| (param.var, param.shape.clone())));
        self.with(&entry.body, &overwritable(entry), &entry.vars)
    }

    /// Analyses a body that may overwrite these blocks.
    fn with<L: Level>(mut self, body: &Body<L>, own: &BTreeSet<Var>, vars: &VarTable) -> Blocks {
        self.own.extend(own);
        self.body(body, own.clone(), vars);
        self
    }

    /// The roots that the variable `block` may refer to.
    pub fn roots(&self, block: Var) -> BTreeSet<Var> {
        let root = |root: &Var| self.replaced.get(root).copied().unwrap_or(*root);
        self.roots
            .get(&block)
            .map_or_else(|| BTreeSet::from([block]), |roots| roots.iter().map(root).collect())
    }

    /// The roots that the variable `block` may refer to. If one of them is a result of a loop, also the roots that
    /// its memory had inside and before the loop.
    pub fn memory(&self, block: Var) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        let mut pending: Vec<Var> = self.roots(block).into_iter().collect();
        while let Some(root) = pending.pop() {
            if found.insert(root) {
                pending.extend(self.owned_results.get(&root).into_iter().flatten());
            }
        }
        found
    }

    /// Whether it is known that a block has this number of elements.
    pub fn has_count(&self, block: Var, count: Atom) -> bool {
        self.counts.get(&block).is_some_and(|own| self.products.same(own, &[count]))
    }

    /// Whether two blocks have the same number of elements.
    pub fn same_size(&self, a: Var, b: Var) -> bool {
        match (self.counts.get(&a), self.counts.get(&b)) {
            (Some(a), Some(b)) => a == b || self.products.same(a, b),
            _ => false,
        }
    }

    /// Whether the view covers, in row-major order, the whole of a block with this number of elements.
    pub fn is_whole(&self, view: &View, count: Atom) -> bool {
        view.offset == Atom::i64(0)
            && self.products.same(&view.shape, &[count])
            && self.products.contiguous(view)
    }

    /// Whether the binder is a result of a loop that lies in memory to which nothing else refers.
    pub fn is_owned_result(&self, binder: Var) -> bool {
        self.owned_results.contains_key(&binder)
    }

    /// The decision about a copy for this parameter, if it was considered.
    pub fn initial_copy(&self, param: Var) -> Option<InitialCopy> {
        self.copies.as_ref()?.get(&param).copied()
    }

    /// Whether the memory of this parameter belongs to its loop.
    pub fn is_own(&self, param: Var) -> bool {
        self.own.contains(&param)
    }

    /// Records the roots that a result of a new branch or loop may refer to.
    pub fn record_roots(&mut self, binder: Var, roots: BTreeSet<Var>) {
        self.roots.insert(binder, roots);
    }

    /// Records that the root `old` has been replaced by the root `new`, which has not been replaced itself.
    pub fn replace(&mut self, old: Var, new: Var) {
        self.replaced.insert(old, new);
    }

    /// Analyses a body that may overwrite these blocks each time it runs.
    fn body<L: Level>(&mut self, body: &Body<L>, own: BTreeSet<Var>, vars: &VarTable) {
        let mut liveness = Liveness::of(body, own, vars, self);
        for (at, Step { stm, .. }) in body.stms.iter().enumerate() {
            liveness.ours.extend(allocated(stm));
            match stm {
                Stm::Let { var, exp } => self.record_scalar(*var, exp),
                Stm::Alloc { block, count } => {
                    self.counts.insert(*block, vec![*count]);
                }
                Stm::If { binders, then, otherwise, .. } => {
                    self.body(then, BTreeSet::new(), vars);
                    self.body(otherwise, BTreeSet::new(), vars);
                    if has_blocks(binders, vars) {
                        let of = |position: usize| {
                            let results = [then.result.get(position), otherwise.result.get(position)];
                            results.into_iter().flatten().flat_map(|&result| self.roots_of(result)).collect()
                        };
                        let roots = (0..binders.len()).map(of).collect();
                        self.record_results(stm, binders, roots, &mut liveness);
                    }
                }
                Stm::Loop { binders, params, body: iteration, .. } => {
                    for &(param, init) in params {
                        let count = init.var().and_then(|init| self.shared_count(init)).cloned();
                        self.counts.extend(count.map(|count| (param, count)));
                    }
                    self.claim_initial_memory(&liveness, at, stm, params, vars);
                    self.iterations(params, iteration, vars);
                    if self.copies.is_some() && self.record_copies(stm, vars) {
                        self.forget(iteration);
                        self.iterations(params, iteration, vars);
                    }
                    if has_blocks(binders, vars) {
                        let of = |position: usize| self.final_roots(params, iteration, position);
                        let roots = (0..binders.len()).map(of).collect();
                        self.record_results(stm, binders, roots, &mut liveness);
                    }
                }
                Stm::Segment(segment) => {
                    if let Some(body) = threads::<L>(segment) {
                        self.body(body, BTreeSet::new(), vars);
                    }
                }
                stm_without_bodies!() => (),
            }
        }
    }

    /// Analyses the body of a loop, which may overwrite the memory that belongs to the loop.
    fn iterations<L: Level>(&mut self, params: &[(Var, Atom)], iteration: &Body<L>, vars: &VarTable) {
        self.iteration(params, iteration, vars);
        // Facts inside the body may depend on a claim that was withdrawn.
        while self.withdraw_claims(params, iteration) {
            self.forget(iteration);
            self.iteration(params, iteration, vars);
        }
    }

    /// Forgets the facts inside the body of a loop.
    fn forget<L: Level>(&mut self, iteration: &Body<L>) {
        visit_binders_in(iteration, &mut |var| {
            self.own.remove(&var);
            self.owned_results.remove(&var);
            self.copies.as_mut().map(|copies| copies.remove(&var));
        });
    }

    fn iteration<L: Level>(&mut self, params: &[(Var, Atom)], iteration: &Body<L>, vars: &VarTable) {
        let params = params.iter().map(|&(param, _)| param);
        let own = params.filter(|param| self.own.contains(param)).collect();
        self.body(iteration, own, vars);
    }

    /// Decides which parameters of a loop begin with a copy of the initial array, because the copy is worth its
    /// cost. Returns whether there are any.
    fn record_copies<L: Level>(&mut self, looped: &Stm<L>, vars: &VarTable) -> bool {
        let found = initial_copies(self, looped, vars);
        let copied = found.iter().filter(|(_, copy)| copy.missing.is_none()).map(|&(param, _)| param);
        let owned = self.own.len();
        self.own.extend(copied);
        self.copies.get_or_insert_default().extend(found);
        self.own.len() > owned
    }

    /// Records products of sizes, including saturating ones.
    fn record_scalar(&mut self, var: Var, exp: &ScalarExp) {
        match *exp {
            ScalarExp::Select(_, Atom::Const(PrimValue::I64(i64::MAX)), product) => {
                self.products.record_product(var, &[product]);
            }
            _ => self.products.record(var, exp),
        }
    }

    /// Records the roots that these results of a branch or loop may refer to. Outside the branch or loop, only these
    /// results refer to memory that was allocated inside. So a root from inside can be replaced by a root that escaped
    /// earlier. Both must have the same size, and each result that may refer to the new root must also refer to the earlier
    /// one. It may have escaped from a body inside this one: else the sets would grow with each branch of a nest.
    fn record_results<L: Level>(
        &mut self,
        stm: &Stm<L>,
        binders: &[Var],
        mut roots: Vec<BTreeSet<Var>>,
        liveness: &mut Liveness,
    ) {
        if let Stm::Loop { params, .. } = stm {
            self.record_owned_results(binders, params, &mut roots);
            liveness.ours.extend(binders.iter().filter(|binder| self.owned_results.contains_key(binder)));
        }
        let mut inside = BTreeSet::new();
        visit_binders(stm, &mut |var| _ = inside.insert(var));
        let new: BTreeSet<Var> = roots
            .iter()
            .flatten()
            .copied()
            .filter(|root| inside.contains(root) && !binders.contains(root))
            .collect();
        let mut escaping = Vec::new();
        for root in &new {
            let mut with: Vec<&mut BTreeSet<Var>> =
                roots.iter_mut().filter(|roots| roots.contains(root)).collect();
            let count = |var: &Var| self.counts.get(var);
            let as_large = |known: &&Var| count(known) == count(root) || self.same_size(**known, *root);
            let all = |known: &&Var| with.iter().all(|roots| roots.contains(known));
            // Of the new roots, those before this one that results still refer to stay.
            let stays = |known: &&Var| *known < root || !new.contains(known);
            let known = with[0].iter().filter(|known| stays(known) && self.escaped.contains(known));
            match known.filter(as_large).copied().find(|known| all(&known)) {
                Some(_) => with.iter_mut().for_each(|roots| _ = roots.remove(root)),
                None => escaping.push(*root),
            }
        }
        self.escaped.extend(escaping);
        for (&binder, roots) in binders.iter().zip(roots) {
            liveness.add_alias(binder, &roots);
            self.roots.insert(binder, roots);
        }
    }

    fn roots_of(&self, atom: Atom) -> BTreeSet<Var> {
        atom.var().map(|var| self.roots(var)).unwrap_or_default()
    }

    /// If the memory of a parameter belongs to the loop, the corresponding result is a new root.
    fn record_owned_results(&mut self, binders: &[Var], params: &[(Var, Atom)], roots: &mut [BTreeSet<Var>]) {
        for ((&binder, &(param, _)), roots) in binders.iter().zip(params).zip(roots) {
            self.counts.remove(&binder);
            if self.own.contains(&param) {
                let count = self.counts.get(&param).cloned();
                self.counts.extend(count.map(|count| (binder, count)));
                self.owned_results.insert(binder, std::mem::replace(roots, BTreeSet::from([binder])));
            }
        }
    }

    /// The number of elements of a block, if it is the same for all roots that the block may refer to.
    fn shared_count(&self, block: Var) -> Option<&Vec<Atom>> {
        let roots = self.roots(block);
        let first = roots.first()?;
        let count = self.counts.get(first)?;
        roots.iter().all(|root| root == first || self.same_size(*first, *root)).then_some(count)
    }

    /// Marks the parameters whose memory the loop may take over, because the initial value has no other use:
    ///
    /// * The memory of the initial value was allocated in the body around the loop, or belongs to that body from its
    ///   start. Memory that belongs to a body further out does not count: that body needs it again in its next run.
    /// * No other parameter starts in this memory.
    /// * Neither the loop's body nor later statements mention this memory.
    fn claim_initial_memory<L: Level>(
        &mut self,
        liveness: &Liveness,
        at: usize,
        stm: &Stm<L>,
        params: &[(Var, Atom)],
        vars: &VarTable,
    ) {
        let inits: Vec<BTreeSet<Var>> = params.iter().map(|&(_, init)| self.roots_of(init)).collect();
        let ours = |root: &Var| liveness.ours.contains(root);
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
        let free = |root: &Var| !inside.contains(root) && !liveness.is_live_after(*root, at);
        for position in candidates {
            if inits[position].iter().all(free) {
                self.own.insert(params[position].0);
            }
        }
    }

    /// The roots from outside the loop that its body mentions.
    fn mentioned_inside<L: Level>(&self, looped: &Stm<L>, vars: &VarTable) -> BTreeSet<Var> {
        let (mut new, mut found) = (BTreeSet::new(), BTreeSet::new());
        visit_binders(looped, &mut |var| _ = new.insert(var));
        if let Stm::Loop { body: iteration, .. } = looped {
            visit_uses_in(iteration, &mut |var| {
                if let Some(block) = block_of(var, vars).filter(|block| !new.contains(block)) {
                    found.extend(self.roots(block));
                }
            });
        }
        found
    }

    /// The memory that is allocated in an iteration, or is a result of an inner loop to which nothing else refers.
    pub fn fresh_memory<L: Level>(&self, iteration: &Body<L>) -> BTreeSet<Var> {
        let owned = |step: &Step<L>| match &step.stm {
            Stm::Loop { binders, .. } => {
                binders.iter().filter(|binder| self.is_owned_result(**binder)).copied().collect()
            }
            stm => allocated(stm).to_vec(),
        };
        iteration.stms.iter().flat_map(owned).collect()
    }

    /// For each yielded value, the roots that it may refer to.
    pub fn yielded_memory<L: Level>(&self, iteration: &Body<L>) -> Vec<BTreeSet<Var>> {
        iteration.result.iter().map(|&next| self.roots_of(next)).collect()
    }

    /// Withdraws the claim that the memory of a parameter belongs to the loop, if the value that is yielded for it
    /// may lie in memory that does not belong to the loop, or in the memory of another yielded value. Forgets the
    /// size of a parameter if it changes. Returns whether anything changed.
    fn withdraw_claims<L: Level>(&mut self, params: &[(Var, Atom)], iteration: &Body<L>) -> bool {
        let made = self.fresh_memory(iteration);
        let nexts = self.yielded_memory(iteration);
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
                let is_known = self.counts.contains_key(&param);
                if is_known && next.iter().any(|&root| !self.same_size(root, param)) {
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

    /// The roots that the final value of a parameter may refer to.
    fn final_roots<L: Level>(
        &self,
        params: &[(Var, Atom)],
        iteration: &Body<L>,
        position: usize,
    ) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        let mut reached = BTreeSet::new();
        let mut pending = vec![position];
        while let Some(position) = pending.pop() {
            if !reached.insert(position) {
                continue;
            }
            found.extend(self.roots_of(params[position].1));
            for root in self.roots_of(iteration.result[position]) {
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

/// Whether one of these results is a block.
fn has_blocks(binders: &[Var], vars: &VarTable) -> bool {
    binders.iter().any(|&binder| matches!(vars[binder].ty, Type::Block(_)))
}

/// The memory that a statement allocates.
fn allocated<L: Level>(stm: &Stm<L>) -> &[Var] {
    match stm {
        Stm::Alloc { block, .. } => std::slice::from_ref(block),
        Stm::Call { binders, .. } => binders,
        _ => &[],
    }
}
