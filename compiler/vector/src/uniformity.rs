//! Uniformity and strides: how the scalars of a thread body differ between neighbouring points.
//!
//! The lattice is flat: a scalar is *strided* if it differs by the same step from each point to the next (uniform if
//! the step is 0), otherwise *varying*. A step is a constant, or a constant times one uniform variable, as in
//! `i * columns + j`. Sums, differences and products by a uniform factor of i64 keep strides, also where they wrap.
//!
//! A uniform scalar is the same in all points *that reach the statement*. So the counter of a loop is uniform even if the
//! numbers of iterations differ. But the results of such a loop are varying, because points leave it after different
//! iterations. So are the results of a branch whose condition differs.
//!
//! An element at a uniform position is uniform: a point reads no element that another point stores. Elements of a
//! thread's own arrays are varying.
//!
//! A merge parameter starts with the uniformity of its first value, which is joined with the result of the body until
//! nothing changes. Each round is linear in the size of the body. A join can only make a scalar varying, so there are few
//! rounds. Where points leave a loop after different iterations, its merge parameters may still be uniform: all points
//! that run an iteration have run the same ones before.
//!
//! In the *interior* of a row (`cuts`), more is known: comparisons at cuts have one outcome in all lanes, and clamps
//! have no effect.
//!
//! A strip may *assume* that some scalars are the same in all lanes (`alike`), because it ends if they are not.

mod alike;
mod cuts;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::{Atom, Body, Combiner, LoopForm, ScalarExp, Stm, Thread, Type, Var, VarTable, View};
use ravel_prim::{BinOp, CmpOp, PrimType};

use self::cuts::Offsets;
pub(crate) use self::cuts::{Cut, CutKind};

/// How a scalar differs between neighbouring points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uniformity {
    /// It grows by this step from each point to the next.
    Strided(Step),
    /// Nothing is known.
    Varying,
}

/// The difference between neighbouring points: `factor`, times a uniform variable if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The uniform variable, an i64.
    pub by: Option<Var>,
    /// The constant factor; if it is 0, there is no variable.
    pub factor: i64,
}

impl Uniformity {
    /// The same in all points.
    pub const UNIFORM: Uniformity = Uniformity::constant(0);

    /// Growing by a constant.
    pub const fn constant(factor: i64) -> Uniformity {
        Uniformity::Strided(Step { by: None, factor })
    }

    /// Whether it is the same in all points.
    pub fn is_uniform(self) -> bool {
        self == Uniformity::UNIFORM
    }

    fn join(self, other: Uniformity) -> Uniformity {
        if self == other { self } else { Uniformity::Varying }
    }

    /// The uniformity of `self + sign*other`.
    fn plus(self, sign: i64, other: Uniformity) -> Uniformity {
        let (Uniformity::Strided(a), Uniformity::Strided(b)) = (self, other) else {
            return Uniformity::Varying;
        };
        let factor = a.factor.wrapping_add(sign.wrapping_mul(b.factor));
        match (a.by, b.by) {
            _ if b.factor == 0 => self,
            _ if factor == 0 && a.by == b.by => Uniformity::UNIFORM,
            (by, other) if a.factor == 0 || by == other => Uniformity::Strided(Step { by: other, factor }),
            _ => Uniformity::Varying,
        }
    }

    /// The uniformity of a strided value times a uniform one.
    fn times(self, uniform: Atom) -> Uniformity {
        match (self, uniform) {
            (Uniformity::Strided(Step { factor: 0, .. }), _) => self,
            (Uniformity::Strided(Step { by, factor }), Atom::Const(constant)) => {
                match factor.wrapping_mul(constant.bits() as i64) {
                    0 => Uniformity::UNIFORM,
                    factor => Uniformity::Strided(Step { by, factor }),
                }
            }
            (Uniformity::Strided(Step { by: None, factor }), Atom::Var(var)) => {
                Uniformity::Strided(Step { by: Some(var), factor })
            }
            _ => Uniformity::Varying,
        }
    }
}

/// The analysis of the variables of a thread body.
pub(crate) struct UniformityAnalysis<'a> {
    vars: &'a VarTable,
    known: BTreeMap<Var, Uniformity>,
    /// The blocks that the thread allocates.
    private: BTreeSet<Var>,
    /// The scalars that cuts compare.
    offsets: Offsets,
    /// Whether the analysis is about strips in the interior.
    interior: bool,
    /// The scalars that are assumed to be the same in all lanes.
    assumed: BTreeSet<Var>,
    changed: bool,
}

impl<'a> UniformityAnalysis<'a> {
    /// Analyses the body of a thread whose innermost counter is `counter`, and the operators by which lanes combine.
    pub fn of(
        body: &Body<Thread>,
        operators: &[Combiner],
        counter: Var,
        vars: &'a VarTable,
    ) -> UniformityAnalysis<'a> {
        Self::of_assumed(body, operators, counter, vars, BTreeSet::new())
    }

    /// As [`UniformityAnalysis::of`], if these scalars are the same in all lanes.
    fn of_assumed(
        body: &Body<Thread>,
        operators: &[Combiner],
        counter: Var,
        vars: &'a VarTable,
        assumed: BTreeSet<Var>,
    ) -> UniformityAnalysis<'a> {
        let operands = operators.iter().flat_map(|operator| operator.left.iter().chain(&operator.right));
        let known = operands.map(|&operand| (operand, Uniformity::Varying)).collect();
        let codes = operators.iter().map(|operator| &operator.body);
        let bodies: Vec<&Body<Thread>> = [body].into_iter().chain(codes).collect();
        Self::run(&bodies, known, counter, vars, false, assumed)
    }

    /// Analyses the body of a thread of a scan, and the code that takes these prefixes, which differ between points.
    pub fn of_scan(
        body: &Body<Thread>,
        (prefixes, finish): (&[Var], Option<&Body<Thread>>),
        counter: Var,
        vars: &'a VarTable,
    ) -> UniformityAnalysis<'a> {
        let known = prefixes.iter().map(|&prefix| (prefix, Uniformity::Varying)).collect();
        let bodies: Vec<&Body<Thread>> = [Some(body), finish].into_iter().flatten().collect();
        Self::run(&bodies, known, counter, vars, false, BTreeSet::new())
    }

    /// Analyses the body of a thread for strips in the interior.
    pub fn of_interior(body: &Body<Thread>, counter: Var, vars: &'a VarTable) -> UniformityAnalysis<'a> {
        Self::run(&[body], BTreeMap::new(), counter, vars, true, BTreeSet::new())
    }

    fn run(
        bodies: &[&Body<Thread>],
        mut known: BTreeMap<Var, Uniformity>,
        counter: Var,
        vars: &'a VarTable,
        interior: bool,
        assumed: BTreeSet<Var>,
    ) -> UniformityAnalysis<'a> {
        known.insert(counter, Uniformity::constant(1));
        let offsets = Offsets::of(counter);
        let mut analysis = UniformityAnalysis {
            vars,
            known,
            private: BTreeSet::new(),
            offsets,
            interior,
            assumed,
            changed: true,
        };
        while std::mem::take(&mut analysis.changed) {
            bodies.iter().for_each(|body| analysis.body(body));
        }
        analysis
    }

    /// The variables that it is about.
    pub fn vars(&self) -> &'a VarTable {
        self.vars
    }

    /// The uniformity of an atom. What is bound outside is uniform.
    pub fn atom(&self, atom: Atom) -> Uniformity {
        match atom {
            Atom::Const(_) => Uniformity::UNIFORM,
            Atom::Var(var) => self.known.get(&var).copied().unwrap_or(Uniformity::UNIFORM),
        }
    }

    /// Whether a block is one of the thread.
    pub fn is_private(&self, block: Var) -> bool {
        self.private.contains(&block)
    }

    /// The uniformity of the position of an element, given the uniformity of its indices.
    pub fn position(&self, view: &View, indices: &[Uniformity]) -> Uniformity {
        let mut position = self.atom(Atom::Var(view.block)).plus(1, self.atom(view.offset));
        for (&index, &stride) in indices.iter().zip(&view.strides) {
            let step = if self.atom(stride).is_uniform() { index.times(stride) } else { Uniformity::Varying };
            position = position.plus(1, step);
        }
        position
    }

    /// Whether a loop runs the same number of iterations in all points.
    pub fn is_uniform_loop(&self, form: LoopForm) -> bool {
        let decides = match form {
            LoopForm::For { bound, .. } => bound,
            LoopForm::While(flag) => Atom::Var(flag),
        };
        self.atom(decides).is_uniform()
    }

    /// Whether a scalar is assumed to be the same in all lanes.
    pub fn is_assumed(&self, var: Var) -> bool {
        self.assumed.contains(&var)
    }

    fn set(&mut self, var: Var, uniformity: Uniformity) {
        let uniformity = if self.is_assumed(var) { Uniformity::UNIFORM } else { uniformity };
        self.changed |= self.known.insert(var, uniformity) != Some(uniformity);
    }

    fn body(&mut self, body: &Body<Thread>) {
        for step in &body.stms {
            self.stm(&step.stm);
        }
    }

    fn stm(&mut self, stm: &Stm<Thread>) {
        match stm {
            Stm::Let { var, exp } => {
                let uniformity = self.scalar(exp);
                self.set(*var, uniformity);
                self.note_offset(*var, exp);
            }
            Stm::SineCosine { sine, cosine, angle } => {
                let uniformity = self.pointwise(&[*angle]);
                self.set(*sine, uniformity);
                self.set(*cosine, uniformity);
            }
            Stm::Alloc { block, .. } => {
                self.private.insert(*block);
            }
            Stm::Load { var, array, indices } => {
                let uniformity = self.element(*array, indices);
                self.set(*var, uniformity);
            }
            Stm::If { binders, cond, then, otherwise } if self.outcome(*cond).is_some() => {
                let taken = if self.outcome(*cond) == Some(true) { then } else { otherwise };
                self.body(taken);
                for (&binder, &atom) in binders.iter().zip(&taken.result) {
                    self.flow(binder, atom);
                    self.set(binder, self.atom(atom));
                }
            }
            Stm::If { binders, cond, then, otherwise } => {
                self.body(then);
                self.body(otherwise);
                let uniform = self.atom(*cond).is_uniform();
                for (&binder, (&yes, &no)) in binders.iter().zip(then.result.iter().zip(&otherwise.result)) {
                    self.flow(binder, yes);
                    self.flow(binder, no);
                    let both = self.atom(yes).join(self.atom(no));
                    self.set(binder, if uniform { both } else { Uniformity::Varying });
                }
            }
            Stm::Loop { binders, params, form, body } => self.iterate(binders, params, *form, body),
            Stm::Call { binders, .. } => {
                for &binder in binders {
                    self.set(binder, Uniformity::Varying);
                }
            }
            Stm::View(_)
            | Stm::Store { .. }
            | Stm::Combine { .. }
            | Stm::Copy { .. }
            | Stm::Assert { .. } => {}
            Stm::Constants { .. } | Stm::Trace { .. } | Stm::Choose { .. } => {
                unreachable!("verified: only at host level")
            }
            Stm::Segment(segment) => match *segment {},
        }
    }

    fn iterate(&mut self, binders: &[Var], params: &[(Var, Atom)], form: LoopForm, body: &Body<Thread>) {
        if let LoopForm::For { index, .. } = form {
            self.set(index, Uniformity::UNIFORM);
        }
        for &(param, first) in params {
            self.flow(param, first);
            let first = self.atom(first);
            let uniformity = self.known.get(&param).map_or(first, |known| known.join(first));
            self.set(param, uniformity);
        }
        self.body(body);
        let uniform = self.is_uniform_loop(form);
        for ((&(param, _), &next), &binder) in params.iter().zip(&body.result).zip(binders) {
            self.flow(param, next);
            self.flow(binder, Atom::Var(param));
            let joined = self.atom(Atom::Var(param)).join(self.atom(next));
            self.set(param, joined);
            self.set(binder, if uniform { joined } else { Uniformity::Varying });
        }
    }

    /// If the atom is a block that the thread has allocated, so is the binder.
    fn flow(&mut self, binder: Var, atom: Atom) {
        if atom.var().is_some_and(|var| self.private.contains(&var)) {
            self.changed |= self.private.insert(binder);
        }
    }

    /// For the minimum of a size and a strided scalar that a strip replaces by the size: the size and the scalar.
    ///
    /// The scalar differs by at least the size from each point to the next. So at most one point has a minimum between 0
    /// and the size.
    pub fn speculation(&self, exp: &ScalarExp) -> Option<(Atom, Atom)> {
        let ScalarExp::Binary(BinOp::Min, a, b) = *exp else { return None };
        [(a, b), (b, a)].into_iter().find(|&(size, other)| {
            let Uniformity::Strided(Step { by, factor }) = self.atom(other) else { return false };
            match size {
                Atom::Const(size) => {
                    let size = size.as_i64().filter(|&size| size > 0);
                    by.is_none() && size.is_some_and(|size| factor.unsigned_abs() >= size.unsigned_abs())
                }
                Atom::Var(size) => by == Some(size),
            }
        })
    }

    fn scalar(&self, exp: &ScalarExp) -> Uniformity {
        if self.speculation(exp).is_some() {
            return Uniformity::UNIFORM;
        }
        if let Some(atom) = self.interior_value(exp) {
            return self.atom(atom);
        }
        match *exp {
            ScalarExp::Compare(..) if self.interior && self.cut(exp).is_some() => Uniformity::UNIFORM,
            // The difference is the same in all points.
            ScalarExp::Compare(CmpOp::Eq | CmpOp::Ne, a, b)
                if self.is_i64(a) && self.atom(a).plus(-1, self.atom(b)).is_uniform() =>
            {
                Uniformity::UNIFORM
            }
            ScalarExp::Atom(atom) => self.atom(atom),
            ScalarExp::Binary(op, a, b) if self.is_i64(a) => {
                let (left, right) = (self.atom(a), self.atom(b));
                match op {
                    BinOp::Add => left.plus(1, right),
                    BinOp::Sub => left.plus(-1, right),
                    BinOp::Mul if right.is_uniform() => left.times(b),
                    BinOp::Mul if left.is_uniform() => right.times(a),
                    _ => self.pointwise(&[a, b]),
                }
            }
            _ => self.pointwise(&exp.operands()),
        }
    }

    /// The uniformity of an operator that keeps no strides.
    fn pointwise(&self, operands: &[Atom]) -> Uniformity {
        let uniform = operands.iter().all(|&operand| self.atom(operand).is_uniform());
        if uniform { Uniformity::UNIFORM } else { Uniformity::Varying }
    }

    fn element(&self, array: Var, indices: &[Atom]) -> Uniformity {
        let Type::Array(view) = &self.vars[array].ty else { unreachable!("verified: an array") };
        let indices: Vec<Uniformity> = indices.iter().map(|&index| self.atom(index)).collect();
        let uniform = self.position(view, &indices).is_uniform() && !self.private.contains(&view.block);
        if uniform { Uniformity::UNIFORM } else { Uniformity::Varying }
    }

    fn is_i64(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(constant) => constant.ty() == PrimType::I64,
            Atom::Var(var) => self.vars[var].ty == Type::Scalar(PrimType::I64),
        }
    }
}

#[cfg(test)]
mod tests;
