//! The meaning of thread bodies: an evaluator of kernel IR, point by point.

use std::collections::BTreeMap;

use ravel_kernel::{Atom, Body, LoopForm, ScalarExp, Stm, Thread, Type, Var, VarTable, View};
use ravel_prim::{CmpOp, PrimValue, compare, convert};

use crate::evaluate::Environment;

/// A check failed.
#[derive(Debug, PartialEq, Eq)]
pub struct Failed;

/// One point of a segment.
pub struct Point<'a> {
    pub vars: &'a VarTable,
    pub outside: &'a mut Environment,
    pub scalars: BTreeMap<Var, PrimValue>,
    /// The arrays of the thread. A block is the number of one, an i64.
    pub arrays: Vec<Vec<PrimValue>>,
}

impl Point<'_> {
    pub fn body(&mut self, body: &Body<Thread>) -> Result<Vec<PrimValue>, Failed> {
        body.stms.iter().try_for_each(|step| self.stm(&step.stm))?;
        Ok(self.atoms(&body.result))
    }

    fn atom(&self, atom: Atom) -> PrimValue {
        match atom {
            Atom::Const(constant) => constant,
            Atom::Var(var) => *self.scalars.get(&var).unwrap_or_else(|| &self.outside.scalars[&var]),
        }
    }

    fn atoms(&self, atoms: &[Atom]) -> Vec<PrimValue> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    fn number(&self, atom: Atom) -> i64 {
        self.atom(atom).as_i64().expect("an i64")
    }

    fn view(&self, array: Var) -> View {
        match &self.vars[array].ty {
            Type::Array(view) => view.clone(),
            _ => panic!("no array"),
        }
    }

    fn element(&mut self, view: &View, indices: &[i64]) -> &mut PrimValue {
        let mut position = self.number(view.offset);
        for (&index, &stride) in indices.iter().zip(&view.strides) {
            position += index * self.number(stride);
        }
        let own = self.scalars.get(&view.block).and_then(|number| number.as_i64());
        let own = own.map(|number| &mut self.arrays[number as usize]);
        let elements = own.or_else(|| self.outside.blocks.get_mut(&view.block)).expect("a block");
        &mut elements[position as usize]
    }

    fn indices(&self, indices: &[Atom]) -> Vec<i64> {
        indices.iter().map(|&index| self.number(index)).collect()
    }

    pub fn store(&mut self, array: Var, indices: &[i64], value: PrimValue) {
        let view = self.view(array);
        *self.element(&view, indices) = value;
    }

    pub fn bind_all(&mut self, vars: &[Var], values: Vec<PrimValue>) {
        self.scalars.extend(vars.iter().copied().zip(values));
    }

    fn stm(&mut self, stm: &Stm<Thread>) -> Result<(), Failed> {
        match stm {
            Stm::Let { var, exp } => {
                let value = self.scalar(exp);
                self.scalars.insert(*var, value);
            }
            Stm::View(_) => {}
            Stm::Alloc { block, count } => {
                let Type::Block(ty) = self.vars[*block].ty else { panic!("no block") };
                let count = self.number(*count) as usize;
                self.scalars.insert(*block, PrimValue::I64(self.arrays.len() as i64));
                self.arrays.push(vec![PrimValue::zero(ty.elem); count]);
            }
            Stm::Load { var, array, indices } => {
                let (view, indices) = (self.view(*array), self.indices(indices));
                let value = *self.element(&view, &indices);
                self.scalars.insert(*var, value);
            }
            Stm::Store { array, indices, value } => {
                let (view, indices, value) = (self.view(*array), self.indices(indices), self.atom(*value));
                *self.element(&view, &indices) = value;
            }
            Stm::Copy { to, from } => {
                let (to, from) = (self.view(*to), self.view(*from));
                let [size] = to.shape[..] else { panic!("one dimension") };
                for index in 0..self.number(size) {
                    let value = *self.element(&from, &[index]);
                    *self.element(&to, &[index]) = value;
                }
            }
            Stm::If { binders, cond, then, otherwise } => {
                let side = if self.atom(*cond) == PrimValue::Bool(true) { then } else { otherwise };
                let results = self.body(side)?;
                self.bind_all(binders, results);
            }
            Stm::Loop { binders, params, form, body } => {
                let (vars, first): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
                let mut state = self.atoms(&first);
                let mut iteration = 0;
                loop {
                    self.bind_all(&vars, state.clone());
                    match *form {
                        LoopForm::While(flag) if self.atom(Atom::Var(flag)) == PrimValue::Bool(true) => {}
                        LoopForm::For { index, bound, .. } => {
                            let bound = self.atom(bound);
                            let counter = convert(PrimValue::I64(iteration), bound.ty());
                            if compare(CmpOp::Lt, counter, bound) != Some(true) {
                                break;
                            }
                            self.scalars.insert(index, counter);
                        }
                        LoopForm::While(_) => break,
                    }
                    state = self.body(body)?;
                    iteration += 1;
                }
                self.bind_all(binders, state);
            }
            Stm::Assert { cond, .. } => {
                if self.atom(*cond) != PrimValue::Bool(true) {
                    return Err(Failed);
                }
            }
            _ => panic!("no such statement in these tests"),
        }
        Ok(())
    }

    pub fn scalar(&self, exp: &ScalarExp) -> PrimValue {
        let operands = self.atoms(&exp.operands());
        match *exp {
            ScalarExp::Atom(_) => operands[0],
            ScalarExp::Unary(op, _) => ravel_prim::unary(op, operands[0]).expect("an operator of the type"),
            ScalarExp::Binary(op, ..) => {
                ravel_prim::binary(op, operands[0], operands[1]).expect("an operator of the type")
            }
            ScalarExp::Compare(op, ..) => {
                PrimValue::Bool(compare(op, operands[0], operands[1]) == Some(true))
            }
            ScalarExp::Convert(to, _) => convert(operands[0], to),
            ScalarExp::Select(..) => operands[if operands[0] == PrimValue::Bool(true) { 1 } else { 2 }],
            ScalarExp::PrivateLimit(_) | ScalarExp::Param(..) => panic!("not in these tests"),
        }
    }
}
