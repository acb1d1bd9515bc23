//! Visitors of core IR: every binding and every use of a variable, in the order of the text.
//!
//! [`Visit`] reads and [`VisitMut`] rewrites. Both have the same methods, and the default of each method visits the
//! parts. The sizes in the type of a binder are uses too, but types are in the variable table: a visitor that needs
//! these uses looks them up in its `binder`.

use ravel_base::Symbol;

use crate::syntax::*;

macro_rules! visitor {
    ($(#[$doc:meta])* $visit:ident $(, $mut:ident)?) => {
        $(#[$doc])*
        pub trait $visit {
            /// A variable is used.
            fn var(&mut self, var: &$($mut)? Var);

            /// A variable is bound.
            fn binder(&mut self, var: &$($mut)? Var);

            /// An atom is used.
            fn atom(&mut self, atom: &$($mut)? Atom) {
                if let Atom::Var(var) = atom {
                    self.var(var);
                }
            }

            /// A tuning parameter is read: its name and its default.
            fn parameter(&mut self, _name: Symbol, _default: i64) {}

            /// A function: parameters, results, body.
            fn function(&mut self, function: &$($mut)? Function) {
                for param in &$($mut)? function.params {
                    self.binder(&$($mut)? param.var);
                }
                for result in &$($mut)? function.results {
                    self.binder(result);
                }
                self.body(&$($mut)? function.body);
            }

            /// A body: statements, then results.
            fn body(&mut self, body: &$($mut)? Body) {
                for stm in &$($mut)? body.stms {
                    self.stm(stm);
                }
                for atom in &$($mut)? body.result {
                    self.atom(atom);
                }
            }

            /// A statement: binders, then the expression.
            fn stm(&mut self, stm: &$($mut)? Stm) {
                for binder in &$($mut)? stm.binders {
                    self.binder(binder);
                }
                self.exp(&$($mut)? stm.exp);
            }

            /// A lambda: parameters, then the body.
            fn lambda(&mut self, lambda: &$($mut)? Lambda) {
                for param in &$($mut)? lambda.params {
                    self.binder(param);
                }
                self.body(&$($mut)? lambda.body);
            }

            /// The dimensions of a slice.
            fn slice(&mut self, dims: &$($mut)? [DimSlice]) {
                for dim in dims {
                    match dim {
                        DimSlice::Fix(index) => self.atom(index),
                        DimSlice::Range { start, count, stride } => {
                            self.atom(start);
                            self.atom(count);
                            self.atom(stride);
                        }
                    }
                }
            }

            /// An expression.
            fn exp(&mut self, exp: &$($mut)? Exp) {
                match exp {
                    Exp::Atom(a) | Exp::Unary(_, a) | Exp::Convert(_, a) | Exp::Trust(a) => self.atom(a),
                    Exp::Binary(_, a, b) | Exp::Compare(_, a, b) => {
                        self.atom(a);
                        self.atom(b);
                    }
                    Exp::Call(call) => self.call(call),
                    Exp::ArrayLit(atoms) => {
                        for atom in atoms {
                            self.atom(atom);
                        }
                    }
                    Exp::Index(array, indices) => {
                        self.var(array);
                        for index in indices {
                            self.atom(index);
                        }
                    }
                    Exp::Slice(array, dims) => {
                        self.var(array);
                        self.slice(dims);
                    }
                    Exp::Update { array, slice, value } => {
                        self.var(array);
                        self.slice(slice);
                        self.atom(value);
                    }
                    Exp::Iota { count, start, stride } => {
                        self.atom(count);
                        self.atom(start);
                        self.atom(stride);
                    }
                    Exp::Replicate { count, value } => {
                        self.atom(count);
                        self.atom(value);
                    }
                    Exp::Param(name, default) => self.parameter(*name, *default),
                    Exp::Scratch => {}
                    Exp::Copy(array)
                    | Exp::Rearrange(array, _)
                    | Exp::Reshape(array) => self.var(array),
                    Exp::Manifest(_, array, cond) => {
                        self.var(array);
                        self.atom(cond);
                    }
                    Exp::Concat(arrays) => {
                        for array in arrays {
                            self.var(array);
                        }
                    }
                    Exp::If { cond, then, otherwise } => {
                        self.atom(cond);
                        self.body(then);
                        self.body(otherwise);
                    }
                    Exp::Loop(looped) => self.loop_exp(looped),
                    Exp::Assert { cond, values, error } => {
                        self.atom(cond);
                        for value in values {
                            self.atom(value);
                        }
                        for part in &$($mut)? error.parts {
                            if let ErrorPart::Value(atom) = part {
                                self.atom(atom);
                            }
                        }
                    }
                    Exp::Screma(screma) => self.screma(screma),
                    Exp::Segment(segment) => self.segment(segment),
                    Exp::Stream(stream) => self.stream(stream),
                }
            }

            /// A loop: parameters with their initial values, form, body.
            fn loop_exp(&mut self, looped: &$($mut)? Loop) {
                for (param, init) in &$($mut)? looped.params {
                    self.binder(param);
                    self.atom(init);
                }
                match &$($mut)? looped.form {
                    LoopForm::For { index, bound } => {
                        self.binder(index);
                        self.atom(bound);
                    }
                    LoopForm::While(cond) => self.var(cond),
                }
                self.body(&$($mut)? looped.body);
            }

            /// A Screma: width, sources, map, scans, post, sinks.
            fn screma(&mut self, screma: &$($mut)? Screma) {
                self.atom(&$($mut)? screma.width);
                for source in &$($mut)? screma.sources {
                    match source {
                        Source::Array(array) => self.var(array),
                        Source::Iota { start, stride } => {
                            self.atom(start);
                            self.atom(stride);
                        }
                    }
                }
                self.lambda(&$($mut)? screma.map);
                for scan in &$($mut)? screma.scans {
                    self.lambda(&$($mut)? scan.op);
                    for atom in &$($mut)? scan.neutral {
                        self.atom(atom);
                    }
                }
                if let Some(post) = &$($mut)? screma.post {
                    self.lambda(post);
                }
                for sink in &$($mut)? screma.sinks {
                    self.sink(sink);
                }
            }

            /// A call: its arguments.
            fn call(&mut self, call: &$($mut)? Call) {
                for atom in &$($mut)? call.args {
                    self.atom(atom);
                }
            }

            /// A segment: counters and sizes of the outer dimensions, the innermost counter, the Screma.
            fn segment(&mut self, segment: &$($mut)? Segment) {
                for (counter, size) in &$($mut)? segment.outer {
                    self.binder(counter);
                    self.atom(size);
                }
                self.binder(&$($mut)? segment.index);
                self.screma(&$($mut)? segment.screma);
            }

            /// A stream: width, sources, chunk, sinks.
            fn stream(&mut self, stream: &$($mut)? Stream) {
                self.atom(&$($mut)? stream.width);
                for array in &$($mut)? stream.sources {
                    self.var(array);
                }
                self.lambda(&$($mut)? stream.chunk);
                for sink in &$($mut)? stream.sinks {
                    match sink {
                        StreamSink::Map => {}
                        StreamSink::Reduce { op, neutral } => {
                            self.lambda(op);
                            if let Some(neutral) = neutral {
                                for atom in neutral {
                                    self.atom(atom);
                                }
                            }
                        }
                    }
                }
            }

            /// A sink.
            fn sink(&mut self, sink: &$($mut)? Sink) {
                match sink {
                    Sink::Map => {}
                    Sink::Concat { count, size } => {
                        self.atom(count);
                        self.atom(size);
                    }
                    Sink::Reduce { op, neutral, .. } => {
                        self.lambda(op);
                        for atom in neutral {
                            self.atom(atom);
                        }
                    }
                    Sink::Write { target, .. } => self.var(target),
                    Sink::Combine { targets, op, neutral } => {
                        for target in targets {
                            self.var(target);
                        }
                        self.lambda(op);
                        for atom in neutral {
                            self.atom(atom);
                        }
                    }
                }
            }
        }
    };
}

visitor!(
    /// Reads every variable of a piece of IR.
    Visit
);

visitor!(
    /// Rewrites every variable of a piece of IR.
    VisitMut, mut
);
