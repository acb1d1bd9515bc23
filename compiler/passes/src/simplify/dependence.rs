//! Failure dependence: the values that are computed from the result of a check.
//!
//! A failure is a dependence. A rule that drops an operand, as `x * 0 --> 0` does, may drop the last use of a check on which
//! the operand depends. Then the program would return a result where it must fail. So such a rule leaves the statement as it
//! is if the operand depends on a check. Most operands depend on none, because their checks are proved.
//!
//! Checks in earlier iterations of a loop do not count.

use ravel_core::visit::Visit;
use ravel_core::{Atom, Body, Exp, Source, Stm, Var};
use rustc_hash::FxHashSet;

/// The variables that depend on a check.
#[derive(Default)]
pub struct Dependences(FxHashSet<Var>);

impl Dependences {
    /// Whether the atom depends on a check.
    pub fn contains(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.0.contains(&var))
    }

    /// The number of variables that depend on a check.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Enters the bodies of an expression: their parameters depend on the checks of their arguments.
    pub fn enter(&mut self, exp: &Exp) {
        match exp {
            Exp::Loop(looped) => {
                let given = looped.params.iter().filter(|(_, init)| self.contains(*init));
                let params: Vec<Var> = given.map(|(param, _)| *param).collect();
                self.0.extend(params);
            }
            Exp::Screma(screma) => {
                let given = screma.map.params.iter().zip(&screma.sources);
                let params = given.filter(|(_, source)| match source {
                    Source::Array(array) => self.0.contains(array),
                    Source::Iota { start, stride } => self.contains(*start) || self.contains(*stride),
                });
                let params: Vec<Var> = params.map(|(param, _)| *param).collect();
                self.0.extend(params);
            }
            _ => {}
        }
    }

    /// A statement that stays. `before` is the count before its bodies were entered.
    pub fn define(&mut self, stm: &Stm, before: usize) {
        let checks = matches!(stm.exp, Exp::Assert { cond, .. } if cond != Atom::bool(true));
        let mut operands = Operands { of: self, depend: false };
        operands.exp(&stm.exp);
        if checks || operands.depend || self.count() > before {
            self.0.extend(&stm.binders);
        }
    }
}

/// Searches the operands of an expression, and the results of its bodies, for dependence on a check.
struct Operands<'d> {
    of: &'d Dependences,
    depend: bool,
}

impl Visit for Operands<'_> {
    fn var(&mut self, var: &Var) {
        self.depend |= self.of.0.contains(var);
    }

    fn binder(&mut self, _: &Var) {}

    fn body(&mut self, body: &Body) {
        body.result.iter().for_each(|atom| self.atom(atom));
    }
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn simplified(stms: &str, result: &str, ty: &str) -> String {
        statements(&trace(&PASS, &within(stms, result, &format!("r: {ty}"))).0)
    }

    const READ: &str = "let i: i64 = assert c (m) \"place\" let e: i32 = ys[i] ";

    #[test]
    fn operands_that_depend_on_a_check_are_not_dropped() {
        for exp in ["mul e 0i32", "sub e e", "and e 0i32", "xor e e"] {
            let text = simplified(&format!("{READ} let z: i32 = {exp}"), "z", "i32");
            assert!(text.contains("assert c_2"), "{exp}\n{text}");
        }
        for exp in ["eq e e", "le e e", "lt e e", "le 0i64 i", "and d false", "or d true"] {
            let exp = format!("let d: bool = lt x e let z: bool = {exp}");
            let text = simplified(&format!("{READ} {exp}"), "z", "bool");
            assert!(text.contains("assert c_2"), "{exp}\n{text}");
        }
        for stms in [
            "let d: i32 = add x e let z: i32 = sub d e",
            "let k: i64 = mul i 0i64 let z: i32 = loop (o: i32 = x) for j: i64 < k do { let s: i32 = add o x in s }",
            "let (l: i64, k: i64) = assert c (0i64, m) \"place\" let ds: [k]i32 = slice ys[l : k : 1i64] let g: i64 = mul k 0i64 let z: i32 = convert i32 g",
            "let d: bool = lt 0i32 e let z: i32 = if d then 1i32 else 1i32",
            "let d: i32 = mod e 4i32 let z: i32 = min -1i32 d",
            "let k: i64 = convert i64 e let as: [n]i32 = replicate n x let z: i32 = as[k]",
            "let as: [n]i32 = screma n { from ys map \\(w: i32) -> { let g: i32 = mul w e in g } to map } let f: i32 = as[0] let z: i32 = mul f 0i32",
        ] {
            let text = simplified(&format!("{READ} {stms}"), "z", "i32");
            assert!(text.contains("assert c_2"), "{stms}\n{text}");
        }
    }

    #[test]
    fn other_operands_are_left_out() {
        for stms in [
            "let e: i32 = ys[m] let z: i32 = mul e 0i32",
            "let i: i64 = assert true (m) \"place\" let e: i32 = ys[i] let z: i32 = sub e e",
            // The check itself is proved.
            "let z: i32 = if c then { let i: i64 = assert c (m) \"place\" let e: i32 = ys[i] let f: i32 = mul e 0i32 in f } else 0i32",
        ] {
            assert_eq!(simplified(stms, "z", "i32"), "in 0i32", "{stms}");
        }
    }
}
