//! Copies of code. Every variable that a copy binds is new, and what is known in the copy is folded.

use std::collections::BTreeMap;

use ravel_kernel::*;
use ravel_prim::{BinOp, PrimValue, UnOp};

use super::substitution::Substitution;

/// Renames a copy of code, and folds what constants decide: scalar expressions, branches, and assertions that hold.
pub struct Copy<'a> {
    vars: &'a mut VarTable,
    /// The new variables, and the atoms that take the place of others.
    new: Substitution,
    /// Scalars of the original that are known to be other atoms of the original.
    known: BTreeMap<Var, Atom>,
}

impl<'a> Copy<'a> {
    /// A copy whose variables join this table.
    pub fn new(vars: &'a mut VarTable) -> Copy<'a> {
        Copy { vars, new: Substitution::default(), known: BTreeMap::new() }
    }

    /// The same copy, in which scalars that the original binds are known to be other atoms of the original.
    pub fn with_known(self, known: BTreeMap<Var, Atom>) -> Copy<'a> {
        Copy { known, ..self }
    }

    /// Puts an atom of the copy in the place of a variable of the original.
    pub fn replace(&mut self, var: Var, atom: Atom) {
        self.new.insert(var, atom);
    }

    /// The atom of the copy for one of the original.
    pub fn of(&self, mut atom: Atom) -> Atom {
        self.new.atom(&mut atom);
        atom
    }
}

impl VisitMut for Copy<'_> {
    fn atom(&mut self, atom: &mut Atom) {
        self.new.atom(atom);
    }

    fn var(&mut self, var: &mut Var) {
        self.new.var(var);
    }

    fn binder(&mut self, var: &mut Var) {
        let mut info = self.vars[*var].clone();
        self.new.info(&mut info);
        let new = self.vars.push(info);
        self.new.insert(*var, Atom::Var(new));
        *var = new;
    }

    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            match &mut step.stm {
                Stm::Let { var, exp } => {
                    exp.operands_mut().into_iter().for_each(|operand| self.atom(operand));
                    let known = self.known.get(var).map(|&known| self.of(known));
                    if let Some(value) = known.or_else(|| folded(exp)) {
                        self.replace(*var, value);
                        continue;
                    }
                    self.binder(var);
                }
                Stm::If { binders, cond, then, otherwise } => {
                    if let Atom::Const(PrimValue::Bool(cond)) = self.of(*cond) {
                        let mut side = if cond { then.clone() } else { otherwise.clone() };
                        self.body(&mut side);
                        body.stms.extend(side.stms);
                        binders.iter().zip(side.result).for_each(|(&var, value)| self.replace(var, value));
                        continue;
                    }
                    self.step(&mut step);
                }
                Stm::Assert { cond, .. } if self.of(*cond) == Atom::bool(true) => continue,
                _ => self.step(&mut step),
            }
            body.stms.push(step);
        }
        body.result.iter_mut().for_each(|result| self.atom(result));
    }
}

/// The atom that an expression of these operands is, if constants decide it. Floats are compared and converted to,
/// but not computed with: the functions of the target's library may round otherwise.
pub fn folded(exp: &ScalarExp) -> Option<Atom> {
    let (yes, no) = (Atom::bool(true), Atom::bool(false));
    Some(match *exp {
        ScalarExp::Atom(a) => a,
        ScalarExp::Select(Atom::Const(cond), a, b) => {
            if cond.as_bool()? {
                a
            } else {
                b
            }
        }
        ScalarExp::Binary(BinOp::And, a, b) if a == yes || b == no => b,
        ScalarExp::Binary(BinOp::And, a, b) if a == no || b == yes => a,
        ScalarExp::Binary(BinOp::Or, a, b) if a == no || b == yes => b,
        ScalarExp::Binary(BinOp::Or, a, b) if a == yes || b == no => a,
        ScalarExp::Unary(op @ (UnOp::Not | UnOp::Neg), Atom::Const(a)) if !a.ty().is_float() => {
            Atom::Const(ravel_prim::unary(op, a)?)
        }
        ScalarExp::Binary(op, Atom::Const(a), Atom::Const(b)) if !a.ty().is_float() => {
            Atom::Const(ravel_prim::binary(op, a, b)?)
        }
        ScalarExp::Compare(op, Atom::Const(a), Atom::Const(b)) => Atom::bool(ravel_prim::compare(op, a, b)?),
        ScalarExp::Convert(to, Atom::Const(a)) if !a.ty().is_float() => {
            Atom::Const(ravel_prim::convert(a, to))
        }
        _ => return None,
    })
}
