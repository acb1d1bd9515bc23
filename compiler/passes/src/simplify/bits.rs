//! # neighbouring-bits: bits of a word that a loop collects one by one
//!
//! ## Rule
//!
//! ```text
//!   loop (d = 0) for b < k do { in d | ((x >> (s + b)) & 1) << b }   -->   (x >> s) & (2^k - 1)
//! ```
//!
//! * *neighbouring-bits*: a loop that moves `k` neighbouring bits of an integer to the lowest places becomes a shift and
//!   a mask.
//!
//! A generic radix sort builds its digits in such a loop, since it knows its keys only by a function that returns a bit.
//! The bit may also be compared with 0 and chosen by a branch, as `get_bit` of the prelude does, and it may be converted.
//!
//! ## Requires
//!
//! The number of iterations is a constant, and both types have as many bits. The ranges show that `s + b` is not negative
//! and does not overflow. The loop does nothing else.
//!
//! ## Ensures
//!
//! The value is the same in every bit. A shift by the width of the type or more gives the bits that it shifts in.
//!
//! ## Leaves alone
//!
//! Loops that combine bits of several words, or change a bit.
//!
//! ## Costs
//!
//! Linear in the statements of the loop.
//!
//! ## Source
//!
//! The recognition of idioms in loops: Pinter and Pinter, "Program optimization and parallelization using idioms" (1994).
//!
//! ## Before
//!
//! ```text
//! fun main (x: u32) -> (out: i32) = {
//!   let d: i32 = loop (e: i32 = 0i32) for b: i32 < 4i32 do {
//!     let p: i32 = add 8i32 b
//!     let q: u32 = convert u32 p
//!     let s: u32 = shr x q
//!     let t: u32 = and s 1u32
//!     let z: bool = eq t 0u32
//!     let v: i32 = if z then 0i32 else 1i32
//!     let w: i32 = shl v b
//!     let f: i32 = or e w
//!     in f
//!   }
//!   in d
//! }
//! entry main = main (x) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (x_0: u32) -> (out_1: i32) = {
//!   let v2: u32 = shr x_0 8u32
//!   let v3: i32 = convert i32 v2
//!   let d_4: i32 = and v3 15i32
//!   in d_4
//! }
//! entry main = main (x_0) -> (out_1)
//! ```

use ravel_core::range::Interval;
use ravel_core::{Atom, Body, Exp, Loop, LoopForm, Stm, Type, Var};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, convert};
use rustc_hash::FxHashMap;

use super::{Facts, Rewrite, Rule};

/// A loop that collects bits becomes a shift and a mask.
pub const NEIGHBOURING: Rule = Rule { name: "neighbouring-bits", rewrite: neighbouring };

/// The bits of the widest type.
const MAX_BITS: i128 = 64;

/// What a variable of an iteration is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// The number of the iteration, plus a value from outside the loop if there is one.
    Number(Option<Atom>),
    /// A word shifted right by this operator and a number.
    Shifted(Word),
    /// The bit of the word at that number.
    Bit(Word),
    /// Whether the bit has this value.
    Is(bool, Word),
    /// The bit, at the place of the iteration.
    Placed(Word),
    /// All bits so far.
    Collected(Word),
}

/// The word of the bits, its shift, and where its first bit lies.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word {
    word: Atom,
    shift: BinOp,
    first: Option<Atom>,
}

fn neighbouring(known: &Facts, stm: &Stm) -> Option<Rewrite> {
    let Exp::Loop(Loop { params, form: LoopForm::For { index, bound: Atom::Const(bound) }, body }) = &stm.exp
    else {
        return None;
    };
    let (&[(digit, Atom::Const(initial))], &[result]) = (&params[..], &body.result[..]) else { return None };
    let to = initial.ty();
    if !to.is_integer() || initial != PrimValue::zero(to) {
        return None;
    }
    let Word { word, shift, first } = Meanings::of(known, *index, digit, body)?.collected(result)?;
    let from = known.type_of(word).elem;
    let count = u32::try_from(convert(*bound, PrimType::I64).as_i64()?).ok()?;
    if !(1..=from.bits().min(to.bits())).contains(&count) {
        return None;
    }
    let mask = PrimValue::from_bits(to, u64::MAX >> (64 - count));
    Some(Rewrite::Emit(Box::new(move |b| {
        let shifted = match first {
            None => word,
            Some(first) => {
                let distance =
                    if b.type_of(first) == Type::scalar(from) { first } else { b.convert(from, first) };
                b.binary(shift, word, distance)
            }
        };
        let bits = if from == to { shifted } else { b.convert(to, shifted) };
        b.binary(BinOp::And, bits, Atom::Const(mask))
    })))
}

/// The meanings of the variables of an iteration.
struct Meanings<'a> {
    known: &'a Facts<'a>,
    meanings: FxHashMap<Var, Meaning>,
    /// The bits of earlier iterations.
    digit: Var,
}

impl<'a> Meanings<'a> {
    /// `None` if a variable has none.
    fn of(known: &'a Facts<'a>, index: Var, digit: Var, body: &Body) -> Option<Meanings<'a>> {
        let meanings = FxHashMap::from_iter([(index, Meaning::Number(None))]);
        let mut found = Meanings { known, meanings, digit };
        for stm in &body.stms {
            let meaning = found.meaning(&stm.exp)?;
            let &[binder] = &stm.binders[..] else { return None };
            found.meanings.insert(binder, meaning);
        }
        Some(found)
    }

    fn collected(&self, result: Atom) -> Option<Word> {
        match self.get(result)? {
            Meaning::Collected(word) => Some(word),
            _ => None,
        }
    }

    fn get(&self, atom: Atom) -> Option<Meaning> {
        self.meanings.get(&atom.var()?).copied()
    }

    /// Whether the loop does not change an atom.
    fn is_outside(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| var != self.digit && !self.meanings.contains_key(&var))
    }

    /// Whether a type has the sum of an atom, which is not negative, and any number of a bit.
    fn fits(&self, first: Atom, ty: PrimType) -> bool {
        let range = self.known.ranges.interval(self.known.vars, first);
        let greatest = Interval::of(ty).map(|all| all.greatest - MAX_BITS);
        range.zip(greatest).is_some_and(|(range, greatest)| range.least >= 0 && range.greatest <= greatest)
    }

    fn meaning(&self, exp: &Exp) -> Option<Meaning> {
        let is = |atom: Atom, number: i8| {
            let ty = self.known.type_of(atom).elem;
            atom == Atom::Const(convert(PrimValue::I8(number), ty))
        };
        Some(match *exp {
            Exp::Binary(BinOp::Add, a, b) => {
                let (number, first) = if self.is_outside(a) { (b, a) } else { (a, b) };
                match self.get(number)? {
                    Meaning::Number(None)
                        if self.is_outside(first) && self.fits(first, self.known.type_of(first).elem) =>
                    {
                        Meaning::Number(Some(first))
                    }
                    _ => return None,
                }
            }
            Exp::Convert(to, a) => match self.get(a)? {
                meaning @ (Meaning::Number(None) | Meaning::Bit(_)) if to.is_integer() => meaning,
                meaning @ Meaning::Number(Some(first)) if self.fits(first, to) => meaning,
                Meaning::Is(true, word) if to.is_integer() => Meaning::Bit(word),
                _ => return None,
            },
            Exp::Binary(shift @ (BinOp::Shr | BinOp::Lshr), word, number) if self.is_outside(word) => {
                match self.get(number)? {
                    Meaning::Number(first) => Meaning::Shifted(Word { word, shift, first }),
                    _ => return None,
                }
            }
            Exp::Binary(BinOp::And, a, b) if is(b, 1) => match self.get(a)? {
                Meaning::Shifted(word) | Meaning::Bit(word) => Meaning::Bit(word),
                _ => return None,
            },
            Exp::Compare(op @ (CmpOp::Eq | CmpOp::Ne), a, b) if is(b, 0) => match self.get(a)? {
                Meaning::Bit(word) => Meaning::Is(op == CmpOp::Ne, word),
                _ => return None,
            },
            Exp::If { cond, ref then, ref otherwise } => {
                let (&[then], &[otherwise]) = (value(then)?, value(otherwise)?) else { return None };
                match self.get(cond)? {
                    Meaning::Is(false, word) if is(then, 0) && is(otherwise, 1) => Meaning::Bit(word),
                    Meaning::Is(true, word) if is(then, 1) && is(otherwise, 0) => Meaning::Bit(word),
                    _ => return None,
                }
            }
            Exp::Binary(BinOp::Shl, a, b) => match (self.get(a)?, self.get(b)?) {
                (Meaning::Bit(word), Meaning::Number(None)) => Meaning::Placed(word),
                _ => return None,
            },
            Exp::Binary(BinOp::Or, a, b) => {
                let digit = Atom::Var(self.digit);
                let placed = if a == digit { b } else { a };
                match self.get(placed)? {
                    Meaning::Placed(word) if a == digit || b == digit => Meaning::Collected(word),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

/// The results of a body without statements.
fn value(body: &Body) -> Option<&[Atom]> {
    body.stms.is_empty().then_some(&body.result)
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    /// The text of a loop that collects bits, after simplification. The first bit has the number `first`.
    fn simplified(first: &str, count: i32, bit: &str) -> String {
        let text = format!(
            "let s: i32 = {first}
             let d: i32 = loop (e: i32 = 0i32) for b: i32 < {count}i32 do {{
               let p: i32 = add s b
               let q: i32 = shr x p
               let t: i32 = and q 1i32
               {bit}
               let w: i32 = shl v b
               let f: i32 = or e w
               in f
             }}"
        );
        statements(&trace(&PASS, &within(&text, "d", "r: i32")).0)
    }

    const PLAIN: &str = "let v: i32 = and t 1i32";

    #[test]
    fn neighbouring_bits_are_a_shift_and_a_mask() {
        let low = "and y 7i32";
        let shifted = |after: &str| after.contains("= shr x_3 s_") && after.contains("i32 = and v");
        assert!(shifted(&simplified(low, 4, PLAIN)), "{}", simplified(low, 4, PLAIN));
        let compared = "let z: bool = ne t 0i32 let v: i32 = if z then 1i32 else 0i32";
        assert!(shifted(&simplified(low, 32, compared)));
        let converted = "let z: bool = ne t 0i32 let v: i32 = convert i32 z";
        assert!(shifted(&simplified(low, 4, converted)));
    }

    #[test]
    fn other_loops_stay() {
        let low = "and y 7i32";
        for (first, count, bit) in [
            // The first bit may have a negative number, or the last one a number that overflows.
            ("min y 7i32", 4, PLAIN),
            ("and y 2147483647i32", 4, PLAIN),
            // The type has fewer bits.
            (low, 33, PLAIN),
            // The bit is inverted, or another number.
            (low, 4, "let z: bool = eq t 0i32 let v: i32 = if z then 1i32 else 0i32"),
            (low, 4, "let v: i32 = sub 1i32 t"),
            (low, 4, "let v: i32 = add t y"),
        ] {
            assert!(simplified(first, count, bit).contains("= loop"), "{first}, {count}, {bit}");
        }
    }
}
