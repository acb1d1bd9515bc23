//! Substitution, and copies with fresh binders.
//!
//! A [`Substitution`] maps variables to atoms. Applied to a piece of IR, it replaces every use, also in the types of
//! binders. Where the syntax requires a variable, the variable is an array, so its replacement is a variable too:
//! constants are scalars.

use crate::syntax::*;
use crate::visit::VisitMut;
use rustc_hash::FxHashMap;

/// The replacements of variables.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    atoms: FxHashMap<Var, Atom>,
}

impl Substitution {
    /// The substitution that replaces nothing.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Adds the replacement of `var` by `atom`.
    pub fn insert(&mut self, var: Var, atom: Atom) {
        self.atoms.insert(var, atom);
    }

    /// The replacement of `atom`.
    pub fn atom(&self, atom: Atom) -> Atom {
        match atom {
            Atom::Var(var) => self.atoms.get(&var).copied().unwrap_or(atom),
            Atom::Const(_) => atom,
        }
    }

    /// The type with its sizes replaced.
    pub fn ty(&self, ty: &Type) -> Type {
        Type { elem: ty.elem, shape: ty.shape.iter().map(|&size| self.atom(size)).collect() }
    }

    /// Applies the substitution to the type of one variable.
    pub fn binder(&self, vars: &mut VarTable, var: Var) {
        for size in &mut vars[var].ty.shape {
            *size = self.atom(*size);
        }
    }

    /// Applies the substitution to an expression and the types of all binders inside.
    pub fn exp(&self, vars: &mut VarTable, exp: &mut Exp) {
        Substitute { substitution: self, vars }.exp(exp);
    }

    /// Applies the substitution to a statement and the types of all binders of it and inside it.
    pub fn stm(&self, vars: &mut VarTable, stm: &mut Stm) {
        Substitute { substitution: self, vars }.stm(stm);
    }

    /// Applies the substitution to a body and the types of all binders inside.
    pub fn body(&self, vars: &mut VarTable, body: &mut Body) {
        Substitute { substitution: self, vars }.body(body);
    }
}

impl FromIterator<(Var, Atom)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Var, Atom)>>(pairs: I) -> Substitution {
        Substitution { atoms: pairs.into_iter().collect() }
    }
}

struct Substitute<'a> {
    substitution: &'a Substitution,
    vars: &'a mut VarTable,
}

impl VisitMut for Substitute<'_> {
    fn var(&mut self, var: &mut Var) {
        if let Atom::Var(new) = self.substitution.atom(Atom::Var(*var)) {
            *var = new;
        }
    }

    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.substitution.atom(*atom);
    }

    fn binder(&mut self, var: &mut Var) {
        self.substitution.binder(self.vars, *var);
    }
}

/// A copy of a body with fresh binders, to which the substitution is applied. If the body is from another function,
/// `from` is the table of that function.
pub fn copy_body(
    vars: &mut VarTable,
    from: Option<&VarTable>,
    substitution: Substitution,
    body: &Body,
) -> Body {
    let mut body = body.clone();
    Freshen { substitution, vars, from }.body(&mut body);
    body
}

/// A copy of a lambda with fresh binders.
pub fn copy_lambda(vars: &mut VarTable, lambda: &Lambda) -> Lambda {
    let mut copy = lambda.clone();
    Freshen { substitution: Substitution::new(), vars, from: None }.lambda(&mut copy);
    copy
}

struct Freshen<'a> {
    substitution: Substitution,
    vars: &'a mut VarTable,
    from: Option<&'a VarTable>,
}

impl VisitMut for Freshen<'_> {
    fn var(&mut self, var: &mut Var) {
        if let Atom::Var(new) = self.substitution.atom(Atom::Var(*var)) {
            *var = new;
        }
    }

    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.substitution.atom(*atom);
    }

    fn binder(&mut self, var: &mut Var) {
        let info = match self.from {
            Some(from) => &from[*var],
            None => &self.vars[*var],
        };
        let info = VarInfo { hint: info.hint, ty: self.substitution.ty(&info.ty) };
        let fresh = self.vars.push(info);
        self.substitution.insert(*var, Atom::Var(fresh));
        *var = fresh;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, print};

    #[test]
    fn a_copy_has_fresh_binders_and_substituted_sizes() {
        let text = "fun f (n: i64, xs: [n]i32) -> (r: [n]i32) = {
            let ys: [n]i32 = copy xs
            in ys
        }";
        let mut program = parse(text).unwrap();
        let function = &mut program.functions[0];
        let n = function.params[0].var;
        let substitution = [(n, Atom::i64(3))].into_iter().collect();
        function.body = copy_body(&mut function.vars, None, substitution, &function.body);
        let expected = "fun f (n_0: i64, xs_1: [n_0]i32) -> (r_2: [n_0]i32) = {
  let ys_4: [3]i32 = copy xs_1
  in ys_4
}
";
        assert_eq!(print(&program), expected);
    }
}
