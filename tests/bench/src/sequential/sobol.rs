//! Sobol numbers, each computed from the previous one by an exclusive or.

use ravel_abi::Value;
use ravel_support::sobol::dimensions;
use ravel_support::values::scalar;

use super::{Run, array_value, count, elements};

/// 2^32: a Sobol number divided by it lies in [0, 1).
const SCALE: f64 = 4_294_967_296.0;

pub fn prepare_sum(input: &[Value]) -> Option<Run<'_>> {
    let n = count(input.first()?)? as u32;
    let directions = dimensions(1)[0].directions(32);
    // One entry for each possible number of trailing ones, so that no lookup is out of bounds.
    let directions: [u32; 33] = std::array::from_fn(|bit| directions.get(bit).copied().unwrap_or(0));
    Some(Box::new(move || {
        let (mut number, mut sum) = (0u32, 0u64);
        for index in 0..n {
            sum += u64::from(number);
            number ^= directions[index.trailing_ones() as usize];
        }
        scalar(sum as f64 / SCALE)
    }))
}

pub fn prepare_pi(input: &[Value]) -> Option<Run<'_>> {
    let n = count(input.first()?)? as u32;
    // Reads the table now, so that it is not timed.
    dimensions(2);
    Some(Box::new(move || scalar(4.0 * ravel_support::sobol::hits(n) as f64 / f64::from(n))))
}

pub fn prepare_points(input: &[Value]) -> Option<Run<'_>> {
    let (d, first, n) = match input {
        [degrees, _, _, first, n] => (elements::<i32>(degrees)?.len(), first, n),
        // Without a table in the input: all dimensions of the library's table.
        [first, n] => (dimensions(usize::MAX).len(), first, n),
        _ => return None,
    };
    let (first, n) = (count(first)? as u32, count(n)?);
    let table: Vec<Vec<u32>> = dimensions(d).iter().map(|dimension| dimension.directions(32)).collect();
    let rows: Vec<Vec<u32>> = (0..32).map(|bit| table.iter().map(|numbers| numbers[bit]).collect()).collect();
    Some(Box::new(move || {
        let mut points = vec![0u32; d * n];
        let gray = first ^ (first >> 1);
        let (mut point, mut rest) = points.split_at_mut(d.min(d * n));
        for (bit, row) in rows.iter().enumerate().filter(|(bit, _)| gray >> bit & 1 == 1) {
            debug_assert!(bit < 32);
            point.iter_mut().zip(row).for_each(|(coordinate, direction)| *coordinate ^= direction);
        }
        for index in (first..).take(n.saturating_sub(1)) {
            let (next, others) = rest.split_at_mut(d);
            let row = &rows[index.trailing_ones() as usize];
            for ((next, last), direction) in next.iter_mut().zip(&*point).zip(row) {
                *next = last ^ direction;
            }
            (point, rest) = (next, others);
        }
        array_value(&[n, d], points)
    }))
}
