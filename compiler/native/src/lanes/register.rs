//! Registers of 128 bits: the layout of lanes in them, and the conversion of scalars and masks to lanes and back.

use cranelift_codegen::ir::types::{F32X4, F64X2, I8, I8X16, I32X4, I64X2};
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Type as ClifType, Value as Clif};
use ravel_prim::PrimType;

use super::Lanes;
use crate::emitter::Emitter;

/// The bytes of the lower half of a register, taken from the low and then the high register of a pair: every even
/// group of four bytes.
const EVEN_WORDS: [u8; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
/// The lower halves of two registers.
const LOWER_HALVES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
/// The upper halves of two registers.
const UPPER_HALVES: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];
/// The lower words of two registers in turn.
const LOWER_WORDS: [u8; 16] = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
/// The upper words of two registers in turn.
const UPPER_WORDS: [u8; 16] = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
/// The upper half of a register, twice.
const UPPER_HALF: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

impl Lanes<'_> {
    /// The type of a register with lanes of this type.
    pub(super) fn register_type(&self, ty: PrimType) -> ClifType {
        match ty {
            PrimType::F64 => F64X2,
            PrimType::F32 => F32X4,
            PrimType::I64 | PrimType::U64 => I64X2,
            PrimType::I32 | PrimType::U32 => I32X4,
            PrimType::Bool => self.mask,
            _ => unreachable!("refused: no vectors of this type"),
        }
    }

    /// The number of registers of a varying value.
    pub(super) fn registers_of(&self, ty: PrimType) -> usize {
        self.lanes / self.register_type(ty).lane_count() as usize
    }

    /// The same scalar in all lanes.
    pub(super) fn splat(&self, emitter: &mut Emitter<'_, '_>, ty: PrimType, scalar: Clif) -> Vec<Clif> {
        let register_type = self.register_type(ty);
        let scalar = match ty {
            PrimType::Bool => self.mask_word(emitter, scalar),
            _ => scalar,
        };
        let register = emitter.builder.ins().splat(register_type, scalar);
        vec![register; self.registers_of(ty)]
    }

    /// The scalar of one lane.
    pub(super) fn extract(
        &self,
        emitter: &mut Emitter<'_, '_>,
        ty: PrimType,
        registers: &[Clif],
        lane: usize,
    ) -> Clif {
        let each = self.lanes / registers.len();
        let scalar = emitter.builder.ins().extractlane(registers[lane / each], (lane % each) as u8);
        match ty {
            PrimType::Bool => {
                let low = emitter.builder.ins().ireduce(I8, scalar);
                emitter.builder.ins().band_imm_u(low, 1)
            }
            _ => scalar,
        }
    }

    /// Registers with these scalars in their lanes.
    pub(super) fn build(&self, emitter: &mut Emitter<'_, '_>, ty: PrimType, scalars: &[Clif]) -> Vec<Clif> {
        let register_type = self.register_type(ty);
        let words: Vec<Clif> = match ty {
            PrimType::Bool => scalars.iter().map(|&scalar| self.mask_word(emitter, scalar)).collect(),
            _ => scalars.to_vec(),
        };
        let register = |group: &[Clif]| {
            let first = emitter.builder.ins().scalar_to_vector(register_type, group[0]);
            let insert = |register, (lane, &word): (usize, &Clif)| {
                emitter.builder.ins().insertlane(register, word, lane as u8)
            };
            group.iter().enumerate().skip(1).fold(first, insert)
        };
        words.chunks(register_type.lane_count() as usize).map(register).collect()
    }

    /// A scalar bool as a lane of a mask.
    fn mask_word(&self, emitter: &mut Emitter<'_, '_>, scalar: Clif) -> Clif {
        let wide = emitter.builder.ins().uextend(self.mask.lane_type(), scalar);
        emitter.builder.ins().ineg(wide)
    }

    /// Converts a mask of the strip to lanes as wide as `ty`.
    pub(super) fn mask_for(&self, emitter: &mut Emitter<'_, '_>, mask: &[Clif], ty: PrimType) -> Vec<Clif> {
        let wanted = self.register_type(ty).as_int();
        match (self.mask, wanted) {
            (I64X2, I32X4) => self.narrow(emitter, mask),
            _ => mask.to_vec(),
        }
    }

    /// Converts a mask to the lane width of the strip's masks.
    pub(super) fn mask_from(&self, emitter: &mut Emitter<'_, '_>, registers: Vec<Clif>) -> Vec<Clif> {
        let given = emitter.builder.func.dfg.value_type(registers[0]);
        if given == I32X4 && self.mask == I64X2 { self.widen(emitter, &registers, true) } else { registers }
    }

    /// Lanes of 32 bits as lanes of 64 bits.
    pub(super) fn widen(&self, emitter: &mut Emitter<'_, '_>, registers: &[Clif], signed: bool) -> Vec<Clif> {
        let mut wide = Vec::new();
        for &register in registers {
            let ins = |emitter: &mut Emitter<'_, '_>, high: bool| match (signed, high) {
                (true, false) => emitter.builder.ins().swiden_low(register),
                (true, true) => emitter.builder.ins().swiden_high(register),
                (false, false) => emitter.builder.ins().uwiden_low(register),
                (false, true) => emitter.builder.ins().uwiden_high(register),
            };
            wide.push(ins(emitter, false));
            wide.push(ins(emitter, true));
        }
        wide
    }

    /// The low halves of lanes of 64 bits.
    pub(super) fn narrow(&self, emitter: &mut Emitter<'_, '_>, registers: &[Clif]) -> Vec<Clif> {
        registers.chunks(2).map(|pair| self.shuffle(emitter, pair[0], pair[1], EVEN_WORDS, I32X4)).collect()
    }

    /// A register with the lower halves of two others.
    pub(super) fn lower_halves(
        &self,
        emitter: &mut Emitter<'_, '_>,
        low: Clif,
        high: Clif,
        ty: ClifType,
    ) -> Clif {
        self.shuffle(emitter, low, high, LOWER_HALVES, ty)
    }

    /// A register whose lower half is the upper half of another one.
    pub(super) fn upper_half(&self, emitter: &mut Emitter<'_, '_>, register: Clif) -> Clif {
        let ty = emitter.builder.func.dfg.value_type(register);
        self.shuffle(emitter, register, register, UPPER_HALF, ty)
    }

    /// The columns of a square whose rows are two registers of 64-bit lanes or four of 32-bit lanes.
    pub(super) fn transpose(&self, emitter: &mut Emitter<'_, '_>, rows: Vec<Clif>) -> Vec<Clif> {
        let ty = emitter.builder.func.dfg.value_type(rows[0]);
        let mut pairs = |a: Clif, b: Clif, bytes: [[u8; 16]; 2]| {
            bytes.map(|bytes| self.shuffle(emitter, a, b, bytes, ty))
        };
        let halves = [LOWER_HALVES, UPPER_HALVES];
        let [a, b, c, d] = rows[..] else { return pairs(rows[0], rows[1], halves).to_vec() };
        let words = [LOWER_WORDS, UPPER_WORDS];
        let ([ab, ab_upper], [cd, cd_upper]) = (pairs(a, b, words), pairs(c, d, words));
        [pairs(ab, cd, halves), pairs(ab_upper, cd_upper, halves)].concat()
    }

    fn shuffle(
        &self,
        emitter: &mut Emitter<'_, '_>,
        low: Clif,
        high: Clif,
        bytes: [u8; 16],
        ty: ClifType,
    ) -> Clif {
        let (low, high) = (self.cast(emitter, low, I8X16), self.cast(emitter, high, I8X16));
        let bytes = emitter.builder.func.dfg.immediates.push(bytes.as_slice().into());
        let shuffled = emitter.builder.ins().shuffle(low, high, bytes);
        self.cast(emitter, shuffled, ty)
    }

    /// The same bits as another type.
    pub(super) fn cast(&self, emitter: &mut Emitter<'_, '_>, value: Clif, ty: ClifType) -> Clif {
        if emitter.builder.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        emitter.builder.ins().bitcast(ty, flags, value)
    }

    /// Whether a mask is true in any lane: a bool.
    pub(super) fn any(&self, emitter: &mut Emitter<'_, '_>, mask: &[Clif]) -> Clif {
        let all = mask.iter().copied().reduce(|a, b| emitter.builder.ins().bor(a, b));
        let all = all.expect("a mask has registers");
        emitter.builder.ins().vany_true(all)
    }
}
