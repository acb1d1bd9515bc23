//! Backward slices of a thread's code: what computes some scalars, and nothing else.
//!
//! First it is found, from the first statement to the last, what **can be had**: what depends on no
//! element of memory that the segment changes, but for arrays that are the thread's own, for which
//! there is room already, and all of whose elements can be had. Then, from the last statement to the first,
//! what is **needed**: operands of what is needed, stores to the arrays that it is loaded from, and
//! the branches and loops around it.
//!
//! A slice stores to the thread's own arrays alone, so it may run before the segment. What may run
//! astray (a load, a store, a division, a loop, and what is made of the scalars) stays behind the
//! assertions that stand before it; where one of them cannot be had, neither can what is behind it.

use std::collections::BTreeSet;

use ravel_kernel::*;

use super::segment::is_total;

/// What can be had of a thread's code before its segment.
pub(super) struct Reach<'a> {
    vars: &'a VarTable,
    stms: &'a [Stm<Thread>],
    /// Blocks that the segment writes.
    written: BTreeSet<Var>,
    /// Those of them that are for the arrays of its threads.
    own: BTreeSet<Var>,
    /// What cannot be had.
    beyond: BTreeSet<Var>,
    /// An assertion cannot be had: nothing behind it may run astray.
    lost: bool,
    /// Nothing of the code at hand can be had.
    hidden: bool,
    /// The loops, by their counters or conditions, a round of which has such an assertion.
    unguarded: BTreeSet<Var>,
}

impl<'a> Reach<'a> {
    /// What can be had of these statements without what is bound too `late`. The blocks that they write
    /// are `written`; of these, the blocks for the arrays of threads are their `own`.
    pub fn of(
        vars: &'a VarTable,
        stms: &'a [Stm<Thread>],
        late: BTreeSet<Var>,
        written: BTreeSet<Var>,
        own: BTreeSet<Var>,
    ) -> Reach<'a> {
        let (beyond, unguarded) = (late, BTreeSet::new());
        let mut reach = Reach { vars, stms, written, own, beyond, lost: false, hidden: false, unguarded };
        // Again, until nothing more is found: rounds of loops depend on earlier ones.
        loop {
            let before = (reach.beyond.len(), reach.unguarded.len());
            reach.lost = false;
            reach.stms(stms);
            if before == (reach.beyond.len(), reach.unguarded.len()) {
                return reach;
            }
        }
    }

    /// Can this scalar be had?
    pub fn reaches(&self, scalar: Var) -> bool {
        !self.beyond.contains(&scalar)
    }

    /// What computes these scalars, which can be had, and are bound by arithmetic.
    pub fn slice(&self, wanted: &[Var]) -> Vec<Stm<Thread>> {
        let needed = wanted.iter().copied().collect();
        let mut slice = Slice { reach: self, wanted, needed, exposed: false };
        let computes = |stm: &Stm<Thread>| binds_any(std::slice::from_ref(stm), wanted);
        let end = self.stms.iter().rposition(computes).map_or(0, |last| last + 1);
        loop {
            let before = slice.needed.len();
            slice.exposed = false;
            let kept = slice.stms(&self.stms[..end]);
            if before == slice.needed.len() {
                return kept;
            }
        }
    }

    fn has(&self, atoms: &[Atom]) -> bool {
        !self.hidden && atoms.iter().filter_map(|atom| atom.var()).all(|var| !self.beyond.contains(&var))
    }

    fn bind(&mut self, var: Var, can_be_had: bool) {
        if !can_be_had {
            self.beyond.insert(var);
        }
    }

    /// Are the elements of an array what they are when the thread reads them?
    fn reads(&self, array: Var) -> bool {
        let block = block(self.vars, array);
        let changed = |block| self.written.contains(&block) && !self.own.contains(&block);
        self.has(&[Atom::Var(array)])
            && block.is_some_and(|block| !self.beyond.contains(&block) && !changed(block))
    }

    /// Takes note that an element is stored.
    fn fill(&mut self, array: Var, can_be_had: bool) {
        if let Some(block) = block(self.vars, array).filter(|block| self.own.contains(block)) {
            self.bind(block, can_be_had);
        }
    }

    fn stms(&mut self, stms: &[Stm<Thread>]) {
        stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm<Thread>) {
        match stm {
            Stm::Let { var, exp } => {
                self.bind(*var, self.has(&exp.operands()) && (!self.lost || is_total(exp)));
            }
            Stm::View(var) => self.bind(*var, self.has(&parts(self.vars, *var))),
            Stm::Constants { block, .. } => self.bind(*block, false),
            Stm::Alloc { block, .. } => {
                self.own.insert(*block);
                self.bind(*block, !self.hidden);
            }
            Stm::Load { var, array, indices } => {
                self.bind(*var, self.reads(*array) && self.has(indices) && !self.lost);
            }
            Stm::Store { array, indices, value } => {
                let can_be_had = self.has(&[Atom::Var(*array), *value]) && self.has(indices);
                self.fill(*array, can_be_had && !self.lost);
            }
            Stm::Copy { to, from } => {
                self.fill(*to, self.has(&[Atom::Var(*to)]) && self.reads(*from) && !self.lost);
            }
            Stm::If { binders, cond, then, otherwise } => {
                let outer = self.hidden;
                self.hidden = !self.has(&[*cond]);
                self.stms(&then.stms);
                self.stms(&otherwise.stms);
                for (&binder, (&a, &b)) in binders.iter().zip(then.result.iter().zip(&otherwise.result)) {
                    self.bind(binder, self.has(&[a, b]));
                }
                self.hidden = outer;
            }
            Stm::Loop { binders, params, form, body } => self.looped(binders, params, *form, body),
            Stm::Assert { cond, message: _, args } => {
                self.lost |= !self.has(&[*cond]) || !self.has(args);
            }
            Stm::SineCosine { sine, cosine, angle } => {
                let known = self.has(&[*angle]);
                self.bind(*sine, known);
                self.bind(*cosine, known);
            }
            Stm::Trace { .. } => (),
            Stm::Call { binders, .. } => {
                binders.iter().for_each(|&binder| self.bind(binder, false));
                self.lost = true;
            }
            Stm::Segment(never) => match *never {},
        }
    }

    fn looped(&mut self, binders: &[Var], params: &[(Var, Atom)], form: LoopForm, body: &Body<Thread>) {
        let outer = self.hidden;
        self.hidden |= self.lost;
        let key = match form {
            LoopForm::For { index, bound } => {
                self.hidden |= !self.has(&[bound]);
                self.bind(index, !self.hidden);
                index
            }
            LoopForm::While(cond) => {
                // Without its assertions it might not end.
                self.hidden |= self.unguarded.contains(&cond) || self.beyond.contains(&cond);
                cond
            }
        };
        self.lost |= self.unguarded.contains(&key);
        params.iter().for_each(|&(param, init)| self.bind(param, self.has(&[init])));
        self.stms(&body.stms);
        params.iter().zip(&body.result).for_each(|(&(param, _), &next)| self.bind(param, self.has(&[next])));
        if self.lost {
            self.unguarded.insert(key);
        }
        for (&binder, &(param, _)) in binders.iter().zip(params) {
            self.bind(binder, self.has(&[Atom::Var(param)]));
        }
        self.hidden = outer;
    }
}

/// Is one of the scalars bound here?
pub(super) fn binds_any(stms: &[Stm<Thread>], wanted: &[Var]) -> bool {
    stms.iter().any(|stm| match stm {
        Stm::Let { var, .. } => wanted.contains(var),
        Stm::If { then, otherwise, .. } => {
            binds_any(&then.stms, wanted) || binds_any(&otherwise.stms, wanted)
        }
        Stm::Loop { body, .. } => binds_any(&body.stms, wanted),
        _ => false,
    })
}

/// The block of an array.
fn block(vars: &VarTable, array: Var) -> Option<Var> {
    match &vars[array].ty {
        Type::Array(view) => Some(view.block),
        _ => None,
    }
}

/// What the index function of a view is made of.
fn parts(vars: &VarTable, array: Var) -> Vec<Atom> {
    let Type::Array(view) = &vars[array].ty else { return Vec::new() };
    let mut parts = vec![Atom::Var(view.block), view.offset];
    parts.extend(view.shape.iter().chain(&view.strides));
    parts
}

/// What is needed.
struct Slice<'a> {
    reach: &'a Reach<'a>,
    wanted: &'a [Var],
    needed: BTreeSet<Var>,
    /// What stands behind may run astray.
    exposed: bool,
}

impl Slice<'_> {
    fn need(&mut self, atoms: &[Atom]) {
        self.needed.extend(atoms.iter().filter_map(|atom| atom.var()));
    }

    /// Is an element of this array needed, or rather of its block?
    fn loads(&self, array: Var) -> bool {
        block(self.reach.vars, array)
            .is_some_and(|block| self.needed.contains(&block) && self.reach.own.contains(&block))
    }

    /// Is one of the scalars bound here, or is there a store to an array that is needed?
    fn contributes(&self, stms: &[Stm<Thread>]) -> bool {
        binds_any(stms, self.wanted)
            || stms.iter().any(|stm| match stm {
                Stm::Store { array: to, .. } | Stm::Copy { to, .. } => self.loads(*to),
                Stm::If { then, otherwise, .. } => {
                    self.contributes(&then.stms) || self.contributes(&otherwise.stms)
                }
                Stm::Loop { body, .. } => self.contributes(&body.stms),
                _ => false,
            })
    }

    /// What is needed of these statements.
    fn stms(&mut self, stms: &[Stm<Thread>]) -> Vec<Stm<Thread>> {
        let mut kept: Vec<Stm<Thread>> = stms.iter().rev().filter_map(|stm| self.stm(stm)).collect();
        kept.reverse();
        kept
    }

    fn stm(&mut self, stm: &Stm<Thread>) -> Option<Stm<Thread>> {
        match stm {
            Stm::Let { var, exp } if self.needed.contains(var) => {
                self.need(&exp.operands());
                self.exposed |= !is_total(exp) || self.wanted.contains(var);
            }
            Stm::View(var) if self.needed.contains(var) => self.need(&parts(self.reach.vars, *var)),
            Stm::Load { var, array, indices } if self.needed.contains(var) => {
                self.need(&[Atom::Var(*array)]);
                // Before the view is come to, stores through others may be.
                self.need(&parts(self.reach.vars, *array));
                self.need(indices);
                self.exposed = true;
            }
            Stm::Store { array, indices, value } if self.loads(*array) => {
                self.need(&[Atom::Var(*array), *value]);
                self.need(indices);
                self.exposed = true;
            }
            Stm::Copy { to, from } if self.loads(*to) => {
                self.need(&[Atom::Var(*to), Atom::Var(*from)]);
                self.need(&parts(self.reach.vars, *from));
                self.exposed = true;
            }
            Stm::Alloc { block, .. } if self.needed.contains(block) => (),
            Stm::Assert { cond, message: _, args }
                if self.exposed && self.reach.has(&[*cond]) && self.reach.has(args) =>
            {
                self.need(&[*cond]);
                self.need(args);
            }
            Stm::If { binders, cond, then, otherwise } => {
                return self.branch(binders, *cond, then, otherwise);
            }
            Stm::Loop { binders, params, form, body } => return self.looped(binders, params, *form, body),
            _ => return None,
        }
        Some(stm.clone())
    }

    fn branch(
        &mut self,
        binders: &[Var],
        cond: Atom,
        then: &Body<Thread>,
        otherwise: &Body<Thread>,
    ) -> Option<Stm<Thread>> {
        let kept: Vec<bool> = binders.iter().map(|binder| self.needed.contains(binder)).collect();
        let contributes = [then, otherwise].iter().any(|side| self.contributes(&side.stms));
        if !contributes && !kept.contains(&true) {
            return None;
        }
        let behind = self.exposed;
        let mut exposed = false;
        let [then, otherwise] = [then, otherwise].map(|side| {
            let result = chosen(&side.result, &kept);
            self.need(&result);
            self.exposed = behind;
            let stms = self.stms(&side.stms);
            exposed |= self.exposed;
            Body { stms, result }
        });
        self.exposed = exposed;
        self.need(&[cond]);
        Some(Stm::If { binders: chosen(binders, &kept), cond, then, otherwise })
    }

    fn looped(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: LoopForm,
        body: &Body<Thread>,
    ) -> Option<Stm<Thread>> {
        if !binders.iter().any(|binder| self.needed.contains(binder)) && !self.contributes(&body.stms) {
            return None;
        }
        match form {
            LoopForm::For { bound, .. } => self.need(&[bound]),
            LoopForm::While(cond) => self.need(&[Atom::Var(cond)]),
        }
        let needed = |(&binder, &(param, _)): (&Var, &(Var, Atom))| {
            self.needed.contains(&binder) || self.needed.contains(&param)
        };
        let kept: Vec<bool> = binders.iter().zip(params).map(needed).collect();
        let (binders, params) = (chosen(binders, &kept), chosen(params, &kept));
        let result = chosen(&body.result, &kept);
        self.need(&result);
        params.iter().for_each(|&(_, init)| self.need(&[init]));
        self.exposed = true;
        let stms = self.stms(&body.stms);
        Some(Stm::Loop { binders, params, form, body: Body { stms, result } })
    }
}

/// Those that are kept.
fn chosen<T: Copy>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(&one, _)| one).collect()
}
