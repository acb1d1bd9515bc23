//! Numbers the variables of each entry point and function in the order in which the text binds them, and drops
//! those that nothing binds. So an unrelated change causes no churn in dumps, and printed text
//! is read back as the very same program.

use ravel_base::IdMap;
use rustc_hash::FxHashMap;

use crate::syntax::*;

impl Program {
    /// Numbers all variables in order of appearance.
    pub fn renumber(&mut self) {
        self.host_functions.iter_mut().for_each(function);
        self.thread_functions.iter_mut().for_each(function);
        for entry in &mut self.entries {
            let mut renumber = Renumber::of(&entry.vars);
            entry.sizes.iter_mut().for_each(|var| renumber.var(var));
            for param in &mut entry.params {
                renumber.var(&mut param.var);
                renumber.atoms(&mut param.shape);
            }
            renumber.body(&mut entry.body);
            entry.vars = renumber.new;
        }
    }
}

fn function<L: Level>(function: &mut Function<L>) {
    let mut renumber = Renumber::of(&function.vars);
    function.params.iter_mut().for_each(|param| renumber.var(&mut param.var));
    renumber.body(&mut function.body);
    function.vars = renumber.new;
}

struct Renumber<'a> {
    old: &'a VarTable,
    new: VarTable,
    numbers: FxHashMap<Var, Var>,
}

impl Renumber<'_> {
    fn of(vars: &VarTable) -> Renumber<'_> {
        Renumber { old: vars, new: IdMap::new(), numbers: FxHashMap::default() }
    }

    /// The new number; at the first meeting the next free one.
    fn var(&mut self, var: &mut Var) {
        if let Some(&number) = self.numbers.get(var) {
            *var = number;
            return;
        }
        let Some(mut info) = self.old.get(*var).cloned() else { return };
        if let Type::Array(view) = &mut info.ty {
            self.atoms(&mut view.shape);
            self.var(&mut view.block);
            self.atom(&mut view.offset);
            self.atoms(&mut view.strides);
        }
        let number = self.new.push(info);
        self.numbers.insert(*var, number);
        *var = number;
    }

    fn vars(&mut self, vars: &mut [Var]) {
        vars.iter_mut().for_each(|var| self.var(var));
    }

    fn atom(&mut self, atom: &mut Atom) {
        if let Atom::Var(var) = atom {
            self.var(var);
        }
    }

    fn atoms(&mut self, atoms: &mut [Atom]) {
        atoms.iter_mut().for_each(|atom| self.atom(atom));
    }

    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        body.stms.iter_mut().for_each(|stm| self.stm(stm));
        self.atoms(&mut body.result);
    }

    fn stm<L: Level>(&mut self, stm: &mut Stm<L>) {
        match stm {
            Stm::Let { var, exp } => {
                self.var(var);
                exp.operands_mut().into_iter().for_each(|atom| self.atom(atom));
            }
            Stm::View(var) => self.var(var),
            Stm::Alloc { block, count } => {
                self.var(block);
                self.atom(count);
            }
            Stm::Constants { block, values: _ } => self.var(block),
            Stm::Load { var, array, indices } => {
                self.var(var);
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
            Stm::If { binders, cond, then, otherwise } => {
                self.atom(cond);
                self.body(then);
                self.body(otherwise);
                self.vars(binders);
            }
            Stm::Loop { binders, params, form, body } => {
                for (var, init) in params {
                    self.var(var);
                    self.atom(init);
                }
                match form {
                    LoopForm::For { index, bound } => {
                        self.var(index);
                        self.atom(bound);
                    }
                    LoopForm::While(cond) => self.var(cond),
                }
                self.body(body);
                self.vars(binders);
            }
            Stm::Assert { cond, args, message: _ } => {
                self.atom(cond);
                self.atoms(args);
            }
            Stm::Trace { trace: _, args } => self.atoms(args),
            Stm::Call { binders, args, function: _, site: _ } => {
                args.iter_mut().for_each(|arg| self.atom(&mut arg.value));
                self.vars(binders);
            }
            Stm::Segment(segment) => self.segment(L::grid_mut(segment)),
        }
    }

    fn segment(&mut self, segment: &mut GridSegment) {
        for (index, size) in &mut segment.space {
            self.var(index);
            self.atom(size);
        }
        self.atom(&mut segment.chunk);
        self.body(&mut segment.body);
        let combiners = match &mut segment.kind {
            SegmentKind::Map => return,
            SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners) => combiners,
        };
        for combiner in combiners {
            self.vars(&mut combiner.left);
            self.vars(&mut combiner.right);
            self.atoms(&mut combiner.neutral);
            self.vars(&mut combiner.outs);
            self.body(&mut combiner.body);
        }
    }
}
