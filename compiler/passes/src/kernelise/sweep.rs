//! Drops what nobody uses: scalars, loaded elements, names of views, and blocks that nothing views.
//!
//! The translation names every view and computes every stride whether needed or not; this takes
//! away the rest. Stores, copies, assertions and segments stay.

use std::collections::BTreeSet;

use ravel_kernel::*;

/// Drops unused statements of all entry points and functions.
pub(crate) fn sweep(program: &mut Program) {
    program.host_functions.iter_mut().for_each(|function| sweep_body(&mut function.body, &function.vars));
    program.thread_functions.iter_mut().for_each(|function| sweep_body(&mut function.body, &function.vars));
    program.entries.iter_mut().for_each(|entry| sweep_body(&mut entry.body, &entry.vars));
}

fn sweep_body<L: Level>(body: &mut Body<L>, vars: &VarTable) {
    Sweep { vars, used: BTreeSet::new() }.body(body);
}

struct Sweep<'a> {
    vars: &'a VarTable,
    used: BTreeSet<Var>,
}

impl Sweep<'_> {
    fn atoms(&mut self, atoms: &[Atom]) {
        self.used.extend(atoms.iter().filter_map(|atom| atom.var()));
    }

    /// From the last statement to the first.
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        self.atoms(&body.result);
        let mut kept: Vec<Stm<L>> = Vec::new();
        for mut stm in std::mem::take(&mut body.stms).into_iter().rev() {
            if self.stm(&mut stm) {
                kept.push(stm);
            }
        }
        kept.reverse();
        body.stms = kept;
    }

    /// Is the statement needed? If so, notes what it uses.
    fn stm<L: Level>(&mut self, stm: &mut Stm<L>) -> bool {
        match stm {
            Stm::Let { var, exp } => {
                let needed = self.used.contains(var);
                if needed {
                    self.atoms(&exp.operands());
                }
                return needed;
            }
            Stm::View(var) => {
                let needed = self.used.contains(var);
                if let (true, Type::Array(view)) = (needed, &self.vars[*var].ty) {
                    self.atoms(&view.shape);
                    self.atoms(&view.strides);
                    self.atoms(&[view.offset, Atom::Var(view.block)]);
                }
                return needed;
            }
            Stm::Alloc { block, count } => {
                let needed = self.used.contains(block);
                if needed {
                    self.atoms(&[*count]);
                }
                return needed;
            }
            Stm::Constants { block, values: _ } => return self.used.contains(block),
            Stm::Load { var, array, indices } => {
                let needed = self.used.contains(var);
                if needed {
                    self.used.insert(*array);
                    self.atoms(indices);
                }
                return needed;
            }
            Stm::Store { array, indices, value } => {
                self.used.insert(*array);
                self.atoms(indices);
                self.atoms(&[*value]);
            }
            Stm::Copy { to, from } => self.used.extend([*to, *from]),
            Stm::If { binders: _, cond, then, otherwise } => {
                self.body(then);
                self.body(otherwise);
                self.atoms(&[*cond]);
            }
            Stm::Loop { binders: _, params, form, body } => {
                self.body(body);
                for (_, init) in params {
                    self.atoms(&[*init]);
                }
                if let LoopForm::For { bound, .. } = form {
                    self.atoms(&[*bound]);
                }
            }
            Stm::Assert { cond, message: _, args } => {
                self.atoms(&[*cond]);
                self.atoms(args);
            }
            Stm::Trace { trace: _, args } => self.atoms(args),
            Stm::Call { binders: _, function: _, args, site: _ } => {
                self.used.extend(args.iter().filter_map(|arg| arg.value.var()));
            }
            Stm::Segment(segment) => match L::segment_mut(segment) {
                AnySegmentMut::Grid(segment) => self.grid_segment(segment),
                AnySegmentMut::Block(segment) => self.block_segment(segment),
            },
        }
        true
    }

    fn grid_segment(&mut self, segment: &mut GridSegment) {
        match &mut segment.points {
            Points::Threads { kind, body } => self.threads(kind, body),
            Points::Blocks(body) => self.body(body),
        }
        self.space(&segment.space);
        self.atoms(&[segment.chunk]);
    }

    fn block_segment(&mut self, segment: &mut BlockSegment) {
        self.threads(&mut segment.kind, &mut segment.body);
        self.space(&segment.space);
    }

    fn space(&mut self, space: &[(Var, Atom)]) {
        space.iter().for_each(|&(_, size)| self.atoms(&[size]));
    }

    fn threads(&mut self, kind: &mut SegmentKind, body: &mut Body<Thread>) {
        self.body(body);
        for combiner in kind.combiners_mut() {
            self.body(&mut combiner.body);
            self.atoms(&combiner.neutral);
            self.used.extend(&combiner.outs);
        }
    }
}
