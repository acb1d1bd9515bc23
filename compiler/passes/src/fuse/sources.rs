//! # fuse-sources: sources that need no array
//!
//! ## Rules
//!
//! ```text
//!   let xs = iota n a s in E[screma n { from xs … }]                    (iota-source)
//!   -------------------------------------------------
//!   E[screma n { from iota a s … }]
//!
//!   let xs = replicate n a in E[screma n { from xs map \(x) -> B … }]   (replicate-source)
//!   ------------------------------------------------------------------
//!   E[screma n { map \() -> B[a/x] … }]
//! ```
//!
//! *Requires*, of replicate-source, that `a` is a scalar: an array could have been consumed in
//! between. The array may be used elsewhere too: computing an element costs no more than reading
//! it. *Leaves alone* the definitions; simplify removes them if nothing else uses them.

use std::collections::HashMap;

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Exp, Function, Origin, Program, Screma, Source, Stm, Substitution, Var, VarTable, atom_type,
};

use crate::{Cx, Pass};

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-sources",
    about: "Makes iotas and replicated scalars part of the constructs that read them.",
    rules: &[IOTA, REPLICATE],
    run,
};

const IOTA: &str = "iota-source";
const REPLICATE: &str = "replicate-source";

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.functions {
        let Function { vars, body, .. } = function;
        Rewriter { vars, definitions: HashMap::new(), cx }.body(body);
    }
}

/// What an array can be replaced by, element by element.
#[derive(Clone, Copy)]
enum Definition {
    Iota { start: Atom, stride: Atom },
    Replicate { value: Atom },
}

struct Rewriter<'a> {
    vars: &'a mut VarTable,
    definitions: HashMap<Var, Definition>,
    cx: &'a mut Cx,
}

impl VisitMut for Rewriter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn stm(&mut self, stm: &mut Stm) {
        let Stm { binders, exp, origin } = stm;
        let definition = match exp {
            Exp::Iota { start, stride, .. } => Some(Definition::Iota { start: *start, stride: *stride }),
            Exp::Replicate { value, .. } => Some(Definition::Replicate { value: *value }),
            Exp::Screma(screma) => {
                self.sources(screma, origin);
                None
            }
            _ => None,
        };
        if let (Some(definition), [binder]) = (definition, &binders[..]) {
            self.definitions.insert(*binder, definition);
        }
        self.exp(exp);
    }
}

impl Rewriter<'_> {
    fn fire(&mut self, rule: &'static str, origin: &mut Origin) -> bool {
        let fires = self.cx.fire(rule, origin);
        if fires {
            origin.rules.push(rule);
        }
        fires
    }

    fn sources(&mut self, screma: &mut Screma, origin: &mut Origin) {
        let mut substitution = Substitution::new();
        let mut at = 0;
        while at < screma.sources.len() {
            let definition = match screma.sources[at] {
                Source::Array(array) => self.definitions.get(&array).copied(),
                Source::Iota { .. } => None,
            };
            at += 1;
            match definition {
                Some(Definition::Iota { start, stride }) if self.fire(IOTA, origin) => {
                    screma.sources[at - 1] = Source::Iota { start, stride };
                }
                Some(Definition::Replicate { value }) => {
                    if !atom_type(self.vars, value).is_scalar() {
                        self.cx.refuse(REPLICATE, "scalar", origin);
                    } else if self.fire(REPLICATE, origin) {
                        at -= 1;
                        screma.sources.remove(at);
                        substitution.insert(screma.map.params.remove(at), value);
                    }
                }
                _ => {}
            }
        }
        substitution.body(self.vars, &mut screma.map.body);
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::testing::{statements, trace, within};

    #[test]
    fn iotas_and_replicated_scalars_become_sources() {
        let before = "
            let is: [n]i64 = iota n 5 2
            let zs: [n]i32 = replicate n x
            let r2: [n]i32 = screma n {
              from is, zs, ys
              map \\(i: i64, z: i32, e: i32) -> { let k: i32 = add z e in k }
              to map
            }";
        let (after, events) = trace(&PASS, &within(before, "r2", "r: [n]i32"));
        let expected = "\
let is_9: [n_0]i64 = iota n_0 5i64 2i64
let zs_10: [n_0]i32 = replicate n_0 x_3
let r2_11: [n_0]i32 = screma n_0 {
  from iota 5i64 2i64, ys_7
  map \\(i_12: i64, e_13: i32) -> {
    let k_14: i32 = add x_3 e_13
    in k_14
  }
  to map
}
in r2_11";
        assert_eq!(statements(&after), expected);
        assert_eq!(events, ["iota-source", "replicate-source"]);
    }

    #[test]
    fn replicated_arrays_stay() {
        let before = "
            let zs: [n][n]i32 = replicate n ys
            let r2: [n][n]i32 = screma n { from zs map \\(z: [n]i32) -> z to map }";
        let (after, events) = trace(&PASS, &within(before, "r2", "r: [n][n]i32"));
        assert!(after.contains("from zs_9"));
        assert_eq!(events, ["replicate-source refused: scalar"]);
    }
}
