//! Totals of results: the results of the lanes are combined in order, as by a loop over the points.
//!
//! The lanes are taken out of their registers one by one. This takes less time than the operators, each of which waits for
//! the one before.

use ravel_prim::{BinOp, PrimType};
use ravel_vector::Refusal;
use regalloc2::VReg;

use super::Selector;
use crate::Results;
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{Address, Function, Memory, Source};

/// The totals. Each has the instruction that adds a result to it, its type and its register.
pub(super) struct Totals(Vec<(Op, PrimType, VReg)>);

impl Totals {
    pub fn registers(&self) -> Vec<VReg> {
        self.0.iter().map(|&(.., register)| register).collect()
    }

    /// Takes new registers.
    pub fn refresh(&mut self, function: &mut Function) {
        self.0.iter_mut().for_each(|(.., register)| *register = function.like(*register));
    }
}

impl Selector<'_> {
    /// The totals before the first strip.
    pub(super) fn load_totals(&mut self, outcome: Results<'_>, results: VReg) -> Result<Totals, Refusal> {
        let Results::Folded(operators) = outcome else { return Ok(Totals(Vec::new())) };
        let strip = self.strip;
        let mut totals = Vec::new();
        for (number, (&operator, &result)) in operators.iter().zip(&strip.body.result).enumerate() {
            let ty = strip.ty(result);
            let (op, load) = match (operator, ty) {
                (BinOp::Add, PrimType::F32) => (Op::Vaddss, Op::Vmovss),
                (BinOp::Add, PrimType::F64) => (Op::Vaddsd, Op::Vmovsd),
                (BinOp::Mul, PrimType::F32) => (Op::Vmulss, Op::Vmovss),
                (BinOp::Mul, PrimType::F64) => (Op::Vmulsd, Op::Vmovsd),
                _ => return Err(Refusal::Operator(operator.name())),
            };
            totals.push((op, ty, self.xmm(load, &[], total_at(number, results), 0)));
        }
        Ok(Totals(totals))
    }

    /// The totals after a strip.
    pub(super) fn next_totals(&mut self, totals: &Totals) -> Vec<VReg> {
        let strip = self.strip;
        let mut next = Vec::new();
        for (&(op, ty, total), &result) in totals.0.iter().zip(&strip.body.result) {
            let registers = self.lanes_of(result);
            let lanes: Vec<VReg> =
                registers.iter().flat_map(|&register| self.each_lane(ty, register)).collect();
            next.push(lanes.into_iter().fold(total, |total, lane| self.xmm(op, &[total], lane, 0)));
        }
        next
    }

    pub(super) fn store_totals(&mut self, totals: &Totals, results: VReg) {
        for (number, &(_, ty, total)) in totals.0.iter().enumerate() {
            let store = if ty == PrimType::F64 { Op::VmovsdStore } else { Op::VmovssStore };
            self.function.perform(store, Size::X, &[total], Some(total_at(number, results)), 0);
        }
    }

    /// The lanes of a register of floats, each as the first one of a register.
    fn each_lane(&mut self, ty: PrimType, register: VReg) -> Vec<VReg> {
        let (op, each) = if ty == PrimType::F64 { (Op::Vunpckhpd, 2) } else { (Op::Vshufps, 4) };
        let mut lanes = Vec::new();
        for number in 0..self.register_size(ty).bytes() / Size::X.bytes() {
            let part = self.part(register, number);
            lanes.push(part);
            // The immediate of the shuffle is the number of the lane that it moves to the front.
            lanes.extend((1..each).map(|lane| self.xmm(op, &[part], part, lane)));
        }
        lanes
    }
}

/// The memory of a total.
pub(super) fn total_at(number: usize, results: VReg) -> Source {
    let address = Address::Register { scale: None, displacement: 8 * number as i32 };
    Source::Memory(Memory { address, registers: vec![results] })
}
