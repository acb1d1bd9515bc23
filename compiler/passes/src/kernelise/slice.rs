//! Backward slices of a thread's code: what computes some scalars, and nothing else.
//!
//! First it is found, from the first statement to the last, what **can be had**: what depends on no
//! element of memory that the segment makes or writes. Then, from the last to the first,
//! what is **needed**: operands of what is needed, and the branches and loops around it.
//!
//! A slice stores nothing, so it may run before the segment. What may run astray (a load, a
//! division, a loop, and what is made of the scalars) stays behind the assertions that stand before
//! it; where one of them cannot be had, neither can what is behind it.

use std::collections::BTreeSet;

use ravel_kernel::*;

use super::segment::is_total;

/// What a slice is cut out of.
pub(super) struct Whole<'a> {
    pub vars: &'a VarTable,
    pub stms: &'a [Stm<Thread>],
    /// Variables that are bound too late.
    pub late: BTreeSet<Var>,
    /// Blocks that the segment writes.
    pub written: BTreeSet<Var>,
}

impl Whole<'_> {
    /// What computes these scalars, all of which are bound by arithmetic; or one that cannot be had.
    pub fn slice(self, wanted: &[Var]) -> Result<Vec<Stm<Thread>>, Var> {
        let mut reach =
            Reach { vars: self.vars, beyond: self.late, written: self.written, lost: false, hidden: false };
        reach.stms(self.stms);
        if let Some(&var) = wanted.iter().find(|var| reach.beyond.contains(var)) {
            return Err(var);
        }
        let needed = wanted.iter().copied().collect();
        Ok(Slice { reach, wanted, needed, exposed: false }.stms(self.stms))
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

/// What can be had.
struct Reach<'a> {
    vars: &'a VarTable,
    written: BTreeSet<Var>,
    /// What cannot.
    beyond: BTreeSet<Var>,
    /// An assertion cannot be had: nothing behind it may run astray.
    lost: bool,
    /// Nothing of the code at hand can be had.
    hidden: bool,
}

impl Reach<'_> {
    fn has(&self, atoms: &[Atom]) -> bool {
        !self.hidden && atoms.iter().filter_map(|atom| atom.var()).all(|var| !self.beyond.contains(&var))
    }

    fn bind(&mut self, var: Var, can_be_had: bool) {
        if !can_be_had {
            self.beyond.insert(var);
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
            Stm::Alloc { block, .. } => self.bind(*block, false),
            Stm::Load { var, array, indices } => {
                let written = match &self.vars[*array].ty {
                    Type::Array(view) => self.written.contains(&view.block),
                    _ => true,
                };
                let can_be_had = self.has(&[Atom::Var(*array)]) && self.has(indices);
                self.bind(*var, can_be_had && !written && !self.lost);
            }
            Stm::Store { .. } | Stm::Copy { .. } => (),
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
            Stm::Call { binders, .. } => {
                binders.iter().for_each(|&binder| self.bind(binder, false));
                self.lost = true;
            }
            Stm::Segment(never) => match *never {},
        }
    }

    /// Round after round, until no more is found that cannot be had.
    fn looped(&mut self, binders: &[Var], params: &[(Var, Atom)], form: LoopForm, body: &Body<Thread>) {
        let outer = self.hidden;
        self.hidden |= self.lost;
        if let LoopForm::For { index, bound } = form {
            self.hidden |= !self.has(&[bound]);
            self.bind(index, !self.hidden);
        }
        params.iter().for_each(|&(param, init)| self.bind(param, self.has(&[init])));
        loop {
            let before = (self.beyond.len(), self.lost, self.hidden);
            self.stms(&body.stms);
            params.iter().zip(&body.result).for_each(|(&(param, _), &next)| {
                self.bind(param, self.has(&[next]));
            });
            if let LoopForm::While(cond) = form {
                // Without its assertions it might not end.
                self.hidden |= self.lost || self.beyond.contains(&cond);
            }
            if before == (self.beyond.len(), self.lost, self.hidden) {
                break;
            }
        }
        for (&binder, &(param, _)) in binders.iter().zip(params) {
            self.bind(binder, self.has(&[Atom::Var(param)]));
        }
        self.hidden = outer;
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
    reach: Reach<'a>,
    wanted: &'a [Var],
    needed: BTreeSet<Var>,
    /// What stands behind may run astray.
    exposed: bool,
}

impl Slice<'_> {
    fn need(&mut self, atoms: &[Atom]) {
        self.needed.extend(atoms.iter().filter_map(|atom| atom.var()));
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
                self.need(indices);
                self.exposed = true;
            }
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
        let computes = [then, otherwise].iter().any(|side| binds_any(&side.stms, self.wanted));
        if !computes && !kept.contains(&true) {
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

    /// What one round needs of the last, round after round, until it is no more.
    fn looped(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: LoopForm,
        body: &Body<Thread>,
    ) -> Option<Stm<Thread>> {
        if !binders.iter().any(|binder| self.needed.contains(binder)) && !binds_any(&body.stms, self.wanted) {
            return None;
        }
        match form {
            LoopForm::For { bound, .. } => self.need(&[bound]),
            LoopForm::While(cond) => self.need(&[Atom::Var(cond)]),
        }
        loop {
            let before = self.needed.len();
            let needed = |(&binder, &(param, _)): (&Var, &(Var, Atom))| {
                self.needed.contains(&binder) || self.needed.contains(&param)
            };
            let kept: Vec<bool> = binders.iter().zip(params).map(needed).collect();
            let (params, result) = (chosen(params, &kept), chosen(&body.result, &kept));
            self.need(&result);
            params.iter().for_each(|&(_, init)| self.need(&[init]));
            self.exposed = true;
            let stms = self.stms(&body.stms);
            if self.needed.len() == before {
                let binders = chosen(binders, &kept);
                return Some(Stm::Loop { binders, params, form, body: Body { stms, result } });
            }
        }
    }
}

/// Those that are kept.
fn chosen<T: Copy>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(&one, _)| one).collect()
}
