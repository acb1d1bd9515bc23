//! Addresses of elements of interleaved arrays at uniform positions. Element `i` of such an array is a row: one element of
//! each lane.
//!
//! A position is a sum, such as of the beginning of an array, the beginning of a line in it, and the counter of a loop.
//! Terms from outside of the loop become a *pointer*, which is computed where the last of them is bound. The other term
//! becomes an *offset* in bytes, computed where the term is bound. So arrays that a loop accesses at the same counter share
//! the offset, and each has a pointer: an access needs no arithmetic. A product or sum of values from outside of the loop
//! counts as one.

use std::collections::{BTreeMap, BTreeSet};

use ravel_prim::{BinOp, PrimType, PrimValue};
use ravel_vector::{Body, Exp, Form, Memory, Operand, Position, Stm, Strip, Value};
use regalloc2::{RegClass, VReg};

use super::{Base, Selector};
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{self, Address, Source};

/// The most terms of a position that are told apart.
const MOST_TERMS: usize = 4;

/// The terms of a position: those from outside of the loop, the one inside, and a constant.
#[derive(Clone, Debug)]
struct Terms {
    outside: BTreeSet<Value>,
    inside: Value,
    more: i64,
}

/// What to compute where a value is bound.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    /// The address in a memory of the row at the sum of these values, the last of which is bound.
    Pointer(Memory, BTreeSet<Value>),
    /// The value times the bytes of a row whose elements have so many bytes.
    Offset(Value, usize),
}

/// The positions in interleaved arrays whose terms are told apart, and the registers with their parts.
#[derive(Default)]
pub(super) struct RowAddresses {
    /// For positions of accesses in a memory.
    terms: BTreeMap<(Memory, Value), Terms>,
    /// The uniform sums, differences and products of i64.
    arithmetic: BTreeMap<Value, (BinOp, Operand, Operand)>,
    wanted: BTreeMap<Value, BTreeSet<Wanted>>,
    computed: BTreeMap<Wanted, VReg>,
}

impl RowAddresses {
    /// Finds the positions of a strip.
    pub fn of(strip: &Strip) -> RowAddresses {
        if !strip.memories.iter().any(|(_, info)| info.place.is_private()) {
            return RowAddresses::default();
        }
        let mut finder = Finder { strip, rows: RowAddresses::default(), known: BTreeMap::new() };
        for value in strip.used_inputs() {
            finder.bind(value, 0);
        }
        finder.body(&strip.body, 1);
        finder.rows
    }
}

/// The search for positions.
struct Finder<'s> {
    strip: &'s Strip,
    rows: RowAddresses,
    /// For each uniform i64, when it is known.
    known: BTreeMap<Value, When>,
}

/// When a value is known: after this other value is bound, or the value itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct When {
    /// The place of that value in the order of the code.
    place: usize,
    /// The number of loops around it.
    depth: usize,
    after: Value,
}

impl Finder<'_> {
    fn bind(&mut self, value: Value, depth: usize) {
        let place = self.known.len();
        let info = &self.strip.values[value];
        if !info.varying && info.ty == PrimType::I64 {
            self.known.insert(value, When { place, depth, after: value });
        }
    }

    /// Binds the result of an operator, which is known when its operands are.
    fn bind_result(&mut self, value: Value, exp: Exp, depth: usize) {
        self.bind(value, depth);
        let Exp::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) = exp else { return };
        let Some(own) = self.known.get(&value).copied() else { return };
        self.rows.arithmetic.insert(value, (op, a, b));
        let operands = [a, b].into_iter().filter_map(Operand::value);
        let last = operands.map(|operand| self.known.get(&operand).copied().unwrap_or(own)).max();
        self.known.insert(value, last.unwrap_or(own));
    }

    fn body(&mut self, body: &Body, depth: usize) {
        for stm in &body.stms {
            match stm {
                Stm::Let { value, exp } => self.bind_result(*value, *exp, depth),
                Stm::Load { value, memory, position, .. } => {
                    self.access(*memory, *position, depth);
                    self.bind(*value, depth);
                }
                Stm::Store { memory, position, .. } => self.access(*memory, *position, depth),
                Stm::If { binders, then, otherwise, .. } => {
                    self.body(then, depth);
                    self.body(otherwise, depth);
                    binders.iter().for_each(|&value| self.bind(value, depth));
                }
                Stm::Loop { binders, params, form, body } => {
                    if let Form::For { index, .. } = *form {
                        self.bind(index, depth + 1);
                    }
                    params.iter().for_each(|&(value, _)| self.bind(value, depth + 1));
                    self.body(body, depth + 1);
                    binders.iter().for_each(|&value| self.bind(value, depth));
                }
                Stm::LoadRow { .. } | Stm::Fail(_) => {}
            }
        }
    }

    fn access(&mut self, memory: Memory, position: Position, depth: usize) {
        let Position::Uniform(Operand::Value(position)) = position else { return };
        if !self.strip.memories[memory].place.is_private()
            || self.rows.terms.contains_key(&(memory, position))
        {
            return;
        }
        let told_apart = self.terms(position, 0).or_else(|| self.terms(position, depth));
        let Some((terms, more)) = told_apart else { return };
        let is_outside = |value: &&Value| self.known[*value].depth < depth;
        let outside: BTreeSet<Value> = terms.iter().filter(is_outside).copied().collect();
        let inside: Vec<Value> = terms.iter().filter(|value| !is_outside(value)).copied().collect();
        let Some(last) = outside.iter().map(|value| self.known[value]).max() else { return };
        if inside.len() != 1 {
            return;
        }
        let (inside, bytes) = (inside[0], self.strip.memories[memory].elem.bytes());
        let pointer = Wanted::Pointer(memory, outside.clone());
        self.rows.wanted.entry(last.after).or_default().insert(pointer);
        self.rows.wanted.entry(inside).or_default().insert(Wanted::Offset(inside, bytes));
        self.rows.terms.insert((memory, position), Terms { outside, inside, more });
    }

    /// The terms of a position, and the constant; `None` if they are too many, or some are equal. A sum that is known in fewer
    /// than `depth` loops is one term.
    fn terms(&self, position: Value, depth: usize) -> Option<(Vec<Value>, i64)> {
        let mut terms = Vec::new();
        let more = self.add_terms(Operand::Value(position), depth, &mut terms)?;
        let different: BTreeSet<Value> = terms.iter().copied().collect();
        (different.len() == terms.len()).then_some((terms, more))
    }

    /// Adds the terms of a sum, and returns the constant.
    fn add_terms(&self, operand: Operand, depth: usize, terms: &mut Vec<Value>) -> Option<i64> {
        let sum = |value: Value| {
            let arithmetic = self.rows.arithmetic.get(&value);
            arithmetic.filter(|_| self.known[&value].depth >= depth)
        };
        match operand {
            Operand::Const(PrimValue::I64(constant)) => Some(constant),
            Operand::Const(_) => None,
            Operand::Value(value) => match sum(value) {
                Some(&(BinOp::Add, a, b)) => {
                    let more = self.add_terms(a, depth, terms)?;
                    Some(more.wrapping_add(self.add_terms(b, depth, terms)?))
                }
                Some(&(BinOp::Sub, a, Operand::Const(PrimValue::I64(b)))) => {
                    Some(self.add_terms(a, depth, terms)?.wrapping_sub(b))
                }
                _ => {
                    terms.push(value);
                    (terms.len() <= MOST_TERMS && self.known.contains_key(&value)).then_some(0)
                }
            },
        }
    }
}

impl Selector<'_> {
    /// Computes the parts of addresses that depend on a value, which has just been bound.
    pub(super) fn compute_row_addresses(&mut self, value: Value) {
        for wanted in self.row_addresses.wanted.remove(&value).unwrap_or_default() {
            let register = match &wanted {
                Wanted::Offset(value, bytes) => self.row(Operand::Value(*value), *bytes),
                Wanted::Pointer(memory, terms) => self.pointer(*memory, terms),
            };
            self.row_addresses.computed.insert(wanted, register);
        }
    }

    /// The address of the row at the sum of these positions.
    fn pointer(&mut self, memory: Memory, terms: &BTreeSet<Value>) -> VReg {
        let terms: Vec<VReg> = terms.iter().map(|&term| self.known_term(term)).collect();
        let add = |sum, &term: &VReg| self.function.update(Op::Add, Size::G64, sum, Some(term.into()), 0);
        let sum = terms[1..].iter().fold(terms[0], add);
        let offset = self.times_row(sum, self.strip.memories[memory].elem.bytes());
        let place = match self.memories[&memory] {
            Base::Lanes(base) => machine::Memory {
                address: Address::Register { scale: Some(0), displacement: 0 },
                registers: vec![base, offset],
            },
            Base::Frame(displacement) => machine::Memory {
                address: Address::Frame { scale: Some(0), displacement },
                registers: vec![offset],
            },
            Base::Block(_) => unreachable!("an interleaved array"),
        };
        self.general(Op::Lea, Size::G64, Source::Memory(place))
    }

    /// The register of a term, which may be bound later but is known now.
    fn known_term(&mut self, term: Value) -> VReg {
        if !self.values.contains_key(&term)
            && let Some(&(op, a, b)) = self.row_addresses.arithmetic.get(&term)
        {
            let [a, b] = [a, b].map(|operand| match operand {
                Operand::Value(value) => self.known_term(value),
                Operand::Const(_) => self.general_of(operand),
            });
            let op = match op {
                BinOp::Add => Op::Add,
                BinOp::Sub => Op::Sub,
                _ => Op::Imul,
            };
            return self.function.update(op, Size::G64, a, Some(b.into()), 0);
        }
        self.general_of(Operand::Value(term))
    }

    /// Where the row at a position lies, by its parts, if they have been computed.
    pub(super) fn row_by_parts(&self, memory: Memory, position: Operand) -> Option<machine::Memory> {
        let Terms { outside, inside, more } = self.row_addresses.terms.get(&(memory, position.value()?))?;
        let bytes = self.strip.memories[memory].elem.bytes();
        let pointer = *self.row_addresses.computed.get(&Wanted::Pointer(memory, outside.clone()))?;
        let offset = *self.row_addresses.computed.get(&Wanted::Offset(*inside, bytes))?;
        let row = (self.lanes * bytes) as i64;
        let displacement = more.checked_mul(row).and_then(|far| i32::try_from(far).ok())?;
        displacement.checked_add(4096)?;
        let address = Address::Register { scale: Some(0), displacement };
        Some(machine::Memory { address, registers: vec![pointer, offset] })
    }

    /// The bytes before an element of interleaved arrays, given its position in each.
    pub(super) fn row(&mut self, at: Operand, bytes: usize) -> VReg {
        let at = self.general_of(at);
        self.times_row(at, bytes)
    }

    fn times_row(&mut self, at: VReg, bytes: usize) -> VReg {
        self.function.define(Op::ImulImm, Size::G64, RegClass::Int, &[], at, (self.lanes * bytes) as i32)
    }
}
