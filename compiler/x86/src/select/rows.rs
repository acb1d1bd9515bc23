//! Loads of lanes that are equally far from each other in shared memory.
//!
//! [`Selector::load_row`] loads four neighbouring elements of each lane as they lie in memory, and transposes them:
//!
//! ```text
//! load      a0 a1 a2 a3 | e0 e1 e2 e3     b0 b1 b2 b3 | f0 …     c0 …     d0 …     parts of 128 bits: lanes a to d, e to h
//! unpack    a0 b0 a1 b1 | e0 f0 e1 f1     c0 d0 c1 d1 | …        and the upper pairs
//! unpack    a0 b0 c0 d0 | e0 f0 g0 h0     a1 b1 c1 d1 | …        and the upper pairs
//! ```
//!
//! Lanes of 64 bits need the last step only. [`Selector::load_column`] loads one element of each lane. It inserts them into
//! registers one by one, which takes less time than a gather.

use ravel_vector::{Memory, Operand, ROW};
use regalloc2::{RegClass, VReg};

use super::Selector;
use super::access::offset_by;
use super::operator::sources;
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{self, Address, Source};

/// The lanes whose addresses are sums of one register and a multiple of the stride.
const GROUP: usize = 4;

/// The largest distance in bytes between lanes that addresses contain as a constant.
const FARTHEST: u32 = 1 << 16;

/// Where the first element of each lane lies.
struct Rows(Vec<machine::Memory>);

impl Rows {
    /// The place so many bytes after the first element of a lane.
    fn place(&self, lane: usize, bytes: usize) -> Source {
        Source::Memory(offset_by(&self.0[lane], bytes))
    }
}

impl Selector<'_> {
    /// The registers of each of four neighbouring elements.
    pub(super) fn load_row(&mut self, memory: Memory, first: Operand, step: Operand) -> [Vec<VReg>; ROW] {
        let bytes = self.strip.memories[memory].elem.bytes();
        let rows = self.rows(memory, first, step);
        let mut columns = [(); ROW].map(|()| Vec::new());
        let size = self.register_size(self.strip.memories[memory].elem);
        let (each, of_part) = (size.bytes() / bytes, Size::X.bytes() / bytes);
        for lane in (0..self.lanes).step_by(each) {
            let places = |row: usize, column: usize| {
                let place = |row| rows.place(lane + row, column * bytes);
                (row..each).step_by(of_part).map(place).collect()
            };
            let registers = if bytes == 8 {
                let halves = [0, 2].map(|column| {
                    let [low, high] = [0, 1].map(|row| self.joined_parts(size, places(row, column)));
                    self.unpack([Op::Vunpcklpd, Op::Vunpckhpd], low, high)
                });
                [halves[0][0], halves[0][1], halves[1][0], halves[1][1]]
            } else {
                let [a, b, c, d] = [0, 1, 2, 3].map(|row| self.joined_parts(size, places(row, 0)));
                let [ab, ab_upper] = self.unpack([Op::Vunpcklps, Op::Vunpckhps], a, b);
                let [cd, cd_upper] = self.unpack([Op::Vunpcklps, Op::Vunpckhps], c, d);
                let lower = self.unpack([Op::Vunpcklpd, Op::Vunpckhpd], ab, cd);
                let upper = self.unpack([Op::Vunpcklpd, Op::Vunpckhpd], ab_upper, cd_upper);
                [lower[0], lower[1], upper[0], upper[1]]
            };
            columns.iter_mut().zip(registers).for_each(|(column, register)| column.push(register));
        }
        columns
    }

    /// The registers of one element of each lane.
    pub(super) fn load_column(&mut self, memory: Memory, first: Operand, step: Operand) -> Vec<VReg> {
        let bytes = self.strip.memories[memory].elem.bytes();
        let rows = self.rows(memory, first, step);
        let size = self.register_size(self.strip.memories[memory].elem);
        let (each, of_part) = (size.bytes() / bytes, Size::X.bytes() / bytes);
        let mut registers = Vec::new();
        for lane in (0..self.lanes).step_by(each) {
            let part = |lane: usize| {
                if bytes == 8 {
                    let low = self.xmm(Op::Vmovsd, &[], rows.place(lane, 0), 0);
                    return self.xmm(Op::Vmovhps, &[low], rows.place(lane + 1, 0), 0);
                }
                let first = self.xmm(Op::Vmovss, &[], rows.place(lane, 0), 0);
                (1..of_part).fold(first, |register, number| {
                    self.xmm(Op::Vinsertps, &[register], rows.place(lane + number, 0), 16 * number as i32)
                })
            };
            let parts: Vec<VReg> = (lane..lane + each).step_by(of_part).map(part).collect();
            registers.push(self.joined_parts(size, sources(&parts)));
        }
        registers
    }

    /// A register of this size from parts of 128 bits.
    fn joined_parts(&mut self, size: Size, parts: Vec<Source>) -> VReg {
        let mut parts = parts.into_iter().enumerate();
        let (_, first) = parts.next().expect("a register has parts");
        let first = match first {
            Source::Register(register) => register,
            Source::Memory(_) => self.load_register(Size::X, first),
        };
        parts.fold(first, |joined, (number, part)| {
            self.function.define(Op::Vinsertf128, size, RegClass::Float, &[joined], part, number as i32)
        })
    }

    fn unpack(&mut self, ops: [Op; 2], a: VReg, b: VReg) -> [VReg; 2] {
        ops.map(|op| self.vector(op, &[a], b))
    }

    /// The places of the elements at `first`, `first + step` and so on.
    fn rows(&mut self, memory: Memory, first: Operand, step: Operand) -> Rows {
        let bytes = self.strip.memories[memory].elem.bytes();
        let first = Source::Memory(self.element(memory, first, bytes));
        let mut start = self.general(Op::Lea, Size::G64, first);
        if let Some(far) = displacement(step, bytes) {
            let place = |lane: usize| {
                let address = Address::Register { scale: None, displacement: lane as i32 * far };
                machine::Memory { address, registers: vec![start] }
            };
            return Rows((0..self.lanes).map(place).collect());
        }
        let [once, thrice] = self.stride(step, bytes);
        let mut places = Vec::new();
        for group in 0..self.lanes / GROUP {
            let place = |scale, register: Option<VReg>| machine::Memory {
                address: Address::Register { scale, displacement: 0 },
                registers: [start].into_iter().chain(register).collect(),
            };
            places.push(place(None, None));
            places.push(place(Some(0), Some(once)));
            places.push(place(Some(1), Some(once)));
            places.push(place(Some(0), Some(thrice)));
            if group + 1 < self.lanes / GROUP {
                let next = place(Some(2), Some(once));
                start = self.general(Op::Lea, Size::G64, Source::Memory(next));
            }
        }
        Rows(places)
    }

    /// The bytes of so many elements, and three times as many.
    fn stride(&mut self, step: Operand, bytes: usize) -> [VReg; 2] {
        let compute = |this: &mut Self| {
            let step = this.general_of(step);
            let once = this.function.update(Op::Shl, Size::G64, step, None, bytes.trailing_zeros() as i32);
            let address = Address::Register { scale: Some(1), displacement: 0 };
            let triple = machine::Memory { address, registers: vec![once, once] };
            [once, this.general(Op::Lea, Size::G64, Source::Memory(triple))]
        };
        let Some(value) = step.value().filter(|value| self.invariant.contains(value)) else {
            return compute(self);
        };
        if let Some(&known) = self.strides.get(&(value, bytes)) {
            return known;
        }
        let stride = self.in_preheader(compute);
        self.strides.insert((value, bytes), stride);
        stride
    }
}

/// The bytes of a constant number of elements, if it is so small that addresses can contain it.
fn displacement(step: Operand, bytes: usize) -> Option<i32> {
    let Operand::Const(step) = step else { return None };
    let far = step.as_i64()?.checked_mul(bytes as i64)?;
    i32::try_from(far).ok().filter(|far| far.unsigned_abs() <= FARTHEST)
}
