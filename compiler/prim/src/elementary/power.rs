//! Powers, roots and the length of the hypotenuse.

use super::error_free::{head, polynomial, product};
use super::exponential::{exp, exp_sum, ordinary_exp_sum};
use super::logarithm::{is_normal, log, log_pair, ordinary_log, ordinary_log_pair};
use super::real::{Bits, OrdinaryValue, Real};

/// The cube root of a number from 1 to 8, with a relative error of less than 2^-7.
const CUBE_ROOT: [f64; 4] =
    [0.6816837007039461, 0.36452837155736456, -0.043310177670792635, 0.0023132244842135343];

/// The power of an f64: `exp (y * log x)`, where the logarithm and the product are sums of two numbers.
#[inline(always)]
pub fn pow<R: Real>(x: R, y: R) -> R {
    let (log, log_rest) = log_pair(x.abs());
    // A greater exponent makes no difference, unless the logarithm is 0.
    let y_most = R::number(36_893_488_147_419_103_232.0);
    let y_near = R::select(y_most.less(y), y_most, R::select(y.less(-y_most), -y_most, y));
    let (exponent, error) = product(log, y_near);
    let more = error + log_rest * y_near;
    let is_near = exponent.abs().less(R::number(1000.0));
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

/// The power of numbers that are exact in f32, to the accuracy of an f32.
#[inline(always)]
pub fn pow_single<R: Real>(x: R, y: R) -> R {
    let one = R::number(1.0);
    // The logarithm of 1 is 0, and its product with an infinite exponent is NaN.
    let size = R::select(x.abs().equals(one), one, exp(y * log(x.abs())));
    with_exceptions(x, y, size)
}

/// [`pow_single`] of a positive base, if neither the base nor the result is infinite.
#[inline(always)]
pub fn ordinary_pow_single<R: Real>(x: R, y: R) -> OrdinaryValue<R> {
    let log = ordinary_log(x);
    let power = ordinary_exp_sum(y * log.value, R::number(0.0));
    OrdinaryValue { applies: log.applies & power.applies, value: power.value }
}

/// The power of two numbers, given the one that holds for finite positive ones.
#[inline(always)]
fn with_exceptions<R: Real>(x: R, y: R, size: R) -> R {
    let [zero, half, one, infinity] = [0.0, 0.5, 1.0, f64::INFINITY].map(R::number);
    let (x_size, y_size) = (x.abs(), y.abs());
    // A number of 2^52 or more has no fraction, and one of 2^53 or more is even.
    let shift = R::number(4_503_599_627_370_496.0);
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

/// The cube root of an f64.
#[inline(always)]
pub fn cbrt<R: Real>(x: R) -> R {
    let size = x.abs();
    let is_small = size.less(R::number(f64::MIN_POSITIVE));
    let scaled = R::select(is_small, size * R::number(18_014_398_509_481_984.0), size);
    let root = normal_cbrt(scaled, lift_bits::<R>(is_small));
    let is_other = size.equals(R::number(0.0)) | !size.less(R::number(f64::INFINITY));
    R::select(is_other, x, root.with_sign_of(x))
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
    // A third of the exponent, rounded down, as the low bits of a number.
    let base = R::number(4_503_599_627_370_496.0);
    let exponent = R::from_bits(bits.shift_right(52) | number(0x4330 << 48)) - base;
    let third = ((exponent - R::number(1.0)) * R::number(1.0 / 3.0) + base).to_bits() & number(0xfff);
    // The number is a power of eight times one from 1 to 8.
    let near = R::from_bits(bits - (third + third.shift_left(1)).shift_left(52) + number(1023 << 52));
    let power = R::from_bits((third + number(1023 - 341) - lift).shift_left(52));
    let two = R::number(2.0);
    let root = polynomial(near, &CUBE_ROOT);
    // Two steps of Halley's method. Before the last, the root has 26 bits, so that its square is exact.
    let cube = root * root * root;
    let root = head(root * (cube + two * near) / (two * cube + near));
    let other = near / (root * root);
    let root = root + root * ((other - root) / (root + root + other));
    root * power
}

/// The number to subtract from the exponent of the cube root: 18 if the number was multiplied by 2^54, otherwise 0.
#[inline(always)]
fn lift_bits<R: Real>(is_small: R::Truth) -> R::Bits {
    // The low bits of 2^52 + 18 are 18.
    let power = R::select(is_small, R::number(18.0), R::number(0.0));
    (power + R::number(4_503_599_627_370_496.0)).to_bits() & R::Bits::number(0xfff)
}

/// The length of the hypotenuse of an f64 triangle.
#[inline(always)]
pub fn hypot<R: Real>(x: R, y: R) -> R {
    let (x, y) = (x.abs(), y.abs());
    let is_less = x.less(y);
    let (a, b) = (R::select(is_less, y, x), R::select(is_less, x, y));
    // Squares must neither be infinite nor subnormal.
    let (large, small) = (R::number(1.3407807929942597e154), R::number(3.4395525670743494e-136));
    let (down, up) = (R::number(2.409919865102884e-181), R::number(4.149515568880993e180));
    let one = R::number(1.0);
    let scale = R::select(large.less(a), down, R::select(a.less(small), up, one));
    let unscale = R::select(large.less(a), up, R::select(a.less(small), down, one));
    let (a, b) = (a * scale, b * scale);
    let length = (a * a + b * b).sqrt() * unscale;
    let infinity = R::number(f64::INFINITY);
    R::select(x.equals(infinity) | y.equals(infinity), infinity, length)
}
