//! The state of a strip: the strands that the lanes combine.
//!
//! If there are more strands than lanes, the registers form a queue of groups. A strip takes the first group and puts it
//! at the end. So the strands at the front are always those of the next strip.

use ravel_vector::Refusal;
use regalloc2::VReg;

use super::{Binding, Selector};
use crate::STRANDS;
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{Address, Function, Memory, Source};

/// The registers of a state: for each group, and for each value, the registers with the lanes.
pub(super) struct State(Vec<Vec<Vec<VReg>>>);

impl State {
    /// All registers.
    pub fn registers(&self) -> Vec<VReg> {
        self.0.concat().concat()
    }

    /// Takes new registers.
    pub fn refresh(&mut self, function: &mut Function) {
        let registers = self.0.iter_mut().flatten().flatten();
        registers.for_each(|register| *register = function.like(*register));
    }
}

impl Selector<'_> {
    /// The strands before the first strip.
    pub(super) fn load_state(&mut self, strands: usize, results: VReg) -> Result<State, Refusal> {
        let strip = self.strip;
        let types: Vec<_> = strip.state.iter().map(|&value| strip.values[value].ty).collect();
        if let Some(&small) = types.iter().find(|ty| ty.bytes() < 4) {
            return Err(Refusal::Type(small));
        }
        let groups = if types.is_empty() { 0 } else { strands / self.lanes };
        let mut load = |group: usize| {
            let value = |(number, &ty): (usize, &_)| {
                let (each, size) = (self.registers_of(ty), self.register_size(ty));
                let place = |register| STRANDS * number + size.bytes() * (group * each + register);
                let address =
                    |register| Address::Register { scale: None, displacement: place(register) as i32 };
                let registers = (0..each).map(|register| {
                    let memory = Memory { address: address(register), registers: vec![results] };
                    self.load_register(size, Source::Memory(memory))
                });
                registers.collect()
            };
            types.iter().enumerate().map(value).collect()
        };
        Ok(State((0..groups).map(&mut load).collect()))
    }

    /// Binds the values of the state for a strip.
    pub(super) fn bind_state(&mut self, state: &State) {
        let Some(first) = state.0.first() else { return };
        for (&value, registers) in self.strip.state.iter().zip(first) {
            self.values.insert(value, Binding::Lanes(registers.clone()));
        }
    }

    /// The registers of the state after a strip.
    pub(super) fn next_state(&mut self, state: &State) -> Vec<VReg> {
        let Some((_, others)) = state.0.split_first() else { return Vec::new() };
        let mut next = others.concat().concat();
        for &operand in &self.strip.body.result {
            next.extend(self.lanes_of(operand));
        }
        next
    }

    /// Stores the strands. The first group of the queue belongs to the lanes that begin at the point of the counter.
    pub(super) fn store_state(&mut self, state: &State, first: VReg, results: VReg) {
        let strip = self.strip;
        for (group, values) in state.0.iter().enumerate() {
            for (number, (registers, &value)) in values.iter().zip(&strip.state).enumerate() {
                let ty = strip.values[value].ty;
                let size = self.register_size(ty);
                let place = self.strand(group, state.0.len(), ty.bytes(), first);
                for (at, &register) in registers.iter().enumerate() {
                    let displacement = (STRANDS * number + size.bytes() * at) as i32;
                    let address = Address::Register { scale: place.map(|_| 0), displacement };
                    let registers = [results].into_iter().chain(place).collect();
                    let place = Source::Memory(Memory { address, registers });
                    self.function.perform(Op::VmovupsStore, size, &[register], Some(place), 0);
                }
            }
        }
    }

    /// The bytes before the strand with which a group begins; `None` if there is only one group.
    fn strand(&mut self, group: usize, groups: usize, bytes: usize, first: VReg) -> Option<VReg> {
        if groups == 1 {
            return None;
        }
        let done = self.function.update(Op::Sub, Size::G64, self.counter, Some(first.into()), 0);
        let begin = self.sum(done, (group * self.lanes) as i32);
        let last = (groups * self.lanes - 1) as i32;
        let strand = self.function.update(Op::AndImm, Size::G64, begin, None, last);
        let shift = bytes.trailing_zeros() as i32;
        Some(self.function.update(Op::Shl, Size::G64, strand, None, shift))
    }
}
