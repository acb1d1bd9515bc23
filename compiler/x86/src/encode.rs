//! The encoder: bytes from an instruction, its registers and its address.

use crate::instruction::{Evex, Form, Immediate, InMemory, Map, Op, Prefix, Row, Wide};

/// The number of a general, vector or mask register.
pub(crate) type Number = u8;

/// The size of the registers of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Size {
    /// General registers of 32 bits.
    G32,
    /// General registers of 64 bits.
    G64,
    /// Vectors of 128 bits.
    X,
    /// Vectors of 256 bits.
    Y,
    /// Vectors of 512 bits.
    Z,
}

impl Size {
    /// The bytes of a register.
    pub const fn bytes(self) -> usize {
        match self {
            Size::G32 => 4,
            Size::G64 => 8,
            Size::X => 16,
            Size::Y => 32,
            Size::Z => 64,
        }
    }

    /// The size of half of a vector.
    pub fn half(self) -> Size {
        if self == Size::Z { Size::Y } else { Size::X }
    }
}

/// A register or an address, as the operand `rm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rm {
    Register(Number),
    Memory(Address),
}

/// An address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// `base + index * 2^scale + displacement`. The index of a gather is a vector register.
    Register { base: Number, index: Option<(Number, u8)>, displacement: i32 },
    /// This number of bytes after the beginning of the constants.
    Constant(usize),
}

/// An instruction with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegisterInstruction {
    pub op: Op,
    pub size: Size,
    /// The operand in `reg`.
    pub reg: Number,
    /// The operand in `vvvv`.
    pub second: Number,
    /// The operand in `is4`.
    pub fourth: Number,
    /// The mask register of the lanes that take part; 0: all lanes.
    pub mask: Number,
    pub rm: Rm,
    pub immediate: i32,
}

/// The code under construction.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    /// The bytes so far.
    pub bytes: Vec<u8>,
    /// The places of displacements to constants: the place of four bytes, the end of the instruction, the constant.
    constants: Vec<(usize, usize, usize)>,
    /// The places of displacements to labels.
    jumps: Vec<(usize, usize)>,
}

impl Assembler {
    /// Appends an instruction.
    pub fn push(&mut self, encoded: &RegisterInstruction) {
        let row = encoded.op.row();
        let mut encoded = *encoded;
        if let Form::M(extension) | Form::Vm(extension) = row.form {
            encoded.reg = extension;
        }
        let mut unit = 1;
        match row.vex {
            Wide::No => self.general_prefix(&row, &encoded),
            wide if wide != Wide::Evex && is_short(&encoded) => self.vex(&row, &encoded, wide == Wide::W1),
            _ => {
                let evex = row.evex.expect("only EVEX has registers above 15 and of 512 bits");
                self.evex(&row, &encoded, evex);
                unit = memory_bytes(evex.memory, encoded.size);
            }
        }
        self.bytes.push(row.opcode);
        let displacement = self.operands(&encoded, unit);
        match row.immediate {
            Immediate::None if row.form == Form::Rvmr => self.bytes.push(encoded.fourth << 4),
            Immediate::None => {}
            Immediate::Byte => self.bytes.push(encoded.immediate as u8),
            Immediate::Word => self.bytes.extend(encoded.immediate.to_le_bytes()),
        }
        if let (Some(place), Rm::Memory(Address::Constant(constant))) = (displacement, encoded.rm) {
            self.constants.push((place, self.bytes.len(), constant));
        }
    }

    /// Appends a jump to a label. The opcode takes a displacement of four bytes.
    pub fn jump(&mut self, opcode: &[u8], label: usize) {
        self.bytes.extend(opcode);
        self.jumps.push((self.bytes.len(), label));
        self.bytes.extend([0; 4]);
    }

    /// Sets the displacements, given the places of the labels. Appends the constants.
    pub fn finish(mut self, labels: &[usize], constants: &[u8], alignment: usize) -> Vec<u8> {
        for &(place, label) in &self.jumps {
            set_displacement(&mut self.bytes, place, place + 4, labels[label]);
        }
        if !constants.is_empty() {
            self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
        }
        let start = self.bytes.len();
        for &(place, end, constant) in &self.constants {
            set_displacement(&mut self.bytes, place, end, start + constant);
        }
        self.bytes.extend(constants);
        self.bytes
    }

    fn general_prefix(&mut self, row: &Row, encoded: &RegisterInstruction) {
        if row.prefix == Prefix::P66 {
            self.bytes.push(0x66);
        }
        let (x, b) = high_bits(encoded.rm);
        let wide = encoded.size == Size::G64;
        let rex = 0x40 | u8::from(wide) << 3 | (encoded.reg >> 3) << 2 | x << 1 | b;
        // Without REX, four numbers name the upper bytes of other registers.
        let is_byte =
            matches!(encoded.op, Op::Setb | Op::Setbe | Op::Sete | Op::Setne | Op::Setl | Op::Setle);
        if rex != 0x40 || is_byte || matches!(encoded.op, Op::Movzx | Op::MovByteStore) {
            self.bytes.push(rex);
        }
        if row.map == Map::M0f {
            self.bytes.push(0x0f);
        }
    }

    fn vex(&mut self, row: &Row, encoded: &RegisterInstruction, wide: bool) {
        let (x, b) = high_bits(encoded.rm);
        let last = (!encoded.second & 15) << 3 | u8::from(encoded.size == Size::Y) << 2 | row.prefix as u8;
        let r = (encoded.reg >> 3 & 1) ^ 1;
        if row.map == Map::M0f && x == 0 && b == 0 && !wide {
            self.bytes.extend([0xc5, r << 7 | last]);
        } else {
            let first = r << 7 | (x ^ 1) << 6 | (b ^ 1) << 5 | row.map as u8;
            self.bytes.extend([0xc4, first, u8::from(wide) << 7 | last]);
        }
    }

    fn evex(&mut self, row: &Row, encoded: &RegisterInstruction, evex: Evex) {
        let (mut x, b) = high_bits(encoded.rm);
        let mut second = encoded.second;
        match encoded.rm {
            Rm::Register(number) => x = number >> 4,
            // The fifth bit of the index of a gather takes the place of that of the second operand.
            Rm::Memory(Address::Register { index: Some((index, _)), .. }) if row.form == Form::Rmk => {
                second = index & 16;
            }
            Rm::Memory(_) => {}
        }
        let bits = (encoded.reg & 8) << 4 | x << 6 | b << 5 | (encoded.reg & 16);
        let zeroing = matches!(row.form, Form::Rkm | Form::Mzr);
        self.bytes.extend([
            0x62,
            bits ^ 0xf0 | row.map as u8,
            u8::from(evex.wide) << 7 | (!second & 15) << 3 | 4 | row.prefix as u8,
            u8::from(zeroing) << 7
                | u8::from(encoded.size == Size::Z) << 6
                | u8::from(encoded.size == Size::Y) << 5
                | (!second & 16) >> 1
                | encoded.mask,
        ]);
    }

    /// Appends `reg`, `rm` and the address. A displacement of one byte counts units of so many bytes. Returns the place of a
    /// displacement to a constant.
    fn operands(&mut self, encoded: &RegisterInstruction, unit: i32) -> Option<usize> {
        let reg = (encoded.reg & 7) << 3;
        let (base, index, displacement) = match encoded.rm {
            Rm::Register(number) => {
                self.bytes.push(0xc0 | reg | number & 7);
                return None;
            }
            Rm::Memory(Address::Constant(_)) => {
                self.bytes.push(reg | 5);
                let place = self.bytes.len();
                self.bytes.extend([0; 4]);
                return Some(place);
            }
            Rm::Memory(Address::Register { base, index, displacement }) => (base, index, displacement),
        };
        let short = i8::try_from(displacement / unit).ok().filter(|_| displacement % unit == 0);
        // Base 5 without a displacement would mean none.
        let mode = match (displacement, short) {
            (0, _) if base & 7 != 5 => 0,
            (_, Some(_)) => 0x40,
            _ => 0x80,
        };
        match index {
            Some((index, scale)) => {
                self.bytes.extend([mode | reg | 4, scale << 6 | (index & 7) << 3 | base & 7]);
            }
            // Base 4 means that such a byte follows; index 4 means none.
            None if base & 7 == 4 => self.bytes.extend([mode | reg | 4, 4 << 3 | 4]),
            None => self.bytes.push(mode | reg | base & 7),
        }
        match (mode, short) {
            (0, _) => {}
            (_, Some(short)) => self.bytes.push(short as u8),
            _ => self.bytes.extend(displacement.to_le_bytes()),
        }
        None
    }
}

/// The bytes of an operand in memory.
fn memory_bytes(memory: InMemory, size: Size) -> i32 {
    let vector = size.bytes() as i32;
    match memory {
        InMemory::Whole => vector,
        InMemory::Half => vector / 2,
        InMemory::Quarter => vector / 4,
        InMemory::Dword => 4,
        InMemory::Qword => 8,
        InMemory::Xword => 16,
    }
}

/// Whether VEX can name all registers: they have at most 256 bits, and are among the first 16.
fn is_short(encoded: &RegisterInstruction) -> bool {
    let of_rm = match encoded.rm {
        Rm::Register(number) => number,
        Rm::Memory(Address::Register { index: Some((index, _)), .. }) => index,
        Rm::Memory(_) => 0,
    };
    encoded.size != Size::Z && encoded.reg | encoded.second | of_rm < 16
}

/// Bit 3 of the index and of the base, or of the register.
fn high_bits(rm: Rm) -> (u8, u8) {
    match rm {
        Rm::Register(number) => (0, number >> 3 & 1),
        Rm::Memory(Address::Register { base, index, .. }) => {
            (index.map_or(0, |(index, _)| index >> 3 & 1), base >> 3)
        }
        Rm::Memory(Address::Constant(_)) => (0, 0),
    }
}

fn set_displacement(bytes: &mut [u8], place: usize, end: usize, target: usize) {
    let displacement = target as i32 - end as i32;
    bytes[place..place + 4].copy_from_slice(&displacement.to_le_bytes());
}

#[cfg(test)]
mod tests;
