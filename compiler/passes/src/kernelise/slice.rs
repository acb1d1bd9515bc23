//! Backward slices of a thread's code: the statements that compute some scalars.
//!
//! A forward pass finds the values that are **available** before the segment: they depend on no element of memory that
//! the segment changes. Exceptions are the thread's own arrays, if their memory exists already and all their elements
//! are available. A backward pass then finds the statements that are **needed**: operands of needed statements, stores
//! to the arrays from which they load, and the enclosing branches and loops.
//!
//! A slice stores only to the thread's own arrays, so it may run before the segment. Operations that may fail or not
//! terminate (a load, a store, a division, a loop, and arithmetic on their results) stay after the assertions that
//! precede them. If one of these assertions is not available, neither are the operations after it.

use std::collections::BTreeSet;

use ravel_kernel::*;

use super::segment::is_total;

/// The values of a thread's code that are available before its segment.
pub(super) struct Availability<'a> {
    vars: &'a VarTable,
    stms: &'a [Step<Thread>],
    /// Blocks that the segment writes.
    written: BTreeSet<Var>,
    /// The blocks among them that contain arrays of the threads.
    own: BTreeSet<Var>,
    /// The unavailable variables.
    unavailable: BTreeSet<Var>,
    /// An assertion is not available, so operations after it that may fail are not either.
    check_missing: bool,
    /// Nothing in the current code is available.
    blocked: bool,
    /// The loops, by counter or condition, with such an assertion in an iteration.
    unguarded: BTreeSet<Var>,
}

impl<'a> Availability<'a> {
    /// The available values of these statements, if the variables bound `late` are not. The statements write the blocks
    /// in `written`; of these, `own` contain arrays of threads.
    pub fn of(
        vars: &'a VarTable,
        stms: &'a [Step<Thread>],
        late: BTreeSet<Var>,
        written: BTreeSet<Var>,
        own: BTreeSet<Var>,
    ) -> Availability<'a> {
        let (unavailable, unguarded) = (late, BTreeSet::new());
        let mut available = Availability {
            vars,
            stms,
            written,
            own,
            unavailable,
            check_missing: false,
            blocked: false,
            unguarded,
        };
        // Iterate to a fixpoint: iterations of loops depend on earlier ones.
        loop {
            let before = (available.unavailable.len(), available.unguarded.len());
            available.check_missing = false;
            available.stms(stms);
            if before == (available.unavailable.len(), available.unguarded.len()) {
                return available;
            }
        }
    }

    /// Whether this scalar is available.
    pub fn is_available(&self, scalar: Var) -> bool {
        !self.unavailable.contains(&scalar)
    }

    /// The statements that compute these scalars, which must be available and bound by arithmetic.
    pub fn slice(&self, wanted: &[Var]) -> Vec<Step<Thread>> {
        let needed = wanted.iter().copied().collect();
        let mut slice = Slice { available: self, wanted, needed, needs_checks: false };
        let computes = |step: &Step<Thread>| binds_any(std::slice::from_ref(step), wanted);
        let end = self.stms.iter().rposition(computes).map_or(0, |last| last + 1);
        loop {
            let before = slice.needed.len();
            slice.needs_checks = false;
            let kept = slice.stms(&self.stms[..end]);
            if before == slice.needed.len() {
                return kept;
            }
        }
    }

    fn are_available(&self, atoms: &[Atom]) -> bool {
        !self.blocked
            && atoms.iter().filter_map(|atom| atom.var()).all(|var| !self.unavailable.contains(&var))
    }

    fn bind(&mut self, var: Var, available: bool) {
        if !available {
            self.unavailable.insert(var);
        }
    }

    /// Whether the elements of an array have the values that the thread reads.
    fn reads(&self, array: Var) -> bool {
        let block = block(self.vars, array);
        let changed = |block| self.written.contains(&block) && !self.own.contains(&block);
        self.are_available(&[Atom::Var(array)])
            && block.is_some_and(|block| !self.unavailable.contains(&block) && !changed(block))
    }

    /// Records a store to an element.
    fn fill(&mut self, array: Var, available: bool) {
        if let Some(block) = block(self.vars, array).filter(|block| self.own.contains(block)) {
            self.bind(block, available);
        }
    }

    fn stms(&mut self, stms: &[Step<Thread>]) {
        stms.iter().for_each(|step| self.stm(&step.stm));
    }

    fn stm(&mut self, stm: &Stm<Thread>) {
        match stm {
            Stm::Let { var, exp } => {
                self.bind(
                    *var,
                    self.are_available(&exp.operands()) && (!self.check_missing || is_total(exp)),
                );
            }
            Stm::View(var) => self.bind(*var, self.are_available(&parts(self.vars, *var))),
            Stm::Constants { block, .. } => self.bind(*block, false),
            Stm::Alloc { block, .. } => {
                self.own.insert(*block);
                self.bind(*block, !self.blocked);
            }
            Stm::Load { var, array, indices } => {
                self.bind(*var, self.reads(*array) && self.are_available(indices) && !self.check_missing);
            }
            Stm::Store { array, indices, value } => {
                let available =
                    self.are_available(&[Atom::Var(*array), *value]) && self.are_available(indices);
                self.fill(*array, available && !self.check_missing);
            }
            Stm::Copy { to, from } => {
                self.fill(
                    *to,
                    self.are_available(&[Atom::Var(*to)]) && self.reads(*from) && !self.check_missing,
                );
            }
            Stm::If { binders, cond, then, otherwise } => {
                let outer = self.blocked;
                self.blocked = !self.are_available(&[*cond]);
                self.stms(&then.stms);
                self.stms(&otherwise.stms);
                for (&binder, (&a, &b)) in binders.iter().zip(then.result.iter().zip(&otherwise.result)) {
                    self.bind(binder, self.are_available(&[a, b]));
                }
                self.blocked = outer;
            }
            Stm::Loop { binders, params, form, body } => self.looped(binders, params, *form, body),
            Stm::Assert { cond, message: _, args } => {
                self.check_missing |= !self.are_available(&[*cond]) || !self.are_available(args);
            }
            Stm::SineCosine { sine, cosine, angle } => {
                let known = self.are_available(&[*angle]);
                self.bind(*sine, known);
                self.bind(*cosine, known);
            }
            Stm::Trace { .. } => (),
            Stm::Call { binders, .. } => {
                binders.iter().for_each(|&binder| self.bind(binder, false));
                self.check_missing = true;
            }
            Stm::Segment(never) => match *never {},
        }
    }

    fn looped(&mut self, binders: &[Var], params: &[(Var, Atom)], form: LoopForm, body: &Body<Thread>) {
        let outer = self.blocked;
        self.blocked |= self.check_missing;
        let key = match form {
            LoopForm::For { index, bound } => {
                self.blocked |= !self.are_available(&[bound]);
                self.bind(index, !self.blocked);
                index
            }
            LoopForm::While(cond) => {
                // Without its assertions it might not terminate.
                self.blocked |= self.unguarded.contains(&cond) || self.unavailable.contains(&cond);
                cond
            }
        };
        self.check_missing |= self.unguarded.contains(&key);
        params.iter().for_each(|&(param, init)| self.bind(param, self.are_available(&[init])));
        self.stms(&body.stms);
        params
            .iter()
            .zip(&body.result)
            .for_each(|(&(param, _), &next)| self.bind(param, self.are_available(&[next])));
        if self.check_missing {
            self.unguarded.insert(key);
        }
        for (&binder, &(param, _)) in binders.iter().zip(params) {
            self.bind(binder, self.are_available(&[Atom::Var(param)]));
        }
        self.blocked = outer;
    }
}

/// Whether one of the scalars is bound here.
pub(super) fn binds_any(stms: &[Step<Thread>], wanted: &[Var]) -> bool {
    stms.iter().any(|step| match &step.stm {
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

/// The operands of a view's index function.
fn parts(vars: &VarTable, array: Var) -> Vec<Atom> {
    let Type::Array(view) = &vars[array].ty else { return Vec::new() };
    let mut parts = vec![Atom::Var(view.block), view.offset];
    parts.extend(view.shape.iter().chain(&view.strides));
    parts
}

/// A backward slice.
struct Slice<'a> {
    available: &'a Availability<'a>,
    wanted: &'a [Var],
    needed: BTreeSet<Var>,
    /// Later statements may fail, so assertions are needed.
    needs_checks: bool,
}

impl Slice<'_> {
    fn need(&mut self, atoms: &[Atom]) {
        self.needed.extend(atoms.iter().filter_map(|atom| atom.var()));
    }

    /// Whether an element of this array's block is needed.
    fn loads(&self, array: Var) -> bool {
        block(self.available.vars, array)
            .is_some_and(|block| self.needed.contains(&block) && self.available.own.contains(&block))
    }

    /// Whether one of the scalars is bound here, or a needed array is stored to.
    fn contributes(&self, stms: &[Step<Thread>]) -> bool {
        binds_any(stms, self.wanted)
            || stms.iter().any(|step| match &step.stm {
                Stm::Store { array: to, .. } | Stm::Copy { to, .. } => self.loads(*to),
                Stm::If { then, otherwise, .. } => {
                    self.contributes(&then.stms) || self.contributes(&otherwise.stms)
                }
                Stm::Loop { body, .. } => self.contributes(&body.stms),
                _ => false,
            })
    }

    /// The needed statements among these.
    fn stms(&mut self, stms: &[Step<Thread>]) -> Vec<Step<Thread>> {
        let kept = |step: &Step<Thread>| Some(Step::new(&step.origin, self.stm(&step.stm)?));
        let mut kept: Vec<_> = stms.iter().rev().filter_map(kept).collect();
        kept.reverse();
        kept
    }

    fn stm(&mut self, stm: &Stm<Thread>) -> Option<Stm<Thread>> {
        match stm {
            Stm::Let { var, exp } if self.needed.contains(var) => {
                self.need(&exp.operands());
                self.needs_checks |= !is_total(exp) || self.wanted.contains(var);
            }
            Stm::View(var) if self.needed.contains(var) => self.need(&parts(self.available.vars, *var)),
            Stm::Load { var, array, indices } if self.needed.contains(var) => {
                self.need(&[Atom::Var(*array)]);
                // Stores through other views may precede the view.
                self.need(&parts(self.available.vars, *array));
                self.need(indices);
                self.needs_checks = true;
            }
            Stm::Store { array, indices, value } if self.loads(*array) => {
                self.need(&[Atom::Var(*array), *value]);
                self.need(indices);
                self.needs_checks = true;
            }
            Stm::Copy { to, from } if self.loads(*to) => {
                self.need(&[Atom::Var(*to), Atom::Var(*from)]);
                self.need(&parts(self.available.vars, *from));
                self.needs_checks = true;
            }
            Stm::Alloc { block, .. } if self.needed.contains(block) => (),
            Stm::Assert { cond, message: _, args }
                if self.needs_checks
                    && self.available.are_available(&[*cond])
                    && self.available.are_available(args) =>
            {
                self.need(&[*cond]);
                self.need(args);
            }
            Stm::If { binders, cond, then, otherwise } => {
                return self.branch(binders, *cond, then, otherwise);
            }
            Stm::Loop { binders, params, form, body } => return self.looped(binders, params, *form, body),
            // Not needed.
            Stm::Let { .. }
            | Stm::SineCosine { .. }
            | Stm::View(_)
            | Stm::Alloc { .. }
            | Stm::Constants { .. }
            | Stm::Load { .. }
            | Stm::Store { .. }
            | Stm::Copy { .. }
            | Stm::Assert { .. }
            | Stm::Trace { .. }
            | Stm::Call { .. }
            | Stm::Segment(_) => return None,
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
        let needs_checks_after = self.needs_checks;
        let mut needs_checks = false;
        let [then, otherwise] = [then, otherwise].map(|side| {
            let result = chosen(&side.result, &kept);
            self.need(&result);
            self.needs_checks = needs_checks_after;
            let stms = self.stms(&side.stms);
            needs_checks |= self.needs_checks;
            Body { stms, result }
        });
        self.needs_checks = needs_checks;
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
        self.needs_checks = true;
        let stms = self.stms(&body.stms);
        Some(Stm::Loop { binders, params, form, body: Body { stms, result } })
    }
}

/// The kept items.
fn chosen<T: Copy>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(&one, _)| one).collect()
}
