//! Which memory a name of a block may stand for, how large a block is, and which memory belongs to a loop.
//!
//! Memory is named by its *root*: the allocation, the parameter or the call that a block comes
//! from. In a round of a loop a merge parameter is a root too; what it was in other rounds does not
//! matter there. So is what comes out of a loop in memory that belonged to the loop: it was made before the loop or in its
//! rounds, under names that nobody uses any more, and nothing else that comes out lies in it.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;
use ravel_prim::PrimValue;

use super::mention::{binders, block_of, bound, bound_in, used, used_in};
use super::start::{Start, starts};

/// The blocks that an entry point may overwrite from the start.
pub fn given(entry: &Entry) -> BTreeSet<Var> {
    let arrays = entry.params.iter().filter(|param| param.consumed && !param.shape.is_empty());
    arrays.map(|param| param.var).collect()
}

/// What is known of the blocks of an entry point or function.
#[derive(Default)]
pub struct Blocks {
    /// Of what comes out of branches and loops: the memory that it may be.
    roots: BTreeMap<Var, BTreeSet<Var>>,
    /// Memory that was made inside of branches or loops and came out: what else came out beside it goes by its name,
    /// so that a chain of loops does not come to have more and more of it.
    came_out: BTreeSet<Var>,
    /// What stands for memory by now that was replaced.
    replaced: BTreeMap<Var, Var>,
    /// The numbers of elements of blocks, as products.
    counts: BTreeMap<Var, Vec<Atom>>,
    /// Scalars that are nothing but products of sizes, if only saturating ones.
    products: Products,
    /// Merge parameters whose memory belongs to their loop: each round may overwrite it.
    own: BTreeSet<Var>,
    /// What comes out of loops in memory that belonged to them, with that memory.
    handed: BTreeMap<Var, BTreeSet<Var>>,
    /// If it is asked which parameters should begin with copies: what there is to say of them. Those that should count
    /// as the loop's own.
    starts: Option<BTreeMap<Var, Start>>,
}

impl Blocks {
    /// Finds out about an entry point.
    pub fn of_entry(entry: &Entry) -> Blocks {
        Blocks::default().with_entry(entry)
    }

    /// Finds out about a function.
    pub fn of_function<L: Level>(function: &Function<L>) -> Blocks {
        Blocks::default().with(&function.body, &BTreeSet::new(), &function.vars)
    }

    /// What would be so of an entry point if loops began with copies where they should.
    pub fn started_entry(entry: &Entry) -> Blocks {
        Blocks { starts: Some(BTreeMap::new()), ..Blocks::default() }.with_entry(entry)
    }

    /// The same of a function.
    pub fn started_function<L: Level>(function: &Function<L>) -> Blocks {
        let blocks = Blocks { starts: Some(BTreeMap::new()), ..Blocks::default() };
        blocks.with(&function.body, &BTreeSet::new(), &function.vars)
    }

    fn with_entry(mut self, entry: &Entry) -> Blocks {
        let arrays = entry.params.iter().filter(|param| !param.shape.is_empty());
        self.counts.extend(arrays.map(|param| (param.var, param.shape.clone())));
        self.with(&entry.body, &given(entry), &entry.vars)
    }

    /// A body to which these blocks belong from the start.
    fn with<L: Level>(mut self, body: &Body<L>, own: &BTreeSet<Var>, vars: &VarTable) -> Blocks {
        self.own.extend(own);
        self.body(body, own.clone(), vars);
        self
    }

    /// The memory that a block may be.
    pub fn roots(&self, block: Var) -> BTreeSet<Var> {
        let root = |root: &Var| self.replaced.get(root).copied().unwrap_or(*root);
        self.roots
            .get(&block)
            .map_or_else(|| BTreeSet::from([block]), |roots| roots.iter().map(root).collect())
    }

    /// The memory that a block may be, under all names that it had before.
    pub fn memory(&self, block: Var) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        let mut pending: Vec<Var> = self.roots(block).into_iter().collect();
        while let Some(root) = pending.pop() {
            if found.insert(root) {
                pending.extend(self.handed.get(&root).into_iter().flatten());
            }
        }
        found
    }

    /// Has a block so many elements?
    pub fn has(&self, block: Var, count: Atom) -> bool {
        self.counts.get(&block).is_some_and(|own| self.products.same(own, &[count]))
    }

    /// Have two blocks as many elements?
    pub fn same_size(&self, a: Var, b: Var) -> bool {
        match (self.counts.get(&a), self.counts.get(&b)) {
            (Some(a), Some(b)) => a == b || self.products.same(a, b),
            _ => false,
        }
    }

    /// Is the view the whole of a block of so many elements, row-major?
    pub fn is_whole(&self, view: &View, count: Atom) -> bool {
        view.offset == Atom::i64(0)
            && self.products.same(&view.shape, &[count])
            && self.products.contiguous(view)
    }

    /// Does it come out of a loop, in memory that is for nobody else?
    pub fn is_handed(&self, binder: Var) -> bool {
        self.handed.contains_key(&binder)
    }

    /// Should the loop begin with a copy for this parameter, if that was asked, and is it one that might?
    pub fn start(&self, param: Var) -> Option<Start> {
        self.starts.as_ref()?.get(&param).copied()
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
    fn body<L: Level>(&mut self, body: &Body<L>, own: BTreeSet<Var>, vars: &VarTable) {
        let mut before = Before::of(body, own, vars, self);
        for (at, stm) in body.stms.iter().enumerate() {
            before.ours.extend(makes(stm));
            match stm {
                Stm::Let { var, exp } => self.note(*var, exp),
                Stm::Alloc { block, count } => {
                    self.counts.insert(*block, vec![*count]);
                }
                Stm::If { binders, then, otherwise, .. } => {
                    self.body(then, BTreeSet::new(), vars);
                    self.body(otherwise, BTreeSet::new(), vars);
                    let of = |position: usize| {
                        let results = [then.result.get(position), otherwise.result.get(position)];
                        results.into_iter().flatten().flat_map(|&result| self.roots_of(result)).collect()
                    };
                    let roots = (0..binders.len()).map(of).collect();
                    self.come_out_of(stm, binders, roots, &mut before);
                }
                Stm::Loop { binders, params, body: round, .. } => {
                    for &(param, init) in params {
                        let count = init.var().and_then(|init| self.shared_count(init)).cloned();
                        self.counts.extend(count.map(|count| (param, count)));
                    }
                    self.claim(&before, at, stm, params, vars);
                    self.rounds(params, round, vars);
                    if self.starts.is_some() && self.start_with_copies(stm, vars) {
                        self.forget(round);
                        self.rounds(params, round, vars);
                    }
                    let of = |position: usize| self.after(params, round, position);
                    let roots = (0..binders.len()).map(of).collect();
                    self.come_out_of(stm, binders, roots, &mut before);
                }
                Stm::Segment(segment) => self.body(&L::grid(segment).body, BTreeSet::new(), vars),
                _ => (),
            }
        }
    }

    /// The rounds of a loop, which may overwrite what belongs to the loop.
    fn rounds<L: Level>(&mut self, params: &[(Var, Atom)], round: &Body<L>, vars: &VarTable) {
        self.round(params, round, vars);
        // What was found out inside may rest upon what was claimed.
        while self.confirm(params, round) {
            self.forget(round);
            self.round(params, round, vars);
        }
    }

    /// Forgets what was found out inside.
    fn forget<L: Level>(&mut self, round: &Body<L>) {
        bound_in(round, &mut |var| {
            self.own.remove(&var);
            self.handed.remove(&var);
            self.starts.as_mut().map(|starts| starts.remove(&var));
        });
    }

    fn round<L: Level>(&mut self, params: &[(Var, Atom)], round: &Body<L>, vars: &VarTable) {
        let params = params.iter().map(|&(param, _)| param);
        let own = params.filter(|param| self.own.contains(param)).collect();
        self.body(round, own, vars);
    }

    /// Lets a loop begin with copies where it should. Are there any?
    fn start_with_copies<L: Level>(&mut self, looped: &Stm<L>, vars: &VarTable) -> bool {
        let found = starts(self, looped, vars);
        let copied = found.iter().filter(|(_, start)| start.wrong.is_none()).map(|&(param, _)| param);
        let owned = self.own.len();
        self.own.extend(copied);
        self.starts.get_or_insert_default().extend(found);
        self.own.len() > owned
    }

    /// Takes note of products, also of those that saturate.
    fn note(&mut self, var: Var, exp: &ScalarExp) {
        match *exp {
            ScalarExp::Select(_, Atom::Const(PrimValue::I64(i64::MAX)), product) => {
                self.products.note_product(var, &[product]);
            }
            _ => self.products.note(var, exp),
        }
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
        if let Stm::Loop { params, .. } = stm {
            self.hand_out(binders, params, &mut roots);
            before.ours.extend(binders.iter().filter(|binder| self.handed.contains_key(binder)));
        }
        let mut inside = BTreeSet::new();
        bound(stm, &mut |var| _ = inside.insert(var));
        let new: BTreeSet<Var> = roots
            .iter()
            .flatten()
            .copied()
            .filter(|root| inside.contains(root) && !binders.contains(root))
            .collect();
        for root in &new {
            let mut with: Vec<&mut BTreeSet<Var>> =
                roots.iter_mut().filter(|roots| roots.contains(root)).collect();
            let count = |var: &Var| self.counts.get(var);
            let as_large = |known: &&Var| count(known) == count(root) || self.same_size(**known, *root);
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

    /// What comes out of a loop for parameters whose memory belongs to it is memory of its own.
    fn hand_out(&mut self, binders: &[Var], params: &[(Var, Atom)], roots: &mut [BTreeSet<Var>]) {
        for ((&binder, &(param, _)), roots) in binders.iter().zip(params).zip(roots) {
            self.counts.remove(&binder);
            if self.own.contains(&param) {
                let count = self.counts.get(&param).cloned();
                self.counts.extend(count.map(|count| (binder, count)));
                self.handed.insert(binder, std::mem::replace(roots, BTreeSet::from([binder])));
            }
        }
    }

    /// The number of elements that all memory that a block may be has.
    fn shared_count(&self, block: Var) -> Option<&Vec<Atom>> {
        let roots = self.roots(block);
        let first = roots.first()?;
        let count = self.counts.get(first)?;
        roots.iter().all(|root| root == first || self.same_size(*first, *root)).then_some(count)
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

    /// The memory that a round makes: what lies in it is for nobody else.
    pub fn made<L: Level>(&self, round: &Body<L>) -> BTreeSet<Var> {
        let handed = |stm: &Stm<L>| match stm {
            Stm::Loop { binders, .. } => {
                binders.iter().filter(|binder| self.is_handed(**binder)).copied().collect()
            }
            stm => makes(stm).to_vec(),
        };
        round.stms.iter().flat_map(handed).collect()
    }

    /// The memory that each next value of a loop may be.
    pub fn nexts<L: Level>(&self, round: &Body<L>) -> Vec<BTreeSet<Var>> {
        round.result.iter().map(|&next| self.roots_of(next)).collect()
    }

    /// Takes back what was claimed of parameters whose next values are not the loop's own either, or
    /// not of one size. Was there any?
    fn confirm<L: Level>(&mut self, params: &[(Var, Atom)], round: &Body<L>) -> bool {
        let made = self.made(round);
        let nexts = self.nexts(round);
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
    fn of<L: Level>(body: &Body<L>, own: BTreeSet<Var>, vars: &VarTable, blocks: &Blocks) -> Before {
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
        Before { ours: own, last }
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
