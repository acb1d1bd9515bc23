//! Loops along rows: where each lane walks along a row of its own, four iterations become one, which loads four neighbouring
//! elements of each row ([`Stm::LoadRow`]). An emitter loads rows as they lie in memory and transposes them in registers.
//!
//! ```text
//! for j < n {                       for q < n / 4 {
//!   load x = m[a + j .. by s]         load row x0, x1, x2, x3 = m[a + 4*q .. by s]
//!   f(x, j)                     ⇒     f(x0, 4*q)  f(x1, 4*q + 1)  f(x2, 4*q + 2)  f(x3, 4*q + 3)
//! }                                 }
//!                                   for r < n % 4 { load x = m[a + n/4*4 + r .. by s]  f(x, n/4*4 + r) }
//! ```
//!
//! The order of computation stays. [`ROW_LOOPS`] states what must hold. No element changes between the iterations, because
//! they only compute and load, and if one of the four runs, so do the others.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::Target;
use ravel_prim::{BinOp, PrimType};

use crate::form::{Body, Exp, Form, Operand, Place, Position, ROW, Stm, Strip, Value, ValueInfo};
use crate::rewrite::Rewrite;
use crate::vectorise::fold;

/// The rewrite `row-loops`.
pub(crate) const ROW_LOOPS: Rewrite = Rewrite {
    name: "row-loops",
    about: "In a loop in which each lane reads a row of its own, four iterations become one. It loads four neighbouring elements of each row at once.",
    premises: &[
        ("counted", "the loop is counted by an i64, and its number of iterations is not a constant below 4"),
        ("short", "it has at most as many statements as the target's setting `max_row_loop` permits"),
        ("no-stores", "its statements only compute and load"),
        (
            "along-rows",
            "it has a load without a mask, of elements of 32 or 64 bits in a memory block; each iteration reads the next element; the distance between neighbouring lanes is the same in all iterations, and not the constant 1",
        ),
    ],
    switch_off: |target| target.max_row_loop = 0,
};

/// Rewrites the loops along rows of a strip.
pub(crate) fn unroll(strip: &mut Strip, target: &Target) {
    let mut body = std::mem::take(&mut strip.body);
    body_of(strip, &mut body, target);
    strip.body = body;
}

fn body_of(strip: &mut Strip, body: &mut Body, target: &Target) {
    let mut stms = Vec::with_capacity(body.stms.len());
    for mut stm in std::mem::take(&mut body.stms) {
        match &mut stm {
            Stm::If { then, otherwise, .. } => {
                body_of(strip, then, target);
                body_of(strip, otherwise, target);
            }
            Stm::Loop { body, .. } => body_of(strip, body, target),
            _ => {}
        }
        match Walk::of(strip, &stm, target) {
            Some(walk) => Unroller { strip, walk: &walk, stms: &mut stms }.unroll(),
            None => stms.push(stm),
        }
    }
    body.stms = stms;
}

/// A loop along rows.
struct Walk<'a> {
    binders: &'a [Value],
    params: &'a [(Value, Operand)],
    index: Value,
    bound: Operand,
    body: &'a Body,
    /// The values that are bound inside.
    inside: BTreeSet<Value>,
    /// How much the uniform i64 values that are bound inside grow in each iteration, where that is known.
    growth: BTreeMap<Value, i64>,
    /// The values that are loaded along rows.
    loaded: BTreeSet<Value>,
}

impl Walk<'_> {
    /// The loop of a statement, if it loads along rows.
    fn of<'a>(strip: &Strip, stm: &'a Stm, target: &Target) -> Option<Walk<'a>> {
        let Stm::Loop { binders, params, form: Form::For { index, bound }, body } = stm else { return None };
        let (index, bound) = (*index, *bound);
        let is_too_short = matches!(bound, Operand::Const(bound) if bound.as_i64() < Some(ROW as i64));
        if strip.ty(bound) != PrimType::I64 || is_too_short || body.stms.len() as i64 > target.max_row_loop {
            return None;
        }
        let mut inside: BTreeSet<Value> = params.iter().map(|&(value, _)| value).collect();
        inside.insert(index);
        for stm in &body.stms {
            let (Stm::Let { value, .. } | Stm::Load { value, .. }) = stm else { return None };
            inside.insert(*value);
        }
        let growth = BTreeMap::from([(index, 1)]);
        let loaded = BTreeSet::new();
        let mut walk = Walk { binders, params, index, bound, body, inside, growth, loaded };
        for stm in &body.stms {
            match *stm {
                Stm::Let { value, exp } if is_position(strip, value) => {
                    if let Some(growth) = walk.growth_of(exp) {
                        walk.growth.insert(value, growth);
                    }
                }
                Stm::Load { value, .. } if walk.is_along_rows(strip, stm) => {
                    walk.loaded.insert(value);
                }
                _ => {}
            }
        }
        (!walk.loaded.is_empty()).then_some(walk)
    }

    fn growth(&self, operand: Operand) -> Option<i64> {
        match operand.value().filter(|value| self.inside.contains(value)) {
            Some(value) => self.growth.get(&value).copied(),
            None => Some(0),
        }
    }

    fn growth_of(&self, exp: Exp) -> Option<i64> {
        match exp {
            Exp::Binary(BinOp::Add, a, b) => Some(self.growth(a)?.wrapping_add(self.growth(b)?)),
            Exp::Binary(BinOp::Sub, a, b) => Some(self.growth(a)?.wrapping_sub(self.growth(b)?)),
            Exp::Binary(BinOp::Mul, a, Operand::Const(b)) => Some(self.growth(a)?.wrapping_mul(b.as_i64()?)),
            _ => exp.operands().into_iter().all(|operand| self.growth(operand) == Some(0)).then_some(0),
        }
    }

    fn is_along_rows(&self, strip: &Strip, stm: &Stm) -> bool {
        let Stm::Load { memory, position: Position::Strided { first, step }, mask: None, .. } = *stm else {
            return false;
        };
        let info = strip.memories[memory];
        let stays = !step.value().is_some_and(|step| self.inside.contains(&step));
        let is_shared = matches!(info.place, Place::Block(_));
        is_shared
            && info.elem.bytes() >= 4
            && step != Operand::i64(1)
            && stays
            && self.growth(first) == Some(1)
    }
}

fn is_position(strip: &Strip, value: Value) -> bool {
    let info = &strip.values[value];
    info.ty == PrimType::I64 && !info.varying
}

struct Unroller<'s, 'a> {
    strip: &'s mut Strip,
    walk: &'a Walk<'a>,
    /// The statements of the body under construction.
    stms: &'s mut Vec<Stm>,
}

impl Unroller<'_, '_> {
    /// Adds the loop over whole rows, and the one over the iterations that are left.
    fn unroll(&mut self) {
        let &Walk { binders, params, index, bound, body, .. } = self.walk;
        let (zero, shift) = (Operand::i64(0), Operand::i64(i64::from(ROW.ilog2())));
        let count = self.push(Exp::Binary(BinOp::Max, bound, zero));
        let rounds = self.push(Exp::Binary(BinOp::Shr, count, shift));
        let done = self.push(Exp::Binary(BinOp::Shl, rounds, shift));
        let rest = self.push(Exp::Binary(BinOp::Sub, count, done));

        let round = self.fresh(index);
        let state: Vec<Value> = params.iter().map(|&(value, _)| self.fresh(value)).collect();
        let outside = std::mem::take(self.stms);
        let start = self.push(Exp::Binary(BinOp::Shl, Operand::Value(round), shift));
        let result = self.iterations(start, state.iter().copied().map(Operand::Value).collect());
        let whole = Body { stms: std::mem::replace(self.stms, outside), result };
        let form = Form::For { index: round, bound: rounds };
        let first = params.iter().map(|&(_, first)| first);
        let params_of_rounds = state.into_iter().zip(first).collect();
        if rest == zero {
            let binders = binders.to_vec();
            self.stms.push(Stm::Loop { binders, params: params_of_rounds, form, body: whole });
            return;
        }
        let middle: Vec<Value> = binders.iter().map(|&binder| self.fresh(binder)).collect();
        self.stms.push(Stm::Loop { binders: middle.clone(), params: params_of_rounds, form, body: whole });

        let left = self.fresh(index);
        let mut body = body.clone();
        let exp = Exp::Binary(BinOp::Add, done, Operand::Value(left));
        body.stms.insert(0, Stm::Let { value: index, exp });
        let params = params.iter().map(|&(value, _)| value).zip(middle.into_iter().map(Operand::Value));
        let (form, params) = (Form::For { index: left, bound: rest }, params.collect());
        self.stms.push(Stm::Loop { binders: binders.to_vec(), params, form, body });
    }

    /// Adds the statements of [`ROW`] iterations from an index on. Returns the state after them.
    fn iterations(&mut self, start: Operand, mut state: Vec<Operand>) -> Vec<Operand> {
        let walk = self.walk;
        let mut rows: BTreeMap<Value, [Value; ROW]> = BTreeMap::new();
        let mut names_of_first: BTreeMap<Value, Operand> = BTreeMap::from([(walk.index, start)]);
        for number in 0..ROW {
            let mut names: BTreeMap<Value, Operand> =
                walk.params.iter().map(|&(value, _)| value).zip(state).collect();
            // A value that grows evenly is its value in the first iteration plus a constant, which becomes part of an address.
            for (&value, &growth) in &walk.growth {
                if let Some(&first) = names_of_first.get(&value) {
                    let by = Operand::i64(growth.wrapping_mul(number as i64));
                    names.insert(value, self.push(Exp::Binary(BinOp::Add, first, by)));
                }
            }
            for stm in &walk.body.stms {
                let renamed = |operand: Operand| match operand.value().and_then(|value| names.get(&value)) {
                    Some(&other) => other,
                    None => operand,
                };
                let (value, operand) = match *stm {
                    Stm::Let { value, exp } => match names.get(&value) {
                        Some(&known) => (value, known),
                        None => (value, self.push(exp.map(renamed))),
                    },
                    Stm::Load { value, memory, position, .. } if walk.loaded.contains(&value) => {
                        let row = rows.entry(value).or_insert_with(|| {
                            let Position::Strided { first, step } = position.map(renamed) else {
                                unreachable!("along rows")
                            };
                            let values = [(); ROW].map(|()| self.fresh(value));
                            self.stms.push(Stm::LoadRow { values, memory, first, step });
                            values
                        });
                        (value, Operand::Value(row[number]))
                    }
                    Stm::Load { value, memory, position, mask } => {
                        let (position, mask) = (position.map(renamed), mask.map(renamed));
                        let other = self.fresh(value);
                        self.stms.push(Stm::Load { value: other, memory, position, mask });
                        (value, Operand::Value(other))
                    }
                    _ => unreachable!("only computes and loads"),
                };
                names.insert(value, operand);
            }
            let result = walk.body.result.iter();
            let result = result.map(|operand| operand.value().and_then(|value| names.get(&value)).copied());
            state = result.zip(&walk.body.result).map(|(other, &same)| other.unwrap_or(same)).collect();
            if number == 0 {
                names_of_first = names;
            }
        }
        state
    }

    /// A value like another one.
    fn fresh(&mut self, value: Value) -> Value {
        let info = self.strip.values[value].clone();
        self.strip.values.push(info)
    }

    /// An operand for an expression.
    fn push(&mut self, exp: Exp) -> Operand {
        if let Some(operand) = fold(exp) {
            return operand;
        }
        let (ty, varying) = self.strip.kind(exp);
        let value = self.strip.values.push(ValueInfo { hint: None, ty, varying });
        self.stms.push(Stm::Let { value, exp });
        Operand::Value(value)
    }
}
