//! Prefixes of lanes, and what a scan carries from strip to strip.
//!
//! Within a register, lanes are combined with those one, two, four and eight places before them. The lanes that have none so far
//! before them get the neutral element.

use ravel_prim::{BinOp, PrimType};
use ravel_vector::{Operand, Refusal};
use regalloc2::{RegClass, VReg};

use super::fold::total_at;
use super::operator::choose;
use super::{Binding, Selector, general_size};
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::Source;

impl Selector<'_> {
    /// What the points before the first strip combine to.
    pub(super) fn load_carry(&mut self, results: VReg) -> Vec<VReg> {
        let strip = self.strip;
        let mut carry = Vec::new();
        for (number, &value) in strip.carry.iter().enumerate() {
            let size = general_size(strip.values[value].ty);
            carry.push(self.general(Op::Mov, size, total_at(number, results)));
        }
        carry
    }

    /// Binds what the points before a strip combine to.
    pub(super) fn bind_carry(&mut self, carry: &[VReg]) {
        for (&value, &register) in self.strip.carry.iter().zip(carry) {
            self.values.insert(value, Binding::General(register));
        }
    }

    /// What the points up to the last one of a strip combine to.
    pub(super) fn next_carry(&mut self) -> Vec<VReg> {
        let strip = self.strip;
        strip.carry.iter().zip(&strip.body.result).map(|(_, &result)| self.general_of(result)).collect()
    }

    pub(super) fn store_carry(&mut self, carry: &[VReg], results: VReg) {
        let strip = self.strip;
        for (number, (&value, &register)) in strip.carry.iter().zip(carry).enumerate() {
            let size = general_size(strip.values[value].ty);
            self.function.perform(Op::MovStore, size, &[register], Some(total_at(number, results)), 0);
        }
    }

    /// In each lane, what the operator combines the lanes up to it to.
    pub(super) fn prefixes(&mut self, op: BinOp, operand: Operand) -> Result<Vec<VReg>, Refusal> {
        let ty = self.strip.ty(operand);
        let neutral = self.broadcast_constant(ty.bytes(), neutral(op, ty));
        let each = self.register_size(ty).bytes() / ty.bytes();
        let mut all: Vec<VReg> = Vec::new();
        for register in self.lanes_of(operand) {
            let mut prefixes = register;
            let mut places = 1;
            while places < each {
                let before = self.move_up(ty, prefixes, places, &neutral);
                prefixes = self.arithmetic(op, ty, &[before], vec![prefixes.into()])?[0];
                places *= 2;
            }
            if let Some(&last) = all.last() {
                let last = self.repeat_last(ty, last);
                prefixes = self.arithmetic(op, ty, &[last], vec![prefixes.into()])?[0];
            }
            all.push(prefixes);
        }
        Ok(all)
    }

    /// Moves lanes to higher places of a register. The lowest ones get the neutral element.
    fn move_up(&mut self, ty: PrimType, register: VReg, places: usize, neutral: &Source) -> VReg {
        let size = self.register_size(ty);
        if self.has_avx512() {
            let (op, each) = (choose(ty, Op::Valignd, Op::Valignq), size.bytes() / ty.bytes());
            let places = (each - places) as i32;
            return self.function.define(op, size, RegClass::Float, &[register], neutral.clone(), places);
        }
        // In words of 32 bits, of which a lane has one or two.
        let words = places * ty.bytes() / 4;
        let from = self.words(|word| word.saturating_sub(words as u32));
        let moved = self.sized(Op::Vpermd, size, &[from], register);
        self.vector_with(Op::Vpblendd, &[moved], neutral.clone(), (1 << words) - 1)
    }

    /// The last lane of a register in all lanes, with AVX2: where there is AVX-512, one register has all lanes.
    fn repeat_last(&mut self, ty: PrimType, register: VReg) -> VReg {
        let last = if ty.bytes() == 8 { 6 } else { 7 };
        let from = self.words(|word| last | word & 1);
        self.sized(Op::Vpermd, Size::Y, &[from], register)
    }

    /// A register of eight words of 32 bits.
    fn words(&mut self, word: impl Fn(u32) -> u32) -> VReg {
        let bytes: Vec<u8> = (0..8).flat_map(|number| word(number).to_le_bytes()).collect();
        let words = self.pool(&bytes);
        self.sized(Op::Vmovups, Size::Y, &[], words)
    }
}

/// The bits of the neutral element of an operator on integers.
fn neutral(op: BinOp, ty: PrimType) -> u64 {
    let ones = u64::MAX >> (64 - ty.bits());
    match (op, ty.is_signed()) {
        (BinOp::And, _) | (BinOp::Min, false) => ones,
        (BinOp::Min, true) => ones >> 1,
        (BinOp::Max, true) => (ones >> 1) + 1,
        _ => 0,
    }
}
