//! Sobol sequences: direction numbers, and an estimate of pi that computes one point at a time.

use std::sync::LazyLock;

/// A dimension of the sequence, with the data of the published table.
#[derive(Clone, Debug)]
pub struct Dimension {
    /// The degree of the primitive polynomial; 0 for the first dimension, which has none.
    pub degree: u32,
    /// The inner coefficients of the polynomial, as a binary number.
    pub coefficients: u32,
    /// The initial direction numbers. Their number is the degree.
    pub initial: Vec<u32>,
}

/// The library's table, read once, so that benchmarks do not time the reading.
static TABLE: LazyLock<Vec<Dimension>> = LazyLock::new(|| {
    let mut initial = numbers("initial").into_iter();
    let dimension = |polynomial: u32| {
        let degree = polynomial.ilog2();
        let coefficients = (polynomial ^ (1 << degree)) >> 1;
        Dimension { degree, coefficients, initial: initial.by_ref().take(degree as usize).collect() }
    };
    numbers("polynomials").into_iter().map(dimension).collect()
});

/// The first dimensions of the library's table; there are 1111.
pub fn dimensions(count: usize) -> &'static [Dimension] {
    &TABLE[..count.min(TABLE.len())]
}

/// The list with this name in the library's table.
fn numbers(name: &str) -> Vec<u32> {
    let list = include_str!("../../../stdlib/joe_kuo.dsl")
        .split_once(&format!("def {name}:"))
        .and_then(|(_, definition)| definition.split_once("= ["))
        .and_then(|(_, list)| list.split_once(']'))
        .map_or("", |(list, _)| list);
    list.split(',').map(|number| number.trim().parse().expect("the table holds numbers")).collect()
}

impl Dimension {
    /// The direction numbers with `bits` bits: number `t` belongs to bit `t` of the Gray code.
    pub fn directions(&self, bits: usize) -> Vec<u32> {
        let degree = self.degree as usize;
        let mut m: Vec<u64> = self.initial.iter().map(|&number| u64::from(number)).collect();
        for i in degree..bits {
            let next = match degree {
                0 => 1,
                _ => (1..degree)
                    .filter(|r| self.coefficients >> (degree - 1 - r) & 1 == 1)
                    .fold(m[i - degree] ^ (m[i - degree] << degree), |sum, r| sum ^ (m[i - r] << r)),
            };
            m.push(next);
        }
        m.iter().take(bits).enumerate().map(|(bit, m)| (m << (bits - 1 - bit)) as u32).collect()
    }
}

/// The number of the first `n` two-dimensional points (from index 0) that lie in the unit quarter circle.
///
/// Each point is computed from the previous one by an exclusive or (Antonov and Saleev, "An economic method of
/// computing LPτ-sequences", 1979). The program uses the independent formula instead.
pub fn hits(n: u32) -> u64 {
    let [across, up] = [0, 1].map(|k| dimensions(2)[k].directions(32));
    // Both coordinates in one number; one entry for each possible number of trailing ones.
    let mut directions = [0u64; 33];
    for (direction, (&across, &up)) in directions.iter_mut().zip(across.iter().zip(&up)) {
        *direction = u64::from(across) << 32 | u64::from(up);
    }
    let square = |number: u32| f64::from(number) * f64::from(number);
    let (mut point, mut hits) = (0u64, 0);
    for index in 0..n {
        // The coordinates are multiples of 2^-32.
        hits += u64::from(square((point >> 32) as u32) + square(point as u32) < 18_446_744_073_709_551_616.0);
        point ^= directions[index.trailing_ones() as usize];
    }
    hits
}

/// As [`hits`], by the independent formula: each point is computed from the bits of the Gray code of its index.
pub fn hits_point_by_point(n: u32) -> u64 {
    let table = dimensions(2);
    let [across, up] = [0, 1].map(|k| table[k].directions(32));
    let mut hits = 0;
    for index in 0..n {
        let gray = index ^ (index >> 1);
        let [x, y] = [&across, &up].map(|directions| {
            let bits = directions.iter().enumerate();
            let chosen = bits.map(|(bit, &direction)| if gray >> bit & 1 == 1 { direction } else { 0 });
            f64::from(chosen.fold(0, |number, direction| number ^ direction)) / 4_294_967_296.0
        });
        hits += u64::from(x * x + y * y < 1.0);
    }
    hits
}

/// The points `first .. first + n` in all of the table's first dimensions, row by row, by the recurrence.
pub fn points(dimension_count: usize, first: u32, n: usize) -> Vec<u32> {
    let directions: Vec<_> = dimensions(dimension_count).iter().map(|it| it.directions(32)).collect();
    let gray = first ^ (first >> 1);
    let mut point: Vec<u32> = directions
        .iter()
        .map(|numbers| (0..32).filter(|bit| gray >> bit & 1 == 1).fold(0, |sum, bit| sum ^ numbers[bit]))
        .collect();
    let mut all = Vec::with_capacity(dimension_count * n);
    for index in (first..).take(n) {
        all.extend(&point);
        let bit = index.trailing_ones() as usize;
        point.iter_mut().zip(&directions).for_each(|(coordinate, numbers)| *coordinate ^= numbers[bit]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{dimensions, hits, hits_point_by_point, points};

    #[test]
    fn hits_are_the_known_ones() {
        assert_eq!((hits(1_000), hits(16_000), hits(1_000_000)), (786, 12_575, 785_424));
        assert_eq!(hits(8_000_000), 6_283_198);
        assert_eq!((hits_point_by_point(1_000), hits_point_by_point(16_000)), (786, 12_575));
    }

    #[test]
    fn the_table_is_whole() {
        let table = dimensions(usize::MAX);
        assert_eq!(table.len(), 1111);
        for dimension in table {
            assert_eq!(dimension.initial.len(), dimension.degree as usize);
            assert!(dimension.initial.iter().zip(1..).all(|(m, i)| m % 2 == 1 && *m < 1 << i));
        }
    }

    #[test]
    fn points_are_the_known_ones() {
        let third = [3_221_225_472, 1_073_741_824, 1_073_741_824, 1_073_741_824, 3_221_225_472];
        assert_eq!(points(5, 2, 1), third);
        assert_eq!(points(8, 1000, 2)[7..=8], [3_862_953_984, 3_091_202_048]);
    }
}
