//! # fuse-sources: read elements from their origin
//!
//! ## Rule
//!
//! ```text
//!   let xs = iota n a s in E[screma n { from xs … }]                    (iota-source)
//!   -------------------------------------------------
//!   E[screma n { from iota a s … }]
//!
//!   let xs = replicate n a in E[screma n { from xs map \(x) -> B … }]   (replicate-source)
//!   ------------------------------------------------------------------
//!   E[screma n { map \() -> B[a/x] … }]
//!
//!   xs: [n]t       screma n { from iota 0 1 map \(i) -> { stms let x = xs[i] in … } … }   (index-source)
//!   ---------------------------------------------------------------------------------
//!   screma n { from iota 0 1, xs map \(i, x) -> { stms in … } … }
//! ```
//!
//! * *iota-source*: a construct computes the elements of an iota itself.
//! * *replicate-source*: a construct uses a replicated scalar directly.
//! * *index-source*: an array that is indexed by the point becomes a source. If it is a source already, its
//!   element is used.
//!
//! A stream computes its chunks of such arrays itself:
//!
//! ```text
//!   let xs = iota n a s in E[stream n { from xs … chunk \(k, at, x …) -> B … }]
//!   ---------------------------------------------------------------------------
//!   E[stream n { chunk \(k, at …) -> { let x = iota k (a + at * s) s in B } … }]
//! ```
//!
//! ## Requires
//!
//! * *scalar*, of replicate-source: the replicated value is a scalar, because an array may be consumed before the
//!   construct. Other uses of `xs` do not matter, because computing an element costs no more than loading it.
//!
//! In index-source, the element is read at every point, not inside a branch or a loop, and `xs` is bound
//! outside with the width as its size.
//!
//! ## Ensures
//!
//! The construct reads one array less, or reads it only at its own points, which fusion can use.
//!
//! ## Leaves alone
//!
//! The definitions, which `simplify` removes if they have no other use.
//!
//! ## Costs
//!
//! Linear in the size of the function.
//!
//! ## Source
//!
//! An iota and a replicate are delayed arrays in the sense of Keller, Chakravarty, Leshchinskiy, Peyton Jones
//! and Lippmeier, "Regular, Shape-polymorphic, Parallel Arrays in Haskell" (ICFP 2010): an element is computed
//! from its index where it is used. index-source is from no paper. It makes the accesses that it finds visible
//! to the rules of fusion.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, x: i64, ts: [n]i64) -> (out: [n]i64) = {
//!   let is: [n]i64 = iota n 0i64 1i64
//!   let xs: [n]i64 = replicate n x
//!   let ys: [n]i64 = screma n {
//!     from is, xs
//!     map \(i: i64, e: i64) -> { let t: i64 = ts[i] let f: i64 = mul t e in f }
//!     to map
//!   }
//!   in ys
//! }
//! entry main = main (x, ts) -> (*out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, x_1: i64, ts_2: [n_0]i64) -> (out_3: [n_0]i64) = {
//!   let is_4: [n_0]i64 = iota n_0 0i64 1i64
//!   let xs_5: [n_0]i64 = replicate n_0 x_1
//!   let ys_6: [n_0]i64 = screma n_0 {
//!     from iota 0i64 1i64, ts_2
//!     map \(i_7: i64, t_8: i64) -> {
//!       let f_9: i64 = mul t_8 x_1
//!       in f_9
//!     }
//!     to map
//!   }
//!   in ys_6
//! }
//! entry main = main (x_1, ts_2) -> (*out_3)
//! ```

use std::collections::BTreeSet;

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Builder, Exp, Function, Origin, Program, Screma, Source, Stm, Stream, Substitution, Var, VarTable,
    atom_type,
};
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use crate::{Cx, Pass, Premise, Refusal};

/// The pass `fuse-sources`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-sources",
    about: "Computes iotas and replicated scalars where they are read, and makes sources of arrays that are indexed by the point.",
    rules: &[IOTA, REPLICATE, INDEX],
    premises: &[SCALAR],
    run,
};

const IOTA: &str = "iota-source";
const REPLICATE: &str = "replicate-source";
const INDEX: &str = "index-source";

const SCALAR: Premise = Premise {
    name: "scalar",
    about: "the replicated value is a scalar, because an array may be consumed before the construct",
    otherwise: "{} replicates an array",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.functions {
        let Function { vars, body, .. } = function;
        Rewriter { vars, definitions: FxHashMap::default(), cx }.body(body);
    }
}

/// The definition of an array whose elements need no load.
#[derive(Clone, Copy)]
enum Definition {
    Iota { start: Atom, stride: Atom },
    Replicate { value: Atom },
}

struct Rewriter<'a> {
    vars: &'a mut VarTable,
    definitions: FxHashMap<Var, Definition>,
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
                self.elements(screma, origin);
                None
            }
            Exp::Stream(stream) => {
                self.chunk_sources(stream, origin);
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
            origin.add_rule(rule);
        }
        fires
    }

    fn sources(&mut self, screma: &mut Screma, origin: &mut Origin) {
        let mut substitution = Substitution::new();
        let mut at = 0;
        while at < screma.sources.len() {
            let array = screma.sources[at].array();
            let definition = array.and_then(|array| self.definitions.get(&array).copied());
            at += 1;
            match definition {
                Some(Definition::Iota { start, stride }) if self.fire(IOTA, origin) => {
                    screma.sources[at - 1] = Source::Iota { start, stride };
                }
                Some(Definition::Replicate { value }) => {
                    if !atom_type(self.vars, value).is_scalar() {
                        let name = array.and_then(|array| self.vars[array].hint);
                        self.cx.refuse(REPLICATE, Refusal::of(SCALAR).blame(name, None), origin);
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

impl Rewriter<'_> {
    /// Lets the chunks of a stream compute such arrays instead of reading them.
    fn chunk_sources(&mut self, stream: &mut Stream, origin: &mut Origin) {
        let [size, start] = [0, 1].map(|at| stream.chunk.params.get(at).copied().map(Atom::Var));
        let (Some(size), Some(start)) = (size, start) else { return };
        let mut made = Vec::new();
        let mut at = 0;
        while let Some(source) = stream.sources.get(at) {
            at += 1;
            let Some(&definition) = self.definitions.get(source) else { continue };
            let rule = match definition {
                Definition::Iota { .. } => IOTA,
                Definition::Replicate { value } if atom_type(self.vars, value).is_scalar() => REPLICATE,
                Definition::Replicate { .. } => {
                    let name = self.vars[*source].hint;
                    self.cx.refuse(REPLICATE, Refusal::of(SCALAR).blame(name, None), origin);
                    continue;
                }
            };
            if !self.fire(rule, origin) {
                continue;
            }
            at -= 1;
            stream.sources.remove(at);
            let param = stream.chunk.params.remove(2 + at);
            let mut b = Builder::resume(std::mem::take(self.vars));
            b.set_origin(origin.clone());
            let exp = match definition {
                Definition::Iota { start: first, stride } => {
                    let before = b.convert(b.type_of(first).elem, start);
                    let distance = b.binary(BinOp::Mul, before, stride);
                    let start = b.binary(BinOp::Add, first, distance);
                    Exp::Iota { count: size, start, stride }
                }
                Definition::Replicate { value } => Exp::Replicate { count: size, value },
            };
            b.emit(vec![param], exp);
            let (vars, stms) = b.finish();
            *self.vars = vars;
            made.extend(stms);
        }
        stream.chunk.body.stms.splice(..0, made);
    }

    /// Makes arrays sources if the map lambda reads their element at the index of the point.
    fn elements(&mut self, screma: &mut Screma, origin: &mut Origin) {
        let counts = |source: &Source| *source == Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
        let points: Vec<Atom> = screma
            .sources
            .iter()
            .zip(&screma.map.params)
            .filter(|(source, _)| counts(source))
            .map(|(_, &param)| Atom::Var(param))
            .collect();
        let mut inside: BTreeSet<Var> = screma.map.params.iter().copied().collect();
        let mut substitution = Substitution::new();
        for stm in std::mem::take(&mut screma.map.body.stms) {
            let array = match stm.exp {
                Exp::Index(array, ref indices) if matches!(indices[..], [index] if points.contains(&index)) => {
                    Some(array)
                }
                _ => None,
            };
            let has_width = |array: &Var| self.vars[*array].ty.shape == [screma.width];
            let array = array.filter(|array| !inside.contains(array) && has_width(array));
            match array.filter(|_| self.fire(INDEX, origin)) {
                None => {
                    inside.extend(&stm.binders);
                    screma.map.body.stms.push(stm);
                }
                Some(array) => match screma.sources.iter().position(|source| *source == Source::Array(array))
                {
                    Some(at) => substitution.insert(stm.binders[0], Atom::Var(screma.map.params[at])),
                    None => {
                        screma.sources.push(Source::Array(array));
                        screma.map.params.push(stm.binders[0]);
                    }
                },
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

    #[test]
    fn arrays_read_at_the_point_become_sources() {
        let before = "
            let r2: [n]i32 = screma n {
              from iota 0 1
              map \\(i: i64) -> {
                let e: i32 = ys[i]
                let f: i32 = xs[i]
                let g: i32 = ys[i]
                let h: i32 = add e f
                let j: i32 = mul h g
                in j
              }
              to map
            }";
        let (after, events) = trace(&PASS, &within(before, "r2", "r: [n]i32"));
        let expected = "\
let r2_9: [n_0]i32 = screma n_0 {
  from iota 0i64 1i64, ys_7, xs_6
  map \\(i_10: i64, e_11: i32, f_12: i32) -> {
    let h_13: i32 = add e_11 f_12
    let j_14: i32 = mul h_13 e_11
    in j_14
  }
  to map
}
in r2_9";
        assert_eq!(statements(&after), expected);
        assert_eq!(events, ["index-source"; 3]);
    }

    #[test]
    fn chunks_compute_iotas_and_replicated_scalars() {
        let before = "
            let is: [n]i32 = iota n 5i32 2i32
            let zs: [n]i32 = replicate n x
            let ws: [n][n]i32 = replicate n ys
            let r2: [n]i32 = stream n {
              from is, ys, zs, ws
              chunk \\(k: i64, at: i64, i: [k]i32, e: [k]i32, z: [k]i32, w: [k][n]i32) -> {
                let o: i32 = z[0]
                let p: i32 = w[0, 0]
                let q: i32 = i[0]
                let s: i32 = add o p
                let t: i32 = add s q
                let v: [k]i32 = replicate k t
                in v
              }
              to map
            }";
        let (after, events) = trace(&PASS, &within(before, "r2", "r: [n]i32"));
        let expected = "\
let r2_12: [n_0]i32 = stream n_0 {
  from ys_7, ws_11
  chunk \\(k_13: i64, at_14: i64, e_15: [k_13]i32, w_16: [k_13][n_0]i32) -> {
    let v17: i32 = convert i32 at_14
    let v18: i32 = mul v17 2i32
    let v19: i32 = add 5i32 v18
    let i_20: [k_13]i32 = iota k_13 v19 2i32
    let z_21: [k_13]i32 = replicate k_13 x_3
";
        assert!(statements(&after).contains(expected), "{after}");
        assert_eq!(events, ["iota-source", "replicate-source", "replicate-source refused: scalar"]);
    }

    #[test]
    fn elements_at_other_indices_stay() {
        for (source, reading) in [
            ("iota 0 1", "let e: i32 = ys[m]"),
            ("iota 1 1", "let e: i32 = ys[i]"),
            ("iota 0 2", "let e: i32 = ys[i]"),
            ("iota 0 1", "let e: i32 = if c then { let f: i32 = ys[i] in f } else x"),
            ("iota 0 1", "let zs: [n]i32 = iota n i32_0 1i32 let e: i32 = zs[i]"),
        ] {
            let reading = reading.replace("i32_0", "0i32");
            let before = format!(
                "let r2: [n]i32 = screma n {{ from {source} map \\(i: i64) -> {{ {reading} in e }} to map }}"
            );
            let (_, events) = trace(&PASS, &within(&before, "r2", "r: [n]i32"));
            assert_eq!(events, [""; 0], "{reading}");
        }
        let wider = "let r2: [m]i32 = screma m { from iota 0 1 map \\(i: i64) -> { let e: i32 = ys[i] in e } to map }";
        assert_eq!(trace(&PASS, &within(wider, "r2", "r: [m]i32")).1, [""; 0]);
    }
}
