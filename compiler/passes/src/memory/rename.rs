//! Replaces uses of variables in code.

use std::collections::BTreeMap;

use ravel_kernel::*;

/// The views of each block.
pub struct Views(BTreeMap<Var, Vec<Var>>);

impl Views {
    /// The views among these variables.
    pub fn of(vars: &VarTable) -> Views {
        let mut views: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
        for array in vars.keys() {
            if let Type::Array(view) = &vars[array].ty {
                views.entry(view.block).or_default().push(array);
            }
        }
        Views(views)
    }

    /// Moves all views of one block to another.
    pub fn move_to(&mut self, vars: &mut VarTable, old: Var, new: Var) {
        let moved = self.0.remove(&old).unwrap_or_default();
        for &array in &moved {
            if let Type::Array(view) = &mut vars[array].ty {
                view.block = new;
            }
        }
        self.0.entry(new).or_default().extend(moved);
    }
}

/// Replaces uses of variables; binders keep their names.
pub struct Rename<'a>(pub &'a BTreeMap<Var, Var>);

impl Rename<'_> {
    fn var(&self, var: &mut Var) {
        if let Some(&new) = self.0.get(var) {
            *var = new;
        }
    }

    fn atom(&self, atom: &mut Atom) {
        if let Atom::Var(var) = atom {
            self.var(var);
        }
    }

    fn atoms(&self, atoms: &mut [Atom]) {
        atoms.iter_mut().for_each(|atom| self.atom(atom));
    }

    /// Replaces uses in a body.
    pub fn body<L: Level>(&self, body: &mut Body<L>) {
        body.stms.iter_mut().for_each(|stm| self.stm(stm));
        self.atoms(&mut body.result);
    }

    /// Replaces uses in a statement.
    pub fn stm<L: Level>(&self, stm: &mut Stm<L>) {
        match stm {
            Stm::Let { exp, .. } => exp.operands_mut().into_iter().for_each(|atom| self.atom(atom)),
            Stm::View(_) | Stm::Constants { .. } => (),
            Stm::Alloc { count, .. } => self.atom(count),
            Stm::Load { array, indices, .. } => {
                self.var(array);
                self.atoms(indices);
            }
            Stm::Store { array, indices, value } => {
                self.var(array);
                self.atoms(indices);
                self.atom(value);
            }
            Stm::Copy { to, from } => {
                self.var(to);
                self.var(from);
            }
            Stm::If { cond, then, otherwise, .. } => {
                self.atom(cond);
                self.body(then);
                self.body(otherwise);
            }
            Stm::Loop { params, form, body, .. } => {
                params.iter_mut().for_each(|(_, init)| self.atom(init));
                if let LoopForm::For { bound, .. } = form {
                    self.atom(bound);
                }
                self.body(body);
            }
            Stm::Assert { cond, args, .. } => {
                self.atom(cond);
                self.atoms(args);
            }
            Stm::Trace { args, .. } => self.atoms(args),
            Stm::Call { args, .. } => args.iter_mut().for_each(|arg| self.atom(&mut arg.value)),
            Stm::Segment(segment) => self.segment(L::grid_mut(segment)),
        }
    }

    fn segment(&self, segment: &mut GridSegment) {
        segment.space.iter_mut().for_each(|(_, size)| self.atom(size));
        self.atom(&mut segment.chunk);
        self.body(&mut segment.body);
        let combiners = match &mut segment.kind {
            SegmentKind::Map => return,
            SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners) => combiners,
        };
        for combiner in combiners {
            self.atoms(&mut combiner.neutral);
            self.body(&mut combiner.body);
            combiner.outs.iter_mut().for_each(|out| self.var(out));
        }
    }
}
