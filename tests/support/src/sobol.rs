//! Sobol numbers and the estimate of pi, one point after the other.

/// The 32 direction numbers of the first dimension, with 32 bits.
pub fn directions_x() -> [u32; 32] {
    std::array::from_fn(|bit| 1 << (31 - bit))
}

/// The 32 direction numbers of the second dimension (primitive polynomial z + 1, m_1 = 1).
pub fn directions_y() -> [u32; 32] {
    let mut m: u64 = 1;
    std::array::from_fn(|bit| {
        let direction = m << (31 - bit);
        m ^= m << 1;
        direction as u32
    })
}

/// How many of the first `n` two-dimensional points (from index 0) lie in the unit quarter circle.
///
/// Each point comes from the one before by one exclusive or, unlike in the program, which uses
/// the independent formula (Antonov and Saleev, "An economic method of computing LPτ-sequences", 1979).
pub fn hits(n: u32) -> u64 {
    let (across, up) = (directions_x(), directions_y());
    let (mut x, mut y, mut hits) = (0u32, 0u32, 0);
    for index in 0..n {
        let unit = |number: u32| f64::from(number) / 4_294_967_296.0;
        hits += u64::from(unit(x) * unit(x) + unit(y) * unit(y) < 1.0);
        let bit = index.trailing_ones() as usize;
        x ^= across[bit];
        y ^= up[bit];
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::hits;

    #[test]
    fn hits_are_the_known_ones() {
        assert_eq!((hits(1_000), hits(16_000), hits(1_000_000)), (786, 12_575, 785_424));
        assert_eq!(hits(8_000_000), 6_283_198);
    }
}
