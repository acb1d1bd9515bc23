//! The laws of the vector form.
//!
//! Checked:
//!
//! * Every value is bound once, before its use and in scope.
//! * Operators exist on the types of their operands. Masks are bools.
//! * A value has the type of the expression or element that it is bound to. It is varying if the expression is varying.
//! * Elements of small integer types are integers of 32 bits in lanes.
//! * A loaded value is varying, unless it is loaded from shared memory ([`Place::Block`]) at a uniform position.
//! * A loaded row is in shared memory, and its elements have 32 or 64 bits.
//! * Conditions of branches and loops are uniform. So are the position of a uniform access, and the first position and
//!   the step of a strided access or a ramp.
//! * The values of the state are varying, and the results of the code have their types. Those of the carry are uniform, and so
//!   are the results then. A strip has no state and a carry.
//! * Prefixes combine integers of 32 or 64 bits by an associative operator.
//! * What is bound before the strip is uniform. So is the size of preallocated memory, which is bound there at the latest.
//!
//! Not checked: that some lane is active where a load at a uniform position runs, and that positions are in bounds.

use std::collections::BTreeSet;

use ravel_prim::PrimType;

use crate::form::{Body, Exp, Form, MemoryInfo, Operand, Place, Position, Stm, Strip, Value};
use crate::vectorise::{combines, lane_type};

/// Checks a strip.
///
/// # Errors
/// The first law that does not hold.
pub fn verify(strip: &Strip) -> Result<(), String> {
    let mut verifier =
        Verifier { strip, bound: BTreeSet::new(), scope: BTreeSet::new(), bindings: Vec::new() };
    let inputs = strip.inputs.iter().map(|&(value, _)| value);
    for value in inputs.chain(strip.counter) {
        verifier.bind(value, strip.values[value].ty, false)?;
    }
    for &(value, exp) in &strip.before {
        verifier.exp(exp)?;
        let (ty, varying) = strip.kind(exp);
        verifier.bind(value, ty, varying)?;
        check(!strip.values[value].varying, || format!("{value} is varying, but is bound before the strip"))?;
    }
    for (_, count) in strip.preallocated() {
        verifier.uniform(count, PrimType::I64)?;
    }
    for &value in &strip.state {
        let info = &strip.values[value];
        check(info.varying, || format!("{value} is uniform, but each lane combines"))?;
        verifier.bind(value, info.ty, true)?;
    }
    for &value in &strip.carry {
        let info = &strip.values[value];
        check(!info.varying, || format!("{value} is varying, but all lanes take it"))?;
        verifier.bind(value, info.ty, false)?;
    }
    verifier.body(&strip.body)?;
    match (strip.state.is_empty(), strip.carry.is_empty()) {
        (true, true) => Ok(()),
        (false, true) => verifier.flow(&strip.body.result, &strip.state),
        (true, false) => verifier.flow(&strip.body.result, &strip.carry),
        (false, false) => Err("a state and a carry".to_owned()),
    }
}

struct Verifier<'a> {
    strip: &'a Strip,
    /// All values bound so far.
    bound: BTreeSet<Value>,
    /// The values in scope.
    scope: BTreeSet<Value>,
    /// The values in scope in the order in which they were bound. A body removes its own at its end: a copy of the
    /// scope for each body would take quadratic time on nested branches.
    bindings: Vec<Value>,
}

impl Verifier<'_> {
    fn bind(&mut self, value: Value, ty: PrimType, varying: bool) -> Result<(), String> {
        let info = &self.strip.values[value];
        check(self.bound.insert(value), || format!("{value} is bound twice"))?;
        check(info.ty == ty, || {
            format!("{value} has type {}, but is bound to a value of type {ty}", info.ty)
        })?;
        check(info.varying || !varying, || format!("{value} is uniform, but is bound to a varying value"))?;
        self.scope.insert(value);
        self.bindings.push(value);
        Ok(())
    }

    fn in_scope(&self, operand: Operand) -> Result<(), String> {
        match operand.value() {
            Some(value) => check(self.scope.contains(&value), || format!("{value} is not in scope")),
            None => Ok(()),
        }
    }

    /// Checks that the operand is in scope and has this type.
    fn typed(&self, operand: Operand, ty: PrimType) -> Result<(), String> {
        self.in_scope(operand)?;
        let actual = self.strip.ty(operand);
        check(actual == ty, || format!("{operand:?} has type {actual}, not {ty}"))
    }

    /// Checks that the operand is in scope, has this type and is uniform.
    fn uniform(&self, operand: Operand, ty: PrimType) -> Result<(), String> {
        self.typed(operand, ty)?;
        check(!self.strip.is_varying(operand), || format!("{operand:?} is not uniform"))
    }

    fn body(&mut self, body: &Body) -> Result<(), String> {
        body.stms.iter().try_for_each(|stm| self.stm(stm))?;
        body.result.iter().try_for_each(|&operand| self.in_scope(operand))
    }

    /// A body with a scope of its own, whose results may be bound to these values.
    fn nested(&mut self, body: &Body, binders: &[Value]) -> Result<(), String> {
        let outside = self.bindings.len();
        self.body(body)?;
        self.flow(&body.result, binders)?;
        self.leave_scope(outside);
        Ok(())
    }

    /// Removes the values bound after the first `outside`.
    fn leave_scope(&mut self, outside: usize) {
        for value in self.bindings.drain(outside..) {
            self.scope.remove(&value);
        }
    }

    fn flow(&self, operands: &[Operand], binders: &[Value]) -> Result<(), String> {
        check(operands.len() == binders.len(), || {
            format!("{} results for {} binders", operands.len(), binders.len())
        })?;
        for (&operand, &binder) in operands.iter().zip(binders) {
            let info = &self.strip.values[binder];
            self.typed(operand, info.ty)?;
            check(info.varying || !self.strip.is_varying(operand), || {
                format!("{binder} is uniform, but receives {operand:?}")
            })?;
        }
        Ok(())
    }

    fn access(&self, memory: &MemoryInfo, position: Position, mask: Option<Operand>) -> Result<(), String> {
        match position {
            Position::Uniform(at) => self.uniform(at, PrimType::I64)?,
            Position::Strided { first, step } => {
                self.uniform(first, PrimType::I64)?;
                self.uniform(step, PrimType::I64)?;
            }
            Position::Varying(at) | Position::Rising(at) => self.typed(at, PrimType::I64)?,
        }
        if let Place::Private(count) = memory.place {
            check(count >= 0, || format!("private memory of negative size {count}"))?;
        }
        mask.map_or(Ok(()), |mask| self.typed(mask, PrimType::Bool))
    }

    fn exp(&self, exp: Exp) -> Result<(), String> {
        let operands = exp.operands();
        operands.iter().try_for_each(|&operand| self.in_scope(operand))?;
        let ty = operands.first().map(|&operand| self.strip.ty(operand));
        let exists = |takes: &dyn Fn(PrimType) -> bool, name: &str| {
            ty.map_or(Ok(()), |ty| check(takes(ty), || format!("the operator {name} does not exist on {ty}")))
        };
        let of_one_type = |from: usize| {
            let types: BTreeSet<PrimType> =
                operands[from..].iter().map(|&operand| self.strip.ty(operand)).collect();
            check(types.len() <= 1, || format!("operands of several types: {types:?}"))
        };
        match exp {
            Exp::Unary(op, _) => exists(&|ty| op.takes(ty), op.name()),
            Exp::Binary(op, ..) => {
                of_one_type(0)?;
                exists(&|ty| op.takes(ty), op.name())
            }
            Exp::Compare(..) => of_one_type(0),
            Exp::Convert(..) | Exp::Param(..) => Ok(()),
            Exp::Select(cond, ..) => {
                self.typed(cond, PrimType::Bool)?;
                of_one_type(1)
            }
            Exp::Ramp { first, step } => {
                self.uniform(first, PrimType::I64)?;
                self.uniform(step, PrimType::I64)
            }
            Exp::Any(mask) => self.typed(mask, PrimType::Bool),
            Exp::Most(number) => self.typed(number, PrimType::I64),
            Exp::Prefix(op, a) => {
                check(combines(op, self.strip.ty(a)), || format!("prefixes by {}", op.name()))
            }
            Exp::Last(_) => Ok(()),
        }
    }

    fn stm(&mut self, stm: &Stm) -> Result<(), String> {
        let strip = self.strip;
        match stm {
            Stm::Let { value, exp } => {
                self.exp(*exp)?;
                let (ty, varying) = strip.kind(*exp);
                self.bind(*value, ty, varying)
            }
            Stm::Load { value, memory, position, mask } => {
                let info = &strip.memories[*memory];
                self.access(info, *position, *mask)?;
                let shared = matches!(info.place, Place::Block(_));
                self.bind(*value, lane_type(info.elem), !(shared && matches!(position, Position::Uniform(_))))
            }
            Stm::LoadRow { values, memory, first, step } => {
                let info = &strip.memories[*memory];
                check(matches!(info.place, Place::Block(_)) && info.elem.bytes() >= 4, || {
                    format!("{memory} has no rows of 32 or 64 bits that lanes share")
                })?;
                self.access(info, Position::Strided { first: *first, step: *step }, None)?;
                values.iter().try_for_each(|&value| self.bind(value, info.elem, true))
            }
            Stm::Store { memory, position, value, mask } => {
                let info = &strip.memories[*memory];
                self.access(info, *position, *mask)?;
                self.typed(*value, lane_type(info.elem))
            }
            Stm::If { binders, cond, then, otherwise } => {
                self.uniform(*cond, PrimType::Bool)?;
                self.nested(then, binders)?;
                self.nested(otherwise, binders)?;
                self.bind_all(binders)
            }
            Stm::Loop { binders, params, form, body } => {
                let (values, first): (Vec<Value>, Vec<Operand>) = params.iter().copied().unzip();
                self.flow(&first, &values)?;
                let outside = self.bindings.len();
                if let Form::For { index, bound } = *form {
                    self.uniform(bound, strip.values[index].ty)?;
                    self.bind(index, strip.values[index].ty, false)?;
                }
                self.bind_all(&values)?;
                if let Form::While(flag) = *form {
                    self.uniform(Operand::Value(flag), PrimType::Bool)?;
                    check(values.contains(&flag), || {
                        format!("{flag} is the condition of a loop, but not a merge parameter of it")
                    })?;
                }
                self.nested(body, &values)?;
                self.leave_scope(outside);
                let last: Vec<Operand> = values.into_iter().map(Operand::Value).collect();
                let kinds = |operand: &Operand| (strip.ty(*operand), strip.is_varying(*operand));
                let binder = |value: &Value| (strip.values[*value].ty, strip.values[*value].varying);
                check(last.iter().map(kinds).eq(binders.iter().map(binder)), || {
                    "binders of a loop differ from its merge parameters".to_owned()
                })?;
                self.bind_all(binders)
            }
            Stm::Fail(cond) => self.typed(*cond, PrimType::Bool),
        }
    }

    fn bind_all(&mut self, values: &[Value]) -> Result<(), String> {
        values.iter().try_for_each(|&value| {
            let info = &self.strip.values[value];
            self.bind(value, info.ty, info.varying)
        })
    }
}

fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
