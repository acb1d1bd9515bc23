//! Powers, roots and the length of the hypotenuse.

use super::error_free::{head, polynomial, product};
use super::exponential::{exp_sum, ordinary_exp_sum};
use super::logarithm::{is_normal, log_pair, ordinary_log_pair};
use super::real::{Bits, OrdinaryValue, Real};

/// The cube root of a number from 1 to 8, with a relative error of less than 2^-7.
const CUBE_ROOT: [f64; 4] =
    [0.6816837007039461, 0.36452837155736456, -0.043310177670792635, 0.0023132244842135343];

/// The power: `exp (y * log x)`, where the logarithm and the product are sums of two numbers.
#[inline(always)]
pub fn pow<R: Real>(x: R, y: R) -> R {
    let (log, log_rest) = log_pair(x.abs());
    // A greater exponent makes no difference, unless the logarithm is 0.
    let y_most = R::pick(36_893_488_147_419_103_232.0, 8_589_934_592.0);
    let y_near = R::select(y_most.less(y), y_most, R::select(y.less(-y_most), -y_most, y));
    let (exponent, error) = product(log, y_near);
    let more = error + log_rest * y_near;
    let is_near = exponent.abs().less(R::pick(1000.0, 200.0));
    let size = exp_sum(exponent, R::select(is_near, more, R::number(0.0)));
    with_exceptions(x, y, size)
}

/// [`pow`] of a positive base, if neither the base nor the result is subnormal or infinite.
#[inline(always)]
pub fn ordinary_pow<R: Real>(x: R, y: R) -> OrdinaryValue<R> {
    let OrdinaryValue { applies, value: (log, log_rest) } = ordinary_log_pair(x);
    let (exponent, error) = product(log, y);
    let power = ordinary_exp_sum(exponent, error + log_rest * y);
    OrdinaryValue { applies: applies & power.applies, value: power.value }
}

/// The power of two numbers, given the one that holds for finite positive ones.
#[inline(always)]
fn with_exceptions<R: Real>(x: R, y: R, size: R) -> R {
    let [zero, half, one, infinity] = [0.0, 0.5, 1.0, f64::INFINITY].map(R::number);
    let (x_size, y_size) = (x.abs(), y.abs());
    // An f64 of 2^52 or more has no fraction, and one of 2^53 or more is even; an f32 of 2^23, and of 2^24.
    let shift = R::pick(4_503_599_627_370_496.0, 8_388_608.0);
    let is_whole = |number: R| ((number + shift) - shift).equals(number);
    let y_is_whole = !y_size.less(shift) | is_whole(y_size);
    let y_is_odd = y_is_whole & y_size.less(shift + shift) & !is_whole(y_size * half);
    let y_is_negative = y.less(zero);
    let at_zero = R::select(y_is_negative, infinity, zero);
    let size = R::select(x_size.equals(zero), at_zero, size);
    let at_infinity = R::select(y_is_negative, zero, infinity);
    let size = R::select(x_size.equals(infinity), at_infinity, size);
    let signed = R::select(y_is_odd, size.with_sign_of(x), size);
    let is_no_number = x.less(zero) & !y_is_whole & x_size.less(infinity);
    let result = R::select(is_no_number, R::number(f64::NAN), signed);
    let result = R::select(x.is_nan() | y.is_nan(), x + y, result);
    R::select(x.equals(one) | y.equals(zero), one, result)
}

/// The cube root.
#[inline(always)]
pub fn cbrt<R: Real>(x: R) -> R {
    let size = x.abs();
    let is_small = size.less(R::pick(f64::MIN_POSITIVE, f32::MIN_POSITIVE.into()));
    let scaled = R::select(is_small, size * R::pick(18_014_398_509_481_984.0, 16_777_216.0), size);
    let root = normal_cbrt(scaled, lift_bits::<R>(is_small));
    let root = R::select(size.less(R::number(f64::INFINITY)), root.with_sign_of(x), x);
    R::select(size.equals(R::number(0.0)), x, root)
}

/// [`cbrt`] of normal numbers.
#[inline(always)]
pub fn ordinary_cbrt<R: Real>(x: R) -> OrdinaryValue<R> {
    let size = x.abs();
    let root = normal_cbrt(size, R::Bits::number(0));
    OrdinaryValue { applies: is_normal(size), value: root.with_sign_of(x) }
}

/// The cube root of a positive normal number, divided by two to the power of `lift`.
#[inline(always)]
fn normal_cbrt<R: Real>(size: R, lift: R::Bits) -> R {
    let bits = size.to_bits();
    let number = R::Bits::number;
    // The bias of the exponent plus `more` is a multiple of three, `3 * third_of_bias`.
    let (digits, bias, more, third_of_bias) =
        if R::IS_SINGLE { (23, 127, 2, 43) } else { (52, 1023, 0, 341) };
    // A third of the exponent and `more`, rounded down, as the low bits of a number.
    let base = R::pick(4_503_599_627_370_496.0, 8_388_608.0);
    let exponent = R::from_bits(bits.shift_right(digits) | base.to_bits()) - base;
    let third = (exponent + R::pick(-1.0, 1.0)) * R::number(1.0 / 3.0);
    let third = (third + base).to_bits() & number(0xfff);
    // The number is a power of eight times one from 1 to 8.
    let near = R::from_bits(
        bits - (third + third.shift_left(1)).shift_left(digits) + number((bias + more) << digits),
    );
    let power = R::from_bits((third + number(bias - third_of_bias) - lift).shift_left(digits));
    let two = R::number(2.0);
    let root = polynomial(near, &CUBE_ROOT);
    // Two steps of Halley's method. Before the last, the root has 26 bits, so that its square is exact.
    let cube = root * root * root;
    let root = head(root * (cube + two * near) / (two * cube + near));
    let other = near / (root * root);
    let root = root + root * ((other - root) / (root + root + other));
    root * power
}

/// The number to subtract from the exponent of the cube root of a number that was multiplied by 2^54, or by 2^24 in f32:
/// 18, or 8; otherwise 0.
#[inline(always)]
fn lift_bits<R: Real>(is_small: R::Truth) -> R::Bits {
    // The low bits of 2^52 + 18 are 18.
    let power = R::select(is_small, R::pick(18.0, 8.0), R::number(0.0));
    (power + R::pick(4_503_599_627_370_496.0, 8_388_608.0)).to_bits() & R::Bits::number(0xfff)
}

/// The length of the hypotenuse of a triangle.
#[inline(always)]
pub fn hypot<R: Real>(x: R, y: R) -> R {
    let (x, y) = (x.abs(), y.abs());
    let is_less = x.less(y);
    let (a, b) = (R::select(is_less, y, x), R::select(is_less, x, y));
    // Squares must neither be infinite nor subnormal.
    let (large, small) = (
        R::pick(1.3407807929942597e154, 4.611686018427388e18),
        R::pick(3.4395525670743494e-136, 8.881784197001252e-16),
    );
    let (down, up) = (
        R::pick(2.409919865102884e-181, 8.077935669463161e-28),
        R::pick(4.149515568880993e180, 1.2379400392853803e27),
    );
    let one = R::number(1.0);
    let scale = R::select(large.less(a), down, R::select(a.less(small), up, one));
    let unscale = R::select(large.less(a), up, R::select(a.less(small), down, one));
    let (a, b) = (a * scale, b * scale);
    let length = (a * a + b * b).sqrt() * unscale;
    let infinity = R::number(f64::INFINITY);
    R::select(x.equals(infinity) | y.equals(infinity), infinity, length)
}
