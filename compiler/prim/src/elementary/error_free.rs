//! Sums, products and polynomials of which the rounding error is known.
//!
//! T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18, 1971.

use super::real::{Bits, Real};

/// The sum of two numbers and its rounding error, if the first is 0 or is not less in magnitude.
#[inline(always)]
pub fn fast_sum<R: Real>(a: R, b: R) -> (R, R) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// The difference of two numbers and its rounding error, under the same condition.
#[inline(always)]
pub fn fast_difference<R: Real>(a: R, b: R) -> (R, R) {
    let difference = a - b;
    (difference, (a - difference) - b)
}

/// The sum of two numbers and its rounding error.
#[inline(always)]
pub fn sum<R: Real>(a: R, b: R) -> (R, R) {
    let sum = a + b;
    let second = sum - a;
    (sum, (a - (sum - second)) + (b - second))
}

/// The leading 26 bits of an f64, or 12 of an f32. The product of two such numbers is exact.
#[inline(always)]
pub fn head<R: Real>(a: R) -> R {
    R::from_bits(a.to_bits() & R::Bits::number(if R::IS_SINGLE { !0 << 12 } else { !0 << 27 }))
}

/// The product of two numbers and its rounding error.
#[inline(always)]
pub fn product<R: Real>(a: R, b: R) -> (R, R) {
    let (a_head, b_head) = (head(a), head(b));
    let (a_tail, b_tail) = (a - a_head, b - b_head);
    let product = a * b;
    let error = a_tail * b_tail - (((product - a_head * b_head) - a_tail * b_head) - a_head * b_tail);
    (product, error)
}

/// The quotient of two numbers, each with a small correction.
#[inline(always)]
pub fn quotient<R: Real>((a, a_rest): (R, R), (b, b_rest): (R, R)) -> R {
    let quotient = a / b;
    quotient + (a_rest - quotient * b_rest) / b
}

/// The difference between the square root of `square + rest` and `root`, which is the nearest number.
#[inline(always)]
pub fn root_rest<R: Real>(root: R, square: R, rest: R) -> R {
    let root_head = head(root);
    // Of 0, the root is exact.
    let sum = root + root_head + R::pick(1e-300, 1e-30);
    ((square - root_head * root_head) + rest) / sum - (root - root_head)
}

/// [`polynomial`] with other coefficients in f32.
#[inline(always)]
pub fn polynomial_of<R: Real, const N: usize, const M: usize>(
    x: R,
    double: &[f64; N],
    single: &[f64; M],
) -> R {
    if R::IS_SINGLE { polynomial(x, single) } else { polynomial(x, double) }
}

/// The polynomial with these coefficients, at most sixteen, the constant one first. Neighbours are joined pair by pair, so
/// that few operations wait for each other (G. Estrin, "Organization of computer systems", 1960).
#[inline(always)]
pub fn polynomial<R: Real, const N: usize>(x: R, coefficients: &[f64; N]) -> R {
    let mut terms = coefficients.map(R::number);
    let mut power = x;
    // Bounds that are constants let the loops be unrolled.
    for count in [N, N.div_ceil(2), N.div_ceil(4), N.div_ceil(8)] {
        for pair in 0..N.div_ceil(2) {
            if 2 * pair + 1 < count {
                terms[pair] = power * terms[2 * pair + 1] + terms[2 * pair];
            } else if 2 * pair < count {
                terms[pair] = terms[2 * pair];
            }
        }
        if count > 2 {
            power = power * power;
        }
    }
    terms[0]
}
