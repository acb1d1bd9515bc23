//! Visitors of kernel IR: they visit every binder and every use of a variable.
//!
//! [`Visit`] reads and [`VisitMut`] rewrites. Both have the same methods, and the default of each method visits the
//! children. A visitor that overrides `stm` calls `children` to continue. Variables are visited in the order of the
//! text, so a binder comes before its uses. The index function of a view is in the variable table; a visitor that
//! needs it looks it up in its `binder` method.

use crate::syntax::*;

macro_rules! visitor {
    ($(#[$doc:meta])* $visit:ident $(, $mut:ident)?; $iter:ident $operands:ident $segment:ident $any:ident $combiners:ident $finish:ident) => {
        $(#[$doc])*
        pub trait $visit {
            /// A variable is used.
            fn var(&mut self, _var: &$($mut)? Var) {}

            /// A variable is bound.
            fn binder(&mut self, _var: &$($mut)? Var) {}

            /// An atom is used.
            fn atom(&mut self, atom: &$($mut)? Atom) {
                if let Atom::Var(var) = atom {
                    self.var(var);
                }
            }

            /// Elements of an array are read.
            fn read(&mut self, array: &$($mut)? Var) {
                self.var(array);
            }

            /// Elements of an array are written.
            fn write(&mut self, array: &$($mut)? Var) {
                self.var(array);
            }

            /// Numbers are combined into elements of an array.
            fn combine(&mut self, array: &$($mut)? Var) {
                self.var(array);
            }

            /// A value is borrowed by a function or a trace.
            fn borrow(&mut self, value: &$($mut)? Atom, _consumed: bool) {
                self.atom(value);
            }

            /// A value moves out of a body, or into the merge parameter of a loop.
            fn transfer(&mut self, value: &$($mut)? Atom) {
                self.atom(value);
            }

            /// A body: statements, then results.
            fn body<L: Level>(&mut self, body: &$($mut)? Body<L>) {
                body.stms.$iter().for_each(|step| self.step(step));
                body.result.$iter().for_each(|value| self.transfer(value));
            }

            /// A statement with its origin.
            fn step<L: Level>(&mut self, step: &$($mut)? Step<L>) {
                self.stm(&$($mut)? step.stm);
            }

            /// A statement.
            fn stm<L: Level>(&mut self, stm: &$($mut)? Stm<L>) {
                self.children(stm);
            }

            /// The parts of a statement.
            fn children<L: Level>(&mut self, stm: &$($mut)? Stm<L>) {
                match stm {
                    Stm::Let { var, exp } => {
                        exp.$operands().$iter().for_each(|operand| self.atom(operand));
                        self.binder(var);
                    }
                    Stm::SineCosine { sine, cosine, angle } => {
                        self.atom(angle);
                        self.binder(sine);
                        self.binder(cosine);
                    }
                    Stm::View(var) | Stm::Constants { block: var, values: _ } => self.binder(var),
                    Stm::Alloc { block, count } => {
                        self.atom(count);
                        self.binder(block);
                    }
                    Stm::Load { var, array, indices } => {
                        self.read(array);
                        indices.$iter().for_each(|index| self.atom(index));
                        self.binder(var);
                    }
                    Stm::Store { array, indices, value } => {
                        self.write(array);
                        indices.$iter().for_each(|index| self.atom(index));
                        self.atom(value);
                    }
                    Stm::Combine { array, indices, op: _, value } => {
                        self.combine(array);
                        indices.$iter().for_each(|index| self.atom(index));
                        self.atom(value);
                    }
                    Stm::Copy { to, from } => {
                        self.write(to);
                        self.read(from);
                    }
                    Stm::If { binders, cond, then, otherwise } => {
                        self.atom(cond);
                        self.body(then);
                        self.body(otherwise);
                        binders.$iter().for_each(|binder| self.binder(binder));
                    }
                    Stm::Loop { binders, params, form, body } => {
                        for (param, init) in params {
                            self.transfer(init);
                            self.binder(param);
                        }
                        match form {
                            LoopForm::For { index, bound, reduces: _ } => {
                                self.atom(bound);
                                self.binder(index);
                            }
                            LoopForm::While(cond) => self.var(cond),
                        }
                        self.body(body);
                        binders.$iter().for_each(|binder| self.binder(binder));
                    }
                    Stm::Assert { cond, message: _, args } => {
                        self.atom(cond);
                        args.$iter().for_each(|arg| self.atom(arg));
                    }
                    Stm::Trace { trace: _, args } => args.$iter().for_each(|arg| self.borrow(arg, false)),
                    Stm::Choose { versions: _, cond } => self.atom(cond),
                    Stm::Call { binders, function: _, args, site: _ } => {
                        for Argument { value, consumed } in args {
                            self.borrow(value, *consumed);
                        }
                        binders.$iter().for_each(|binder| self.binder(binder));
                    }
                    Stm::Segment(segment) => match L::$segment(segment) {
                        $any::Grid(segment) => self.grid_segment(segment),
                        $any::Inner(segment) => self.inner_segment(segment),
                    },
                }
            }

            /// A segment of the host: index space, chunk, code.
            fn grid_segment(&mut self, segment: &$($mut)? GridSegment) {
                self.space(&$($mut)? segment.space);
                self.atom(&$($mut)? segment.chunk);
                match &$($mut)? segment.points {
                    Points::Threads { kind, body } => self.threads(kind, body),
                    Points::Workgroups(body) => self.body(body),
                }
            }

            /// An inner segment: index space, code.
            fn inner_segment(&mut self, segment: &$($mut)? InnerSegment) {
                self.space(&$($mut)? segment.space);
                self.threads(&$($mut)? segment.kind, &$($mut)? segment.body);
            }

            /// An index space.
            fn space(&mut self, space: &$($mut)? [(Var, Atom)]) {
                for (index, size) in space {
                    self.atom(size);
                    self.binder(index);
                }
            }

            /// The code of threads: body, operators, code that takes prefixes.
            fn threads(&mut self, kind: &$($mut)? SegmentKind, body: &$($mut)? Body<Thread>) {
                self.body(body);
                kind.$combiners().$iter().for_each(|combiner| self.combiner(combiner));
                if let Some(finish) = kind.$finish() {
                    finish.prefixes.$iter().for_each(|prefix| self.binder(prefix));
                    self.body(&$($mut)? finish.body);
                }
            }

            /// An operator: neutral element, operands, code, outs.
            fn combiner(&mut self, combiner: &$($mut)? Combiner) {
                combiner.neutral.$iter().for_each(|atom| self.atom(atom));
                combiner.left.$iter().for_each(|operand| self.binder(operand));
                combiner.right.$iter().for_each(|operand| self.binder(operand));
                self.body(&$($mut)? combiner.body);
                combiner.outs.$iter().for_each(|out| self.write(out));
            }
        }
    };
}

visitor!(
    /// Reads every variable of a piece of IR.
    Visit; iter operands segment AnySegment combiners finish
);

visitor!(
    /// Rewrites every variable of a piece of IR.
    VisitMut, mut; iter_mut operands_mut segment_mut AnySegmentMut combiners_mut finish_mut
);

/// Calls the closure with every variable that a visited piece of IR uses, nested bodies included.
pub struct UseVisitor<'a>(pub &'a mut dyn FnMut(Var));

impl Visit for UseVisitor<'_> {
    fn var(&mut self, var: &Var) {
        (self.0)(*var);
    }
}

/// Calls the closure with every array whose elements a visited piece of IR writes.
pub struct WriteVisitor<'a>(pub &'a mut dyn FnMut(Var));

impl Visit for WriteVisitor<'_> {
    fn write(&mut self, array: &Var) {
        (self.0)(*array);
    }

    fn combine(&mut self, array: &Var) {
        (self.0)(*array);
    }
}

/// Calls the closure with every variable that a visited piece of IR binds, nested bodies included.
pub struct BinderVisitor<'a>(pub &'a mut dyn FnMut(Var));

impl Visit for BinderVisitor<'_> {
    fn binder(&mut self, var: &Var) {
        (self.0)(*var);
    }
}
