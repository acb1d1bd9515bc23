//! Fast sums of reals.

/// The sum of products, as eight interleaved sums, because in a single sum each addition would wait for the previous
/// one. As a separate function it is compiled to vector additions; inlined, to shuffles of vectors.
#[inline(never)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = a.mul_add(*b, *sum);
        }
    }
    for ((sum, a), b) in sums.iter_mut().zip(a_rest).zip(b_rest) {
        *sum = a.mul_add(*b, *sum);
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
mod tests {
    use super::dot;

    #[test]
    fn no_product_is_left_out() {
        for length in 0..20 {
            let (numbers, ones): (Vec<f64>, Vec<f64>) = (1..=length).map(|i| (f64::from(i), 1.0)).unzip();
            assert_eq!(dot(&numbers, &ones), f64::from(length * (length + 1) / 2));
        }
    }
}
