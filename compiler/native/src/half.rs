//! f16 arithmetic: operands are widened to f32, and results are rounded to f16. Machine instructions for f16 are not
//! used.
//!
//! A value of type f16 is represented by its 16 bits. Both conversions compute on the bits of the wide format, whose
//! exponent bias is larger than the 15 of f16.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as ClifType, Value};

use crate::emitter::Emitter;

/// The number of fraction bits of an f16.
const FRACTION: u32 = 10;

/// A format wider than f16.
struct WideFormat {
    float: ClifType,
    bits: ClifType,
    fraction: u32,
    bias: u64,
}

const SINGLE: WideFormat = WideFormat { float: F32, bits: I32, fraction: 23, bias: 127 };
const DOUBLE: WideFormat = WideFormat { float: F64, bits: I64, fraction: 52, bias: 1023 };

impl WideFormat {
    /// The bits of 2^`exponent`.
    fn power(&self, exponent: i64) -> u64 {
        self.bias.wrapping_add_signed(exponent) << self.fraction
    }
}

impl Emitter<'_, '_> {
    /// Widens an f16 to an f32. The bits of the f16, shifted to the position of the f32's, are the number divided by
    /// 2^112. This holds for subnormal numbers too. So one multiplication is enough.
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

    /// Rounds an f32 or f64 to the nearest f16, ties to even.
    pub fn round_to_half(&mut self, a: Value) -> Value {
        let wide = if self.builder.func.dfg.value_type(a) == F32 { SINGLE } else { DOUBLE };
        let word = |this: &mut Self, bits: u64| this.word(wide.bits, bits);
        let dropped = wide.fraction - FRACTION;

        let bits = self.builder.ins().bitcast(wide.bits, MemFlagsData::new(), a);
        let sign_bit = word(self, 1 << (wide.bits.bits() - 1));
        let sign = self.builder.ins().band(bits, sign_bit);
        let magnitude = self.builder.ins().bxor(bits, sign);

        // Rounds to even: adds half a unit in the last place, minus one bit if the last kept bit is even. A carry
        // correctly increments the exponent.
        let last = self.builder.ins().ushr_imm_u(magnitude, i64::from(dropped));
        let odd = self.builder.ins().band_imm_u(last, 1);
        let shifted_bias = wide.power(-15).wrapping_neg().wrapping_add((1 << (dropped - 1)) - 1);
        let shifted_bias = word(self, shifted_bias);
        let rounded = self.builder.ins().iadd(magnitude, shifted_bias);
        let rounded = self.builder.ins().iadd(rounded, odd);
        let normal = self.builder.ins().ushr_imm_u(rounded, i64::from(dropped));

        // The last bit of this power of two has the weight of the last bit of a subnormal f16. So the addition rounds
        // at that bit.
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
