//! Logarithms, and the inverse hyperbolic functions, which follow from them.
//!
//! `x = 2^k * (1 + f)`, where `1 + f` is between the square roots of 1/2 and of 2. With `s = f / (2 + f)`, `log (1 + f)`
//! is `log (1 + s) - log (1 - s)`, an odd function of `s`. It is computed as `f` minus a correction (P. T. P. Tang,
//! "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic", ACM TOMS 16(4), 1990,
//! without the table).

use super::error_free::{fast_difference, fast_sum, head, polynomial_of, root_rest, sum};
use super::exponential::ln_2;
use super::real::{Bits, OrdinaryValue, Real};

/// `log (1 + s) - log (1 - s) = 2 s + s z P(z)` for `z = s^2` and `|s| <= 3 - sqrt 8`, with an error of less than 2^-59.
const SERIES: [f64; 7] = [
    0.6666666666666734,
    0.39999999999416647,
    0.2857142874202741,
    0.22222198605049492,
    0.18183562856334123,
    0.1531408459025617,
    0.1479563704200104,
];

/// [`SERIES`] for results in f32, with an error of less than 2^-30.
const SERIES_SINGLE: [f64; 3] = [0.6666677594184875, 0.39977583289146423, 0.2987079620361328];

/// `(log (1 + s) - log (1 - s)) / (2 s) = 1 + z / 3 + z^2 P(z)` for the same `s` and `z`, with an error of less than 2^-65.
const PAIR_SERIES: [f64; 7] = [
    0.20000000000001128,
    0.14285714285050022,
    0.11111111259914154,
    0.09090892188119079,
    0.07693378438426471,
    0.06628414524159755,
    0.065981088798149,
];

/// [`PAIR_SERIES`] for f32, with an error of less than 2^-38.
const PAIR_SERIES_SINGLE: [f64; 4] =
    [0.19999998807907104, 0.14285936951637268, 0.11092507839202881, 0.09733912348747253];

/// A positive number as `2^k * (1 + f)`.
struct Parts<R> {
    k: R,
    f: R,
}

impl<R: Real> Parts<R> {
    /// The parts of `x / 2^lift`. `x` is positive and not subnormal.
    #[inline(always)]
    fn new(x: R, lift: R) -> Parts<R> {
        let (digits, one, root) = if R::IS_SINGLE {
            (23, 0x3f80_0000, 0x3f35_04f3)
        } else {
            (52, 0x3ff0 << 48, 0x3fe6_a09e_667f_3bcd)
        };
        let bits = x.to_bits() + R::Bits::number(one - root);
        let mantissa = (bits & R::Bits::number((1 << digits) - 1)) + R::Bits::number(root);
        // The exponent as the low bits of 2^52, or of 2^23.
        let (base, base_bits) =
            if R::IS_SINGLE { (8_388_608.0, 0x4b00_0000) } else { (4_503_599_627_370_496.0, 0x4330 << 48) };
        let exponent = R::from_bits(bits.shift_right(digits) | R::Bits::number(base_bits));
        let k = (exponent - R::pick(base + 1023.0, base + 127.0)) - lift;
        Parts { k, f: R::from_bits(mantissa) - R::number(1.0) }
    }

    /// The parts of any positive number.
    #[inline(always)]
    fn of(x: R) -> Parts<R> {
        let is_small = x.less(R::pick(f64::MIN_POSITIVE, f32::MIN_POSITIVE.into()));
        let scaled = x * R::pick(18_014_398_509_481_984.0, 33_554_432.0);
        let lift = R::select(is_small, R::pick(54.0, 25.0), R::number(0.0));
        Parts::new(R::select(is_small, scaled, x), lift)
    }

    /// `half = f^2 / 2`, and `log (1 + f) - (f - half)`.
    #[inline(always)]
    fn series(&self) -> (R, R) {
        let half = self.f * self.f * R::number(0.5);
        let s = self.f / (R::number(2.0) + self.f);
        let z = s * s;
        (half, s * (half + z * polynomial_of(z, &SERIES, &SERIES_SINGLE)))
    }

    /// The logarithm of the number, plus `more`, which is close to 0.
    #[inline(always)]
    fn log(&self, more: R) -> R {
        let (ln_2, ln_2_rest) = ln_2::<R>();
        let (half, series) = self.series();
        self.k * ln_2 - ((half - (series + (self.k * ln_2_rest + more))) - self.f)
    }

    /// The logarithm of `1 + f` as a number of 21 bits, or of 12 in f32, and the rest.
    #[inline(always)]
    fn log_sum(&self) -> (R, R) {
        let (half, series) = self.series();
        let near = self.f - half;
        let near =
            R::from_bits(near.to_bits() & R::Bits::number(if R::IS_SINGLE { !0 << 12 } else { !0 << 32 }));
        (near, ((self.f - near) - half) + series)
    }

    #[inline(always)]
    fn log2(&self) -> R {
        let high = R::pick(1.4426950407214463, 1.4423828125);
        let low = R::pick(1.6751713164886512e-10, 0.00031222839606925845);
        self.other_base((high, low), (self.k, R::number(0.0)))
    }

    #[inline(always)]
    fn log10(&self) -> R {
        // The logarithm of 2, as a sum whose first part has 32 bits, or 12 in f32.
        let two_high = R::pick(0.3010299955494702, 0.301025390625);
        let two_low = R::pick(1.1451100898021838e-10, 4.605039066518657e-06);
        let high = R::pick(0.4342944818781689, 0.4342041015625);
        let low = R::pick(2.5082946711645275e-11, 9.038033749675378e-05);
        self.other_base((high, low), (self.k * two_high, self.k * two_low))
    }

    /// The logarithm of `2^k * (1 + f)` to another base b. `power` is the logarithm of 2^k to the base b, as a sum of two
    /// parts. `high + low` is 1 / ln b, and `high` has 32 bits, or 12 in f32.
    #[inline(always)]
    fn other_base(&self, (high, low): (R, R), power: (R, R)) -> R {
        let (near, rest) = self.log_sum();
        let (sum, error) = fast_sum(power.0, near * high);
        sum + (error + (((near + rest) * low + rest * high) + power.1))
    }
}

/// Whether a number is positive, finite and not subnormal.
#[inline(always)]
pub fn is_normal<R: Real>(x: R) -> R::Truth {
    !x.less(R::pick(f64::MIN_POSITIVE, f32::MIN_POSITIVE.into())) & x.less(R::number(f64::INFINITY))
}

/// The logarithm of any `x`. `inside` is the logarithm if `x` is positive and finite.
#[inline(always)]
fn with_special_cases<R: Real>(x: R, inside: R) -> R {
    let infinity = R::number(f64::INFINITY);
    let low = R::select(x.equals(R::number(0.0)), -infinity, R::number(f64::NAN));
    R::select(R::number(0.0).less(x), R::select(x.less(infinity), inside, x), low)
}

/// The natural logarithm.
#[inline(always)]
pub fn log<R: Real>(x: R) -> R {
    with_special_cases(x, Parts::of(x).log(R::number(0.0)))
}

/// [`log`] of normal numbers.
#[inline(always)]
pub fn ordinary_log<R: Real>(x: R) -> OrdinaryValue<R> {
    let zero = R::number(0.0);
    OrdinaryValue { applies: is_normal(x), value: Parts::new(x, zero).log(zero) }
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2<R: Real>(x: R) -> R {
    with_special_cases(x, Parts::of(x).log2())
}

/// [`log2`] of normal numbers.
#[inline(always)]
pub fn ordinary_log2<R: Real>(x: R) -> OrdinaryValue<R> {
    OrdinaryValue { applies: is_normal(x), value: Parts::new(x, R::number(0.0)).log2() }
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10<R: Real>(x: R) -> R {
    with_special_cases(x, Parts::of(x).log10())
}

/// [`log10`] of normal numbers.
#[inline(always)]
pub fn ordinary_log10<R: Real>(x: R) -> OrdinaryValue<R> {
    OrdinaryValue { applies: is_normal(x), value: Parts::new(x, R::number(0.0)).log10() }
}

/// `ln (1 + a + b) + doublings * ln 2`, for a number `a` that is not negative and a correction `b`.
#[inline(always)]
fn log_1p<R: Real>(a: R, b: R, doublings: R) -> R {
    let (near, error) = sum(R::number(1.0), a);
    let result = Parts::new(near, -doublings).log((error + b) / near);
    let infinity = R::number(f64::INFINITY);
    R::select(near.equals(infinity), infinity, result)
}

/// For greater arguments in f64, and in f32, the 1 beside the square under the root is negligible.
const FAR: (f64, f64) = (268_435_456.0, 16_384.0);

/// For greater results of `asinh` and `acosh`, an error in the last place of the logarithm's argument is no more than one
/// in the last place of the result.
const NEAR: f64 = 2.0;

/// Whether an argument is between [`NEAR`] and [`FAR`], where sums need no corrections.
#[inline(always)]
fn is_between<R: Real>(size: R) -> R::Truth {
    R::number(NEAR).less(size) & !R::pick(FAR.0, FAR.1).less(size)
}

/// The logarithm of the sum of two numbers from 1 to 2^30.
#[inline(always)]
fn log_of_sum<R: Real>(a: R, b: R) -> R {
    let zero = R::number(0.0);
    Parts::new(a + b, zero).log(zero)
}

/// The inverse hyperbolic sine: the logarithm of `x + sqrt (x^2 + 1)`.
#[inline(always)]
pub fn asinh<R: Real>(x: R) -> R {
    let (one, zero) = (R::number(1.0), R::number(0.0));
    let size = x.abs();
    let is_far = R::pick(FAR.0, FAR.1).less(size);
    let square = size * size;
    let (near, rest) = fast_sum(size, square / (one + (square + one).sqrt()));
    let near = R::select(is_far, size - one, near);
    let (rest, doublings) = (R::select(is_far, zero, rest), R::select(is_far, one, zero));
    let far = log_1p(near, rest, doublings);
    R::select(is_between(size), ordinary_asinh(size).value, far).with_sign_of(x)
}

/// [`asinh`] where its sums need no corrections.
#[inline(always)]
pub fn ordinary_asinh<R: Real>(x: R) -> OrdinaryValue<R> {
    let size = x.abs();
    let value = log_of_sum(size, (size * size + R::number(1.0)).sqrt()).with_sign_of(x);
    OrdinaryValue { applies: is_between(size), value }
}

/// The inverse hyperbolic cosine: the logarithm of `x + sqrt (x^2 - 1)`.
#[inline(always)]
pub fn acosh<R: Real>(x: R) -> R {
    let (one, zero) = (R::number(1.0), R::number(0.0));
    let beyond = x - one;
    let is_far = R::pick(FAR.0, FAR.1).less(x);
    let (square, error) = sum(R::number(2.0) * beyond, beyond * beyond);
    let root = square.sqrt();
    let (near, rest) = fast_sum(root, beyond);
    let rest = rest + root_rest(root, square, error);
    let near = R::select(is_far, beyond, near);
    let (rest, doublings) = (R::select(is_far, zero, rest), R::select(is_far, one, zero));
    let far = R::select(x.less(one), R::number(f64::NAN), log_1p(near, rest, doublings));
    let between = ordinary_acosh(x);
    R::select(between.applies, between.value, far)
}

/// [`acosh`] where its sums need no corrections.
#[inline(always)]
pub fn ordinary_acosh<R: Real>(x: R) -> OrdinaryValue<R> {
    OrdinaryValue { applies: is_between(x), value: log_of_sum(x, (x * x - R::number(1.0)).sqrt()) }
}

/// The inverse hyperbolic tangent: half the logarithm of `(1 + x) / (1 - x)`.
#[inline(always)]
pub fn atanh<R: Real>(x: R) -> R {
    let (one, zero) = (R::number(1.0), R::number(0.0));
    let size = x.abs();
    let (under, under_rest) = fast_difference(one, size);
    let near = R::number(2.0) * size / under;
    let result = log_1p(near, -(near * under_rest / under), zero) * R::number(0.5);
    R::select(one.less(size), R::number(f64::NAN), result).with_sign_of(x)
}

/// The logarithm of a positive number as a number and a rest, with a relative error of less than 2^-64, or 2^-34 in f32.
#[inline(always)]
pub fn log_pair<R: Real>(x: R) -> (R, R) {
    Parts::of(x).log_pair()
}

/// [`log_pair`] of normal numbers.
#[inline(always)]
pub fn ordinary_log_pair<R: Real>(x: R) -> OrdinaryValue<R, (R, R)> {
    OrdinaryValue { applies: is_normal(x), value: Parts::new(x, R::number(0.0)).log_pair() }
}

impl<R: Real> Parts<R> {
    /// The logarithm as a number and a rest. `s`, `s^2` and `s^2 / 3` are sums of two numbers. For the rest of the series,
    /// one number is precise enough.
    #[inline(always)]
    fn log_pair(self) -> (R, R) {
        let (ln_2, ln_2_rest) = ln_2::<R>();
        let Parts { k, f } = self;
        let two = R::number(2.0);
        let under = two + f;
        let under_head = head(under);
        let inverse = R::number(1.0) / under;
        let s = f * inverse;
        let s_head = head(s);
        let s_rest = ((f - s_head * under_head) - s_head * (f - (under_head - two))) * inverse;
        let z = s * s;
        let z_exact = s_head * s_head;
        let z_head = head(z_exact);
        let z_rest = (z_exact - z_head) + s_rest * (s_head + s);
        // 1/3 as the sum of its first 26 bits, or 12 in f32, and the rest.
        let third = R::pick(0.3333333283662796, 0.333251953125);
        let third_rest = R::pick(4.967053731282552e-09, 8.138021075865254e-05);
        let series = z * (z * polynomial_of(z, &PAIR_SERIES, &PAIR_SERIES_SINGLE));
        let first = z_head * third;
        let first_head = head(first);
        let first_rest =
            (first - first_head) + (z_rest * R::number(1.0 / 3.0) + (z_head * third_rest + series));
        let (near, error) = fast_sum(s_head, s_head * first_head);
        let rest = error + (s_rest + (s_head * first_rest + s_rest * (first_head + first_rest)));
        let (near, error) = fast_sum(k * ln_2, two * near);
        fast_sum(near, error + (k * ln_2_rest + two * rest))
    }
}
