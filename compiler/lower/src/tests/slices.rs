//! Slices with bounds near the limits of i64, compared with arithmetic that cannot overflow.

use super::{PreparedProgram, prepare};

const LEAST: i64 = i64::MIN;
const GREATEST: i64 = i64::MAX;
/// The starts, ends and strides to test.
const NUMBERS: [i64; 15] =
    [LEAST, LEAST + 1, LEAST / 2, -5, -3, -2, -1, 0, 1, 2, 3, 5, GREATEST / 2 + 1, GREATEST - 1, GREATEST];
const SIZES: [i64; 3] = [0, 1, 4];

/// The positions of a slice of an array of this size; `None` if it is out of bounds.
fn positions(size: i64, start: Option<i64>, end: Option<i64>, stride: i64) -> Option<Vec<i128>> {
    let [size, stride] = [size, stride].map(i128::from);
    let (first, default_end) = if stride < 0 { (size - 1, -1) } else { (0, size) };
    let (start, end) = (start.map_or(first, i128::from), end.map_or(default_end, i128::from));
    let (distance, slack) = (end - start, stride - stride.signum());
    // The number of positions. It is also correct if the end is on the wrong side of the start.
    let count = (distance + slack).checked_div(stride)?;
    if count == 0 {
        return i64::try_from(distance - stride.signum()).is_ok().then(Vec::new);
    }
    let last = start + (count - 1) * stride;
    let inside = (0..size).contains(&start) && (0..size).contains(&last);
    let inside = inside && count > 0 && (stride > 0 || end >= -1);
    inside.then(|| (0..count).map(|at| start + at * stride).collect())
}

/// Checks the result of a program for the array of the numbers 0 to `xs - 1`, followed by these numbers as arguments.
fn assert_sliced(program: &PreparedProgram, xs: i64, numbers: &[Option<i64>], expected: Option<Vec<i128>>) {
    let elements: Vec<String> = (0..xs).map(|x| x.to_string()).collect();
    let xs = if xs == 0 { "empty([0]i64)".to_owned() } else { format!("[{}]", elements.join(", ")) };
    let numbers: Vec<String> = numbers.iter().flatten().map(|number| format!("{number}i64")).collect();
    let input = format!("{xs} {}", numbers.join(" "));
    let answer = program.run(&input).replace("i64", "");
    match expected {
        None => assert!(answer.contains("] out of bounds for array of shape ["), "{input}: {answer}"),
        Some(expected) if expected.is_empty() => assert_eq!(answer, "empty([0])", "{input}"),
        Some(expected) => assert_eq!(answer, format!("{expected:?}"), "{input}"),
    }
}

/// Checks all slices of this form: with or without a start and an end, and with a constant or a computed stride.
fn assert_all(params: &str, slice: &str, stride: Option<i64>, starts: bool, ends: bool) {
    let program = prepare(&format!("entry main (xs: []i64) {params}: []i64 = xs[{slice}]"));
    let written = |is_written: bool| match is_written {
        true => NUMBERS.map(Some).to_vec(),
        false => vec![None],
    };
    let strides = stride.map_or(NUMBERS.to_vec(), |stride| vec![stride]);
    for size in SIZES {
        for start in written(starts) {
            for end in written(ends) {
                for &by in &strides {
                    let computed = Some(by).filter(|_| stride.is_none());
                    assert_sliced(&program, size, &[start, end, computed], positions(size, start, end, by));
                }
            }
        }
    }
}

#[test]
fn computed_strides() {
    assert_all("(a: i64) (b: i64) (s: i64)", "a:b:s", None, true, true);
    assert_all("(a: i64) (s: i64)", "a::s", None, true, false);
    assert_all("(b: i64) (s: i64)", ":b:s", None, false, true);
    assert_all("(s: i64)", "::s", None, false, false);
}

#[test]
fn constant_strides() {
    for stride in NUMBERS {
        let by = if stride == LEAST { "i64.lowest".to_owned() } else { format!("({stride})") };
        assert_all("(a: i64) (b: i64)", &format!("a:b:{by}"), Some(stride), true, true);
        assert_all("(a: i64)", &format!("a::{by}"), Some(stride), true, false);
        assert_all("(b: i64)", &format!(":b:{by}"), Some(stride), false, true);
        assert_all("", &format!("::{by}"), Some(stride), false, false);
    }
}
