//! f16, which no machine is asked to compute in: operands are widened to f32, results rounded to f16.
//!
//! A value of type f16 is held as its 16 bits. Both ways are arithmetic on the bits of the wide
//! format, in which the exponent is biased by more than f16's 15.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as ClifType, Value};

use crate::emitter::Emitter;

/// Bits of the fraction of an f16.
const FRACTION: u32 = 10;

/// A wide format.
struct Wide {
    float: ClifType,
    bits: ClifType,
    fraction: u32,
    bias: u64,
}

const SINGLE: Wide = Wide { float: F32, bits: I32, fraction: 23, bias: 127 };
const DOUBLE: Wide = Wide { float: F64, bits: I64, fraction: 52, bias: 1023 };

impl Wide {
    /// The bits of two to the power of `exponent`.
    fn power(&self, exponent: i64) -> u64 {
        self.bias.wrapping_add_signed(exponent) << self.fraction
    }
}

impl Emitter<'_, '_> {
    /// An f16 as an f32: its bits put in place are the number divided by 2^112, subnormal or not.
    pub fn widen_half(&mut self, a: Value) -> Value {
        let wide = self.builder.ins().uextend(I32, a);
        let magnitude = self.builder.ins().band_imm_u(wide, 0x7fff);
        let sign = self.builder.ins().bxor(wide, magnitude);
        let sign = self.builder.ins().ishl_imm_u(sign, 16);
        let placed = self.builder.ins().ishl_imm_u(magnitude, i64::from(SINGLE.fraction - FRACTION));
        let small = self.builder.ins().bitcast(F32, MemFlagsData::new(), placed);
        let factor = self.builder.ins().f32const(f32::from_bits(SINGLE.power(112) as u32));
        let number = self.builder.ins().fmul(small, factor);
        let number = self.builder.ins().bitcast(I32, MemFlagsData::new(), number);
        let infinite = self.builder.ins().bor_imm_u(placed, SINGLE.power(128) as i64);
        let is_infinite = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, magnitude, 0x7c00);
        let bits = self.builder.ins().select(is_infinite, infinite, number);
        let bits = self.builder.ins().bor(bits, sign);
        self.builder.ins().bitcast(F32, MemFlagsData::new(), bits)
    }

    /// An f32 or f64 as the nearest f16, ties to even.
    pub fn round_to_half(&mut self, a: Value) -> Value {
        let wide = if self.builder.func.dfg.value_type(a) == F32 { SINGLE } else { DOUBLE };
        let word = |this: &mut Self, bits: u64| this.word(wide.bits, bits);
        let dropped = wide.fraction - FRACTION;

        let bits = self.builder.ins().bitcast(wide.bits, MemFlagsData::new(), a);
        let sign_bit = word(self, 1 << (wide.bits.bits() - 1));
        let sign = self.builder.ins().band(bits, sign_bit);
        let magnitude = self.builder.ins().bxor(bits, sign);

        // Half a unit is added, less one bit unless the last digit is odd; a carry goes into the exponent.
        let last = self.builder.ins().ushr_imm_u(magnitude, i64::from(dropped));
        let odd = self.builder.ins().band_imm_u(last, 1);
        let shifted_bias = wide.power(-15).wrapping_neg().wrapping_add((1 << (dropped - 1)) - 1);
        let shifted_bias = word(self, shifted_bias);
        let rounded = self.builder.ins().iadd(magnitude, shifted_bias);
        let rounded = self.builder.ins().iadd(rounded, odd);
        let normal = self.builder.ins().ushr_imm_u(rounded, i64::from(dropped));

        // Next to this power the last digit is that of a subnormal f16, so that the sum is rounded there.
        let power = wide.power(i64::from(dropped) - 14);
        let power = word(self, power);
        let addend = self.builder.ins().bitcast(wide.float, MemFlagsData::new(), power);
        let number = self.builder.ins().bitcast(wide.float, MemFlagsData::new(), magnitude);
        let sum = self.builder.ins().fadd(number, addend);
        let sum = self.builder.ins().bitcast(wide.bits, MemFlagsData::new(), sum);
        let subnormal = self.builder.ins().isub(sum, power);

        let infinity = word(self, wide.power(wide.bias as i64 + 1));
        let is_nan = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, magnitude, infinity);
        let (quiet_nan, infinite) = (word(self, 0x7e00), word(self, 0x7c00));
        let beyond = self.builder.ins().select(is_nan, quiet_nan, infinite);

        let (least_normal, above) = (word(self, wide.power(-14)), word(self, wide.power(16)));
        let is_small = self.builder.ins().icmp(IntCC::UnsignedLessThan, magnitude, least_normal);
        let is_large = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, magnitude, above);
        let result = self.builder.ins().select(is_small, subnormal, normal);
        let result = self.builder.ins().select(is_large, beyond, result);
        let sign = self.builder.ins().ushr_imm_u(sign, i64::from(wide.bits.bits() - 16));
        let result = self.builder.ins().bor(result, sign);
        self.builder.ins().ireduce(I16, result)
    }
}
