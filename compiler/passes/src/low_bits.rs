//! # low-bits: what depends on the low bits alone reads the part that has them
//!
//! ## Rule
//!
//! ```text
//!   let x = a + j … let z = ctz x                       -->   let z = ctz j
//!   let x = a + j … let y = not x … let z = ctz y       -->   let s = j + 1  let z = ctz s
//!   let z = ctz x in E                                  -->   let c = j == 2^k  in if c then { let z = ctz x in E } else { let z = ctz x in E }
//! ```
//!
//! * *trailing-zeros*: the trailing zeros of a sum are those of one part of it, if the other parts are multiples of a power
//!   of two that is greater than this part.
//!   An element of an `iota` is such a sum: the first element plus the number of the point.
//! * *carry-branch*: if the greatest value of the part is this power of two, a branch sets it apart, so that
//!   *trailing-zeros* fires for all other values.
//!
//! The Gray code of Sobol numbers counts the trailing ones of each point's index, to choose a direction number. In a chunk of a
//! stream the index is a multiple of the chunk's size plus a counter. The counter is the same in all lanes that work on
//! different chunks, so the choice becomes uniform, and its gather becomes a load.
//!
//! ## Requires
//!
//! * *below*, of trailing-zeros: the part that stays is positive and less than a power of two of which the other parts are
//!   multiples.
//! * *short*, of carry-branch: at most 16 statements follow in the body, none of which has a body of its own.
//! * *outer-sizes*, of carry-branch: the sizes of the body's results are known before the branch.
//!
//! ## Ensures
//!
//! The same number. Integers wrap around, which changes no low bit.
//!
//! ## Leaves alone
//!
//! Sums of more than four parts. Parts whose multiples are known only by a check. Elements of an `iota` in the map of a segment.
//!
//! ## Costs
//!
//! *carry-branch* makes two copies of the statements after the count. The pass takes linear time in functions that count
//! trailing zeros; nothing in others.
//!
//! ## Source
//!
//! Warren, "Hacker's Delight" (Addison-Wesley, 2nd edition 2012), section 2-2: `not x` is `-x - 1`. Negation keeps the
//! trailing zeros. The multiples are the congruences of Granger, "Static Analysis of Arithmetical Congruences" (International
//! Journal of Computer Mathematics 30, 1989), with powers of two as moduli.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64) -> (out: [n]i32) = {
//!   let rs: [n]i32 = segment grid (i < n) {
//!     map \() -> {
//!       let a: i64 = mul i 1024i64
//!       let r: i32 = loop (s: i32 = 0i32) for j: i64 < 1024i64 do {
//!         let x: i64 = add a j
//!         let y: i64 = not x
//!         let z: i32 = ctz y
//!         let t: i32 = add s z
//!         in t
//!       }
//!       in r
//!     }
//!     to map
//!   }
//!   in rs
//! }
//! entry main = main (n) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64) -> (out_1: [n_0]i32) = {
//!   let rs_2: [n_0]i32 = segment grid (i_3 < n_0) {
//!     map \() -> {
//!       let a_4: i64 = mul i_3 1024i64
//!       let r_5: i32 = loop (s_6: i32 = 0i32) for j_7: i64 < 1024i64 do {
//!         let x_8: i64 = add a_4 j_7
//!         let y_9: i64 = not x_8
//!         let v10: bool = eq j_7 1023i64
//!         let v11: i32 = if v10 then {
//!           let z_12: i32 = ctz y_9
//!           let t_13: i32 = add s_6 z_12
//!           in t_13
//!         } else {
//!           let v14: i64 = add j_7 1i64
//!           let z_15: i32 = ctz v14
//!           let t_16: i32 = add s_6 z_15
//!           in t_16
//!         }
//!         in v11
//!       }
//!       in r_5
//!     }
//!     to map
//!   }
//!   in rs_2
//! }
//! entry main = main (n_0) -> (out_1)
//! ```

use ravel_core::range::{Ranges, VisitWithFacts};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Builder, Exp, Function, Origin, Program, Screma, Source, Stm, Substitution, Type, Var,
    VarInfo, VarTable, atom_type, copy_body, exp_without_bodies, free_in_body,
};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp, convert};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::inline::Calls;
use crate::pass::missing;
use crate::{Cx, Pass, Premise, Refusal};

/// The pass `low-bits`: its rule, its premise, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "low-bits",
    about: "Lets code that depends on the low bits of a sum read only the part of the sum that has them.",
    rules: &[TRAILING_ZEROS, CARRY_BRANCH],
    premises: &[BELOW, SHORT, OUTER_SIZES],
    run,
};

const TRAILING_ZEROS: &str = "trailing-zeros";
const CARRY_BRANCH: &str = "carry-branch";

const BELOW: Premise = Premise {
    name: "below",
    about: "the part that stays is positive and less than a power of two of which the other parts are multiples",
    otherwise: "{} has the low bits of a sum, but may be 0 or reach into the bits of the other parts",
};

const SHORT: Premise = Premise {
    name: "short",
    about: "at most 16 statements follow in the body, none of which has a body of its own",
    otherwise: "{} has the low bits of a sum for all values but one, but the code that depends on them is long",
};

const OUTER_SIZES: Premise = Premise {
    name: "outer-sizes",
    about: "the sizes of the body's results are known before the branch",
    otherwise: "{} has the low bits of a sum for all values but one, but an array has a size that depends on them",
};

/// The most statements of which *carry-branch* makes two copies.
const MAX_COPIED: usize = 16;
/// The most parts of a sum.
const MAX_PARTS: usize = 4;
/// The most definitions in a row that lead to a number of trailing zeros.
const MAX_DEPTH: usize = 6;

fn run(program: &mut Program, cx: &mut Cx) {
    let calls = Calls::of(&program.functions);
    for function in &mut program.functions {
        if counts(&function.body) {
            let ranges = calls.ranges_of(function);
            let Function { vars, body, .. } = function;
            let (definitions, set_apart) = (FxHashMap::default(), FxHashSet::default());
            Rewriter { vars, ranges, definitions, set_apart, cx }.body(body);
        }
    }
}

/// Whether a body counts trailing zeros.
fn counts(body: &Body) -> bool {
    struct Search(bool);
    impl Visit for Search {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            self.0 |= matches!(stm.exp, Exp::Unary(UnOp::Ctz, _));
            self.exp(&stm.exp);
        }
    }
    let mut search = Search(false);
    search.body(body);
    search.0
}

/// The parts of a sum in the integers modulo a power of two: values, and a constant.
#[derive(Clone, Debug, Default)]
struct Sum {
    parts: Vec<Atom>,
    constant: i128,
}

/// The part of a sum that has its low bits, and what is added to it.
#[derive(Clone, Copy)]
struct Low {
    part: Atom,
    constant: i128,
    /// The power of two of which the other parts are multiples.
    modulus: i128,
    /// Whether part and constant are less than the modulus. Otherwise they may also be equal to it.
    is_below: bool,
}

struct Rewriter<'a> {
    vars: &'a mut VarTable,
    ranges: Ranges,
    /// The definitions of integers in scope.
    definitions: FxHashMap<Var, Exp>,
    /// The parts whose greatest value a branch has set apart.
    set_apart: FxHashSet<Atom>,
    cx: &'a mut Cx,
}

impl VisitMut for Rewriter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        self.cx.count_visits(body.stms.len());
        let mark = self.ranges.enter();
        let mut following = std::mem::take(&mut body.stms).into_iter();
        while let Some(mut stm) = following.next() {
            let counter = match &mut stm.exp {
                Exp::Screma(screma) => self.add_counter(screma),
                _ => None,
            };
            self.nested(&mut stm.exp);
            if let (Exp::Screma(screma), Some(counter)) = (&mut stm.exp, counter)
                && !free_in_body(self.vars, &screma.map.body).contains(&counter)
            {
                screma.sources.pop();
                screma.map.params.pop();
            }
            if let Exp::Unary(UnOp::Ctz, counted) = stm.exp {
                let low = self.low(counted, &stm.origin);
                match low {
                    Some(low) if low.is_below => self.read_low(low, &mut stm, &mut body.stms),
                    Some(low)
                        if !self.set_apart.contains(&low.part)
                            && self.may_branch(low, &stm, following.as_slice(), &body.result) =>
                    {
                        let stms = std::iter::once(stm).chain(following).collect();
                        let result = std::mem::take(&mut body.result);
                        body.result = self.branch(low, Body { stms, result }, &mut body.stms);
                        break;
                    }
                    _ => {}
                }
            }
            self.ranges.define(self.vars, &stm);
            if let (&[binder], Exp::Unary(..) | Exp::Binary(..) | Exp::Convert(..)) =
                (&stm.binders[..], &stm.exp)
            {
                self.definitions.insert(binder, stm.exp.clone());
            }
            body.stms.push(stm);
        }
        self.ranges.leave(mark);
    }
}

impl VisitWithFacts for Rewriter<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, self.vars)
    }
}

impl Rewriter<'_> {
    /// Makes the number of the point the last source of a construct that counts trailing zeros: the elements of an `iota` by
    /// 1 are the sum of the first one and this number.
    fn add_counter(&mut self, screma: &mut Screma) -> Option<Var> {
        let (zero, one) = (Atom::i64(0), Atom::i64(1));
        let start = |source: &Source| match *source {
            Source::Iota { start, stride } if start != zero && stride == one => Some(start),
            _ => None,
        };
        let params = screma.map.params.iter().copied().zip(&screma.sources);
        let sums: Vec<(Var, Atom)> =
            params.filter_map(|(param, source)| Some((param, start(source)?))).collect();
        let &(first, _) = sums.first().filter(|_| counts(&screma.map.body))?;
        let hint = self.vars[first].hint;
        let counter = self.vars.push(VarInfo { hint, ty: Type::scalar(PrimType::I64) });
        let sum = |(param, start)| (param, Exp::Binary(BinOp::Add, start, Atom::Var(counter)));
        self.definitions.extend(sums.into_iter().map(sum));
        screma.sources.push(Source::Iota { start: zero, stride: one });
        screma.map.params.push(counter);
        Some(counter)
    }

    /// The part of an integer that has its trailing zeros.
    fn low(&mut self, counted: Atom, origin: &Origin) -> Option<Low> {
        let sum = self.sum(counted);
        let evens = self.parts_beside_even_ones(&sum);
        let low = evens.iter().find_map(|&(part, zeros)| {
            let (added, modulus) = (sum.constant, 1i128 << zeros);
            let ty = atom_type(self.vars, part).elem;
            let is_at_most = |a, b, more| self.ranges.at_most(self.vars, a, b, more);
            let is_positive = is_at_most(constant(ty, 1), part, added);
            let is_below = is_at_most(part, constant(ty, modulus - 1), -added);
            let may_be_equal = is_at_most(part, constant(ty, modulus - 1), 1 - added);
            (is_positive && may_be_equal).then_some(Low { part, constant: added, modulus, is_below })
        });
        if let (None, Some((part, _))) = (&low, evens.first()) {
            self.refuse(TRAILING_ZEROS, BELOW, *part, origin);
        }
        low
    }

    fn refuse(&mut self, rule: &'static str, premise: Premise, part: Atom, origin: &Origin) {
        let name = part.var().and_then(|var| self.vars[var].hint);
        self.cx.refuse(rule, Refusal::of(premise).blame(name, origin.place()), origin);
    }

    /// Lets the statement count the trailing zeros of the part. What it needs goes to `before`.
    fn read_low(&mut self, low: Low, stm: &mut Stm, before: &mut Vec<Stm>) {
        if !self.cx.fire(TRAILING_ZEROS, &stm.origin) {
            return;
        }
        stm.origin.add_rule(TRAILING_ZEROS);
        let counted = self.build(&stm.origin, before, |builder| {
            let ty = builder.type_of(low.part).elem;
            match low.constant {
                0 => low.part,
                number => builder.binary(BinOp::Add, low.part, constant(ty, number)),
            }
        });
        stm.exp = Exp::Unary(UnOp::Ctz, counted);
    }

    /// Whether *carry-branch* may make two copies of the statement and what follows it in its body.
    fn may_branch(&mut self, low: Low, stm: &Stm, following: &[Stm], result: &[Atom]) -> bool {
        let is_plain = |stm: &Stm| matches!(stm.exp, exp_without_bodies!());
        let bound = |size: &Atom| {
            let mut binders = following.iter().chain([stm]).flat_map(|stm| &stm.binders);
            size.var().is_some_and(|size| binders.any(|&binder| binder == size))
        };
        let sizes = || result.iter().flat_map(|&atom| atom_type(self.vars, atom).shape);
        let missing = missing(&[
            (SHORT, &|| following.len() <= MAX_COPIED && following.iter().all(is_plain)),
            (OUTER_SIZES, &|| !sizes().any(|size| bound(&size))),
        ]);
        if let Some(premise) = missing {
            self.refuse(CARRY_BRANCH, premise, low.part, &stm.origin);
        }
        missing.is_none() && self.cx.fire(CARRY_BRANCH, &stm.origin)
    }

    /// Adds the branch with the two copies to `before`. Returns its results.
    fn branch(&mut self, low: Low, copied: Body, before: &mut Vec<Stm>) -> Vec<Atom> {
        let mut origin = copied.stms[0].origin.clone();
        origin.add_rule(CARRY_BRANCH);
        let types: Vec<Type> = copied.result.iter().map(|&atom| atom_type(self.vars, atom)).collect();
        let cond = self.build(&origin, before, |builder| {
            let ty = builder.type_of(low.part).elem;
            builder.compare(CmpOp::Eq, low.part, constant(ty, low.modulus - low.constant))
        });
        self.set_apart.insert(low.part);
        let then = copy_body(self.vars, None, Substitution::new(), &copied);
        let mut otherwise = copied;
        self.side(cond, false, &mut otherwise);
        let binders: Vec<Var> =
            types.into_iter().map(|ty| self.vars.push(VarInfo { hint: None, ty })).collect();
        let result = binders.iter().map(|&binder| Atom::Var(binder)).collect();
        before.push(Stm { binders, exp: Exp::If { cond, then, otherwise }, origin });
        result
    }

    /// Adds the statements that `write` builds to `before`. Returns its result.
    fn build(
        &mut self,
        origin: &Origin,
        before: &mut Vec<Stm>,
        write: impl FnOnce(&mut Builder) -> Atom,
    ) -> Atom {
        let mut builder = Builder::resume(std::mem::take(self.vars));
        builder.set_origin(origin.clone());
        let result = write(&mut builder);
        let stms;
        (*self.vars, stms) = builder.finish();
        stms.iter().for_each(|stm| self.ranges.define(self.vars, stm));
        before.extend(stms);
        result
    }

    /// An atom as a sum. `not x` is `-x - 1`, which has the trailing zeros of `x + 1`.
    fn sum(&self, atom: Atom) -> Sum {
        let mut sum = Sum::default();
        let inverted = match self.definition(atom) {
            Some(&Exp::Unary(UnOp::Not, x)) => {
                sum.constant = 1;
                x
            }
            _ => atom,
        };
        self.add(inverted, &mut sum);
        sum
    }

    fn add(&self, atom: Atom, sum: &mut Sum) {
        match (atom, self.definition(atom)) {
            (Atom::Const(constant), _) => sum.constant += integer(constant),
            (_, Some(&Exp::Binary(BinOp::Add, a, b))) => {
                [a, b].into_iter().for_each(|atom| self.add(atom, sum))
            }
            (_, Some(&Exp::Binary(BinOp::Sub, a, Atom::Const(b)))) => {
                sum.constant -= integer(b);
                self.add(a, sum);
            }
            _ => sum.parts.push(atom),
        }
    }

    /// The parts of a sum beside which all others are even, each with the trailing zeros that these have.
    fn parts_beside_even_ones(&self, sum: &Sum) -> Vec<(Atom, u32)> {
        if !(2..=MAX_PARTS).contains(&sum.parts.len()) {
            return Vec::new();
        }
        let others = |at| sum.parts.iter().enumerate().filter(move |&(other, _)| other != at);
        let zeros = |at| others(at).map(|(_, &part)| self.zeros(part, MAX_DEPTH)).min().unwrap_or(0);
        let parts = sum.parts.iter().enumerate().map(|(at, &part)| (part, zeros(at)));
        parts.filter(|&(_, zeros)| zeros > 0).collect()
    }

    /// A number of trailing zeros that this integer certainly has. It follows so many definitions at most.
    fn zeros(&self, atom: Atom, depth: usize) -> u32 {
        let ty = atom_type(self.vars, atom).elem;
        let of = |atom| if depth == 0 { 0 } else { self.zeros(atom, depth - 1) };
        let zeros = match (atom, self.definition(atom)) {
            (Atom::Const(constant), _) => integer(constant).trailing_zeros(),
            (_, Some(&Exp::Convert(_, a))) if atom_type(self.vars, a).elem.is_integer() => of(a),
            (_, Some(&Exp::Binary(BinOp::Mul, a, b))) => of(a) + of(b),
            (_, Some(&Exp::Binary(BinOp::Shl, a, Atom::Const(b)))) => {
                of(a) + u32::try_from(integer(b)).unwrap_or(0)
            }
            (_, Some(&Exp::Binary(BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, a, b))) => {
                of(a).min(of(b))
            }
            (_, Some(&Exp::Binary(BinOp::And, a, b))) => of(a).max(of(b)),
            _ => 0,
        };
        zeros.min(ty.bits())
    }

    /// The definition of an integer.
    fn definition(&self, atom: Atom) -> Option<&Exp> {
        let exp = self.definitions.get(&atom.var()?)?;
        atom_type(self.vars, atom).elem.is_integer().then_some(exp)
    }
}

/// A constant of an integer type.
fn constant(ty: PrimType, number: i128) -> Atom {
    Atom::Const(convert(PrimValue::I64(number as i64), ty))
}

/// The number of an integer constant, modulo 2^64.
fn integer(constant: PrimValue) -> i128 {
    convert(constant, PrimType::I64).as_i64().map_or(0, i128::from)
}
