//! Outer-loop vectorisation: neighbouring points of the innermost dimension run at once, one in each lane of a vector, with all
//! the loops and branches in them. Code for points that run at once is a *strip*.
//!
//! A scalar of the thread becomes a uniform value, or a varying one. A strided scalar (`uniformity`) becomes both: the
//! uniform value of lane 0, from which positions are computed, and the varying one.
//!
//! **Branches.** If the condition is uniform, a branch stays one. Otherwise both sides run, one after the other, each
//! under its mask, and selections join their results. A side that does more than compute scalars runs only if a lane
//! takes it. So loads, stores and loops run only if at least one lane is active. Their uniform operands then have the value
//! that this lane computes in scalar code: a uniform load needs no mask, and a uniform loop ends.
//!
//! **Loops.** If all lanes need the same number of iterations, a loop stays one. Otherwise it runs while a lane is
//! active; its body runs under the mask of active lanes, and a selection keeps the values of the others:
//!
//! ```text
//! loop (x = a) while f(x) { g(x) }   ⇒   active = f(a)
//!                                        loop (x = a, active, go = any(active)) while go {
//!                                          x' = select(active, g(x), x); active' = active and f(x'); any(active')
//!                                        }
//! ```
//!
//! **Checks.** A failed check ends the strip, and scalar code runs its points again. A point whose check may fail reads
//! nothing that it stores itself later (a law of kernel IR), so the second run computes the same.
//!
//! **Elementary functions** become the arithmetic of their definitions (`elementary`), and so do counts of bits (`bits`).
//!
//! **Small integers** (`small`) become integers of 32 bits.
//!
//! **Arrays of the thread** (`arrays`) may have any size that is known before the segment, and may flow through branches
//! and loops.
//!
//! **Reductions** (`combine`) may combine in lanes: the operators become part of the strip. **Scans** (`scan`) too: the code that
//! takes the prefix of a point becomes part of the strip.
//!
//! **Speculation.** The number of elements of a chunk is the minimum of the chunk size and of what is left, which is a
//! strided scalar. It differs from the chunk size at one point only. So a strip uses the chunk size, and restarts if it
//! contains that point. The same holds for any minimum of a size and a strided scalar that differs at one point only.
//!
//! **Points that are alike** (`alike`). A point may allocate arrays whose sizes it computes itself, if its inner loops are
//! assumed to be as long as those of the other points. The strip restarts if they are not.
//!
//! **Interiors** (`interior`). A body whose branches depend on borders of the index space has one form for strips at the
//! borders, and one without masks for the others.
//!
//! **Not expressed:** calls, and arrays from outside that flow through branches and loops.
//!
//! All lanes leave a loop before the code after it runs. So if a point loops forever, a check after the loop that fails
//! for an earlier point of the strip is not reached, and the failure is not reported.

mod alike;
mod arrays;
mod bits;
mod combine;
mod control;
mod elementary;
mod interior;
mod memory;
mod restart;
mod scan;
mod small;

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;
use ravel_kernel::{self as ir, Atom, Combiner, ScalarExp, Target, Thread, Type, Var, VarTable, Visit};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

pub use self::alike::{Strands, vectorise_alike};
use self::arrays::Arrays;
pub(crate) use self::interior::INTERIOR;
pub use self::scan::{combines, vectorise_scan};
pub use self::small::lane_type;
use crate::dead;
use crate::form::{Body, Exp, Memory, Operand, Stm, Strip, Value, ValueInfo};
use crate::refusal::Refusal;
use crate::rows;
use crate::uniformity::{Cut, Step, Uniformity, UniformityAnalysis};

/// The strip that runs neighbouring points of a segment with this index space and body. If there are operators, each lane
/// combines its results by them; otherwise the strip has the results of the points.
///
/// # Errors
/// The reason why the body has no vector form.
pub fn vectorise(
    space: &[(Var, Atom)],
    body: &ir::Body<Thread>,
    operators: &[Combiner],
    vars: &VarTable,
    target: &Target,
) -> Result<Strip, Refusal> {
    let counter = innermost(space)?;
    let uniformity = UniformityAnalysis::of(body, operators, counter, vars);
    Vectoriser::new(space, body, uniformity, target).strip(counter, body, operators)
}

/// The innermost counter of an index space with several points.
fn innermost(space: &[(Var, Atom)]) -> Result<Var, Refusal> {
    match space.last() {
        Some(&(counter, size)) if size != Atom::i64(1) => Ok(counter),
        _ => Err(Refusal::SinglePoint),
    }
}

/// The operands for a scalar of the thread.
#[derive(Clone, Copy)]
struct Scalar {
    /// Its value in lane 0, if it is uniform or strided.
    first: Option<Operand>,
    /// Its values in all lanes.
    lanes: Operand,
}

struct Vectoriser<'a> {
    vars: &'a VarTable,
    target: &'a Target,
    uniformity: UniformityAnalysis<'a>,
    strip: Strip,
    scalars: BTreeMap<Var, Scalar>,
    memories: BTreeMap<Var, Memory>,
    /// The outer counters.
    outer_counters: BTreeSet<Var>,
    /// The values that are bound before the strip, and whether they are the same for all rows.
    outside: BTreeMap<Value, bool>,
    /// The arrays of the thread.
    arrays: Arrays,
    /// For the loops that combine in strands, how they do, by their counters.
    strands: Option<&'a BTreeMap<Var, Strands>>,
    /// The variables that statements use.
    used: BTreeSet<Var>,
    /// The conditions under which the strip restarts.
    restarts: Vec<Value>,
    /// The cuts of the interior, with the values that they compare the counter with.
    cuts: Vec<(Cut, Operand)>,
    /// Whether the thread has checks.
    has_checks: bool,
    /// Whether the statements come after a scan and take prefixes.
    takes_prefixes: bool,
    /// The statements of the body under construction.
    stms: Vec<Stm>,
}

impl<'a> Vectoriser<'a> {
    /// Before the first statement of a thread with this index space and body.
    fn new(
        space: &[(Var, Atom)],
        body: &ir::Body<Thread>,
        uniformity: UniformityAnalysis<'a>,
        target: &'a Target,
    ) -> Vectoriser<'a> {
        let vars = uniformity.vars();
        Vectoriser {
            vars,
            target,
            uniformity,
            strip: Strip::default(),
            scalars: BTreeMap::new(),
            memories: BTreeMap::new(),
            outer_counters: space[..space.len() - 1].iter().map(|&(var, _)| var).collect(),
            outside: BTreeMap::new(),
            arrays: Arrays::of(body),
            strands: None,
            used: used(body, vars),
            restarts: Vec::new(),
            cuts: Vec::new(),
            has_checks: false,
            takes_prefixes: false,
            stms: Vec::new(),
        }
    }

    /// Translates the thread.
    fn strip(
        mut self,
        counter: Var,
        body: &ir::Body<Thread>,
        operators: &[Combiner],
    ) -> Result<Strip, Refusal> {
        self.bind_counter(counter);
        let result = self.points(counter, body)?;
        let result = if operators.is_empty() {
            self.results(body, &result)
        } else {
            self.combine(operators, &result)?
        };
        self.finish(result)
    }

    /// Binds the innermost counter.
    fn bind_counter(&mut self, counter: Var) {
        let first = self.fresh(Some(counter), PrimType::I64, false);
        self.strip.counter = Some(first);
        self.bind(counter, Operand::Value(first));
    }

    /// The strip with the statements so far and these results.
    fn finish(mut self, result: Vec<Operand>) -> Result<Strip, Refusal> {
        self.strip.body = Body { stms: std::mem::take(&mut self.stms), result };
        self.provide();
        self.check_restarts()?;
        rows::unroll(&mut self.strip, self.target);
        dead::remove(&mut self.strip);
        Ok(self.strip)
    }
}

impl Vectoriser<'_> {
    /// Translates the statements of a body that runs in the lanes of `mask`. Returns its results.
    fn body(&mut self, body: &ir::Body<Thread>, mask: Option<Operand>) -> Result<Vec<Operand>, Refusal> {
        for step in &body.stms {
            self.stm(&step.stm, mask)?;
        }
        Ok(body.result.iter().map(|&atom| self.lanes(atom)).collect())
    }

    /// The results of the thread, in its types.
    fn results(&mut self, body: &ir::Body<Thread>, lanes: &[Operand]) -> Vec<Operand> {
        let mut results = Vec::new();
        for (&atom, &operand) in body.result.iter().zip(lanes) {
            let ty = self.type_of(atom);
            results.push(if lane_type(ty) == ty { operand } else { self.push(Exp::Convert(ty, operand)) });
        }
        results
    }

    /// Translates with an empty list of statements, and returns the list.
    fn nested<T>(
        &mut self,
        translate: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<(Vec<Stm>, T), Refusal> {
        let outside = std::mem::take(&mut self.stms);
        let result = translate(self);
        let inside = std::mem::replace(&mut self.stms, outside);
        Ok((inside, result?))
    }

    fn stm(&mut self, stm: &ir::Stm<Thread>, mask: Option<Operand>) -> Result<(), Refusal> {
        match stm {
            ir::Stm::Let { var, exp } => self.scalar(*var, exp, mask)?,
            ir::Stm::SineCosine { sine, cosine, angle } => {
                let angle = self.lanes(*angle);
                let values = self
                    .sine_and_cosine(angle, mask)
                    .unwrap_or_else(|| [UnOp::Sin, UnOp::Cos].map(|op| self.push(Exp::Unary(op, angle))));
                for (var, value) in [*sine, *cosine].into_iter().zip(values) {
                    self.bind(var, value);
                }
            }
            ir::Stm::View(_) => {}
            ir::Stm::Alloc { block, count } => self.alloc(*block, *count)?,
            ir::Stm::Load { var, array, indices } => self.load(*var, *array, indices, mask),
            ir::Stm::Store { array, indices, value } => self.store(*array, indices, *value, mask),
            // Lanes may combine into the same element.
            ir::Stm::Combine { .. } => return Err(Refusal::Dependence),
            ir::Stm::Copy { to, from } => self.copy(*to, *from, mask)?,
            ir::Stm::If { binders, cond, then, otherwise } => {
                self.own_blocks(&then.result)?;
                self.own_blocks(&otherwise.result)?;
                self.branch(binders, *cond, then, otherwise, mask)?;
                self.same_memory(binders, &then.result)?;
                self.same_memory(binders, &otherwise.result)?;
            }
            ir::Stm::Loop { binders, params, form, body } => {
                let (vars, first): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
                self.own_blocks(&first)?;
                self.own_blocks(&body.result)?;
                self.same_memory(&vars, &first)?;
                self.same_memory(binders, &first)?;
                self.iterate(binders, params, *form, body, mask)?;
                self.same_memory(&vars, &body.result)?;
            }
            ir::Stm::Assert { cond, .. } => {
                self.has_checks = true;
                let cond = self.lanes(*cond);
                let violated = self.push(Exp::Unary(UnOp::Not, cond));
                let violated =
                    if self.strip.is_varying(violated) { self.intersect(mask, violated) } else { violated };
                self.stms.push(Stm::Fail(violated));
            }
            ir::Stm::Call { .. } => return Err(Refusal::Call),
            ir::Stm::Constants { .. } | ir::Stm::Trace { .. } | ir::Stm::Choose { .. } => {
                unreachable!("verified: only at host level")
            }
            ir::Stm::Segment(segment) => match *segment {},
        }
        Ok(())
    }

    /// Binds a scalar of the thread, which runs in the lanes of `mask`, to an expression.
    fn scalar(&mut self, var: Var, exp: &ScalarExp, mask: Option<Operand>) -> Result<(), Refusal> {
        if let ScalarExp::Atom(atom) = *exp {
            self.rename(var, atom);
            return Ok(());
        }
        if self.uniformity.atom(Atom::Var(var)) == Uniformity::Varying {
            self.note_largest(var, exp);
        }
        if let Some((size, other)) = self.uniformity.speculation(exp) {
            let (size, other) = (self.first(size), self.lanes(other));
            let differs = self.push(Exp::Compare(CmpOp::Lt, other, size));
            self.restart_if(differs, mask);
            self.bind(var, size);
            return Ok(());
        }
        if self.uniformity.is_interior() && self.bind_interior_value(var, exp) {
            return Ok(());
        }
        // If the result is uniform or strided, its value in lane 0 is computed from the operands' values in lane 0.
        let strided = !self.is_computed_in_lanes(var);
        let mut operand = |atom| if strided { self.first(atom) } else { self.lanes(atom) };
        let source = exp;
        let exp = match *exp {
            ScalarExp::Unary(op, a) => Exp::Unary(op, operand(a)),
            ScalarExp::Binary(op, a, b) => Exp::Binary(op, operand(a), operand(b)),
            ScalarExp::Compare(op, a, b) => Exp::Compare(op, operand(a), operand(b)),
            ScalarExp::Convert(to, a) => Exp::Convert(to, operand(a)),
            ScalarExp::Select(c, a, b) => Exp::Select(operand(c), operand(a), operand(b)),
            ScalarExp::Param(name, default) => Exp::Param(name, default),
            ScalarExp::PrivateLimit(_) => unreachable!("verified: only at host level"),
            ScalarExp::Atom(_) => unreachable!("bound above"),
        };
        let from = source.operands().first().map_or(PrimType::I64, |&atom| self.type_of(atom));
        let Type::Scalar(to) = self.vars[var].ty else { unreachable!("verified: a scalar") };
        let exp = self.widen(exp, from, to)?;
        let value = fold(exp).or_else(|| self.elementary(exp, mask)).or_else(|| self.count(exp));
        let value = value.unwrap_or_else(|| self.push_named(self.vars[var].hint, exp));
        self.bind(var, value);
        Ok(())
    }

    /// Binds a scalar of the thread to an atom.
    fn rename(&mut self, var: Var, atom: Atom) {
        let scalar = self.operands(atom);
        self.scalars.insert(var, scalar);
    }

    /// The type of a scalar of the thread.
    fn type_of(&self, atom: Atom) -> PrimType {
        match atom {
            Atom::Const(constant) => constant.ty(),
            Atom::Var(var) => match self.vars[var].ty {
                Type::Scalar(ty) => ty,
                _ => PrimType::I64,
            },
        }
    }

    /// Whether the values of a scalar in all lanes are computed, and not only the one in lane 0.
    fn is_computed_in_lanes(&self, var: Var) -> bool {
        self.uniformity.is_assumed(var) || self.uniformity.atom(Atom::Var(var)) == Uniformity::Varying
    }

    /// Binds a scalar of the thread. If it is uniform or strided, `value` is its value in lane 0, and the values in the other
    /// lanes are computed from it. Otherwise, or if it is assumed to be uniform, `value` has the values of all lanes.
    fn bind(&mut self, var: Var, value: Operand) {
        let value = if self.uniformity.is_assumed(var) { self.assume(value) } else { value };
        let scalar = match self.uniformity.atom(Atom::Var(var)) {
            Uniformity::Varying => Scalar { first: None, lanes: value },
            Uniformity::UNIFORM => Scalar { first: Some(value), lanes: value },
            Uniformity::Strided(step) => {
                let step = self.step(step);
                let lanes = self.push_named(self.vars[var].hint, Exp::Ramp { first: value, step });
                Scalar { first: Some(value), lanes }
            }
        };
        self.scalars.insert(var, scalar);
    }

    /// The operands for an atom. A scalar that is not bound inside is an input.
    fn operands(&mut self, atom: Atom) -> Scalar {
        let var = match atom {
            Atom::Const(constant) => {
                let constant = small::constant(constant);
                return Scalar { first: Some(constant), lanes: constant };
            }
            Atom::Var(var) => var,
        };
        if let Some(&scalar) = self.scalars.get(&var) {
            return scalar;
        }
        let Type::Scalar(ty) = self.vars[var].ty else { unreachable!("verified: a scalar") };
        let hint = self.vars[var].hint;
        let value = self.strip.values.push(ValueInfo { hint, ty, varying: false });
        self.strip.inputs.push((value, var));
        self.outside.insert(value, !self.outer_counters.contains(&var));
        let mut value = Operand::Value(value);
        if lane_type(ty) != ty {
            value = self.push(Exp::Convert(lane_type(ty), value));
        }
        let scalar = Scalar { first: Some(value), lanes: value };
        self.scalars.insert(var, scalar);
        scalar
    }

    /// The values of an atom in all lanes.
    fn lanes(&mut self, atom: Atom) -> Operand {
        self.operands(atom).lanes
    }

    /// The value of a strided atom in lane 0.
    fn first(&mut self, atom: Atom) -> Operand {
        self.operands(atom).first.expect("a strided scalar has a value in lane 0")
    }

    /// A step as a uniform operand.
    fn step(&mut self, step: Step) -> Operand {
        match step.by {
            None => Operand::i64(step.factor),
            Some(by) => {
                let by = self.first(Atom::Var(by));
                self.push(Exp::Binary(BinOp::Mul, by, Operand::i64(step.factor)))
            }
        }
    }

    /// The lanes that are in both masks.
    fn intersect(&mut self, mask: Option<Operand>, lanes: Operand) -> Operand {
        match mask {
            Some(mask) => self.push(Exp::Binary(BinOp::And, mask, lanes)),
            None => lanes,
        }
    }

    fn push(&mut self, exp: Exp) -> Operand {
        self.push_named(None, exp)
    }

    /// An operand for the expression: the one to which it simplifies ([`fold`]), or else a new value bound to it.
    fn push_named(&mut self, hint: Option<Symbol>, exp: Exp) -> Operand {
        if let Some(operand) = fold(exp) {
            return operand;
        }
        let (ty, varying) = self.strip.kind(exp);
        let outside = exp.operands().into_iter().map(|operand| self.outside(operand));
        let outside = outside.reduce(|a, b| Some(a? & b?)).unwrap_or(Some(true)).filter(|_| !varying);
        let bound_before = || self.strip.before.iter().find(|&&(_, known)| known == exp);
        if let Some(&(value, _)) = outside.and_then(|_| bound_before()) {
            return Operand::Value(value);
        }
        let value = self.strip.values.push(ValueInfo { hint, ty, varying });
        match outside {
            Some(of_all_rows) => {
                self.outside.insert(value, of_all_rows);
                self.strip.before.push((value, exp));
            }
            None => self.stms.push(Stm::Let { value, exp }),
        }
        Operand::Value(value)
    }

    /// If an operand is known before the strip, whether it is the same for all rows.
    fn outside(&self, operand: Operand) -> Option<bool> {
        operand.value().map_or(Some(true), |value| self.outside.get(&value).copied())
    }

    /// A new value in lanes, named like a variable of the thread.
    fn fresh(&mut self, var: Option<Var>, ty: PrimType, varying: bool) -> Value {
        let hint = var.and_then(|var| self.vars[var].hint);
        let ty = lane_type(ty);
        self.strip.values.push(ValueInfo { hint, ty, varying })
    }
}

/// The variables that a body uses, also in views.
fn used(body: &ir::Body<Thread>, vars: &VarTable) -> BTreeSet<Var> {
    struct Used<'a>(&'a VarTable, BTreeSet<Var>);
    impl Visit for Used<'_> {
        fn var(&mut self, var: &Var) {
            self.1.insert(*var);
        }

        fn binder(&mut self, var: &Var) {
            if let Type::Array(view) = &self.0[*var].ty {
                self.1.insert(view.block);
                let atoms = [view.offset].into_iter().chain(view.shape.clone()).chain(view.strides.clone());
                self.1.extend(atoms.filter_map(Atom::var));
            }
        }
    }
    let mut used = Used(vars, BTreeSet::new());
    used.body(body);
    used.1
}

/// The operand that an expression equals, if it is easy to see: the arithmetic of positions is full of zeros and ones.
pub(crate) fn fold(exp: Exp) -> Option<Operand> {
    let (zero, one) = (Operand::i64(0), Operand::i64(1));
    match exp {
        Exp::Unary(op, Operand::Const(a)) => ravel_prim::unary(op, a).map(Operand::Const),
        Exp::Binary(op, Operand::Const(a), Operand::Const(b)) => {
            ravel_prim::binary(op, a, b).map(Operand::Const)
        }
        Exp::Compare(op, Operand::Const(a), Operand::Const(b)) => {
            ravel_prim::compare(op, a, b).map(Operand::bool)
        }
        Exp::Convert(to, Operand::Const(a)) => Some(Operand::Const(ravel_prim::convert(a, to))),
        Exp::Select(Operand::Const(cond), a, b) => Some(if cond == PrimValue::Bool(true) { a } else { b }),
        Exp::Binary(BinOp::Add, a, b) if b == zero => Some(a),
        Exp::Binary(BinOp::Add, a, b) if a == zero => Some(b),
        Exp::Binary(BinOp::Mul, a, b) if b == one => Some(a),
        Exp::Binary(BinOp::Mul, a, b) if a == one => Some(b),
        Exp::Binary(BinOp::Mul, a, b) if a == zero || b == zero => Some(zero),
        Exp::Select(_, a, b) if a == b => Some(a),
        Exp::Select(cond, a, b) if a == Operand::bool(true) && b == Operand::bool(false) => Some(cond),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
