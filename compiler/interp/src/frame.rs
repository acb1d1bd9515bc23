//! The variables of a call: their values, and the operands of statements.

use ravel_base::id::Id;
use ravel_core::{Atom, Function, Stm, Var, VarTable};
use ravel_prim::{PrimType, PrimValue};

use crate::array::{Array, Value, has_type};
use crate::lifetimes::Lifetimes;
use crate::machine::{Machine, Outcome, internal};

/// The variables of one call.
pub struct Frame<'m, 'p> {
    pub machine: &'m Machine<'p>,
    vars: &'p VarTable,
    pub lifetimes: &'m Lifetimes,
    slots: Vec<Option<Value>>,
}

impl<'m, 'p> Frame<'m, 'p> {
    pub fn new(machine: &'m Machine<'p>, function: &'p Function, lifetimes: &'m Lifetimes) -> Frame<'m, 'p> {
        let slots = std::iter::repeat_with(|| None).take(function.vars.len()).collect();
        Frame { machine, vars: &function.vars, lifetimes, slots }
    }

    /// The value of an atom; arrays are shared.
    pub fn value(&self, atom: Atom) -> Outcome<Value> {
        match atom {
            Atom::Const(value) => Ok(Value::Scalar(value)),
            Atom::Var(var) => self.slot(var).cloned(),
        }
    }

    /// The value of an operand of a statement. An array that dies there is moved, not shared.
    pub fn operand(&mut self, stm: &Stm, atom: Atom) -> Outcome<Value> {
        match atom {
            Atom::Var(var) if self.lifetimes.at(stm).is_some_and(|deaths| deaths.moved.contains(&var)) => {
                self.take(var)
            }
            atom => self.value(atom),
        }
    }

    fn slot(&self, var: Var) -> Outcome<&Value> {
        self.slots
            .get(var.index())
            .and_then(Option::as_ref)
            .ok_or_else(|| internal(format!("{var} has no value")))
    }

    /// Takes the value of a variable, which has none afterwards.
    pub fn take(&mut self, var: Var) -> Outcome<Value> {
        let taken = self.slots.get_mut(var.index()).and_then(Option::take);
        taken.ok_or_else(|| internal(format!("{var} has no value")))
    }

    /// Removes the values of variables.
    pub fn clear(&mut self, vars: &[Var]) {
        for var in vars {
            if let Some(slot) = self.slots.get_mut(var.index()) {
                *slot = None;
            }
        }
    }

    /// The value of a scalar operand.
    pub fn scalar(&self, atom: Atom) -> Outcome<PrimValue> {
        match atom {
            Atom::Const(value) => Ok(value),
            Atom::Var(var) => match self.slot(var)? {
                Value::Scalar(scalar) => Ok(*scalar),
                Value::Array(_) => Err(internal(format!("{var} is not a scalar"))),
            },
        }
    }

    /// The array of a variable.
    pub fn array(&self, var: Var) -> Outcome<&Array> {
        match self.slot(var)? {
            Value::Array(array) => Ok(array),
            Value::Scalar(_) => Err(internal(format!("{var} is not an array"))),
        }
    }

    /// The value of an operand that is a signed integer.
    pub fn integer(&self, atom: Atom) -> Outcome<i64> {
        integer(self.scalar(atom)?)
    }

    /// The value of an operand that is a condition.
    pub fn condition(&self, atom: Atom) -> Outcome<bool> {
        self.scalar(atom)?.as_bool().ok_or_else(|| internal("a condition is not a bool"))
    }

    /// A size: an i64 that is not negative.
    pub fn size(&self, atom: Atom) -> Outcome<usize> {
        let size = self.integer(atom)?;
        usize::try_from(size).map_err(|_| internal(format!("the size {size} is negative")))
    }

    /// The sizes that the type of a variable states.
    pub fn shape(&self, var: Var) -> Outcome<Vec<usize>> {
        let info = self.vars.get(var).ok_or_else(|| internal(format!("{var} has no type")))?;
        info.ty.shape.iter().map(|&size| self.size(size)).collect()
    }

    /// The element type that a variable states.
    pub fn elem(&self, var: Var) -> PrimType {
        self.vars[var].ty.elem
    }
    /// Binds the variables left to right.
    pub fn bind_all(&mut self, vars: &[Var], values: Vec<Value>) -> Outcome<()> {
        if vars.len() != values.len() {
            return Err(internal(format!("{} values for {} variables", values.len(), vars.len())));
        }
        vars.iter().zip(values).try_for_each(|(&var, value)| self.bind(var, value))
    }

    /// Binds a variable, after a check that the value has the type of the variable.
    pub fn bind(&mut self, var: Var, value: Value) -> Outcome<()> {
        let info = self.vars.get(var).ok_or_else(|| internal(format!("{var} has no type")))?;
        let mut fits = has_type(&value, info.ty.elem, info.ty.rank());
        if let Value::Array(array) = &value {
            for (&stated, &size) in info.ty.shape.iter().zip(array.shape.iter()) {
                fits &= self.integer(stated)? as u64 == size as u64;
            }
        }
        if !fits {
            return Err(internal(format!("the value of {var} has another type than the variable")));
        }
        self.slots[var.index()] = Some(value);
        Ok(())
    }
}

/// The value of a signed integer.
pub fn integer(scalar: PrimValue) -> Outcome<i64> {
    match scalar {
        PrimValue::I8(x) => Ok(x.into()),
        PrimValue::I16(x) => Ok(x.into()),
        PrimValue::I32(x) => Ok(x.into()),
        PrimValue::I64(x) => Ok(x),
        other => Err(internal(format!("{other} is not a signed integer"))),
    }
}
