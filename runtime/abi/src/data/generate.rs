//! Random values of given types: inputs of tests and benchmarks, the same on every machine.
//!
//! The input is a sequence of types with sizes, such as `[100][2]f32`, and of values, which are returned unchanged.
//! Integers are uniform over their type, floats over 0 to 1, unless [`Bounds`] set another range.

use std::collections::BTreeMap;

use ravel_prim::{CmpOp, PrimType, PrimValue, convert};

use super::{Cursor, DataError, Fault, text};
use crate::random::Random;
use crate::{Array, Data, Failure, Value};

/// A value to generate.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueRequest {
    /// A random value of this type.
    Random {
        /// The type of the scalar or of the elements.
        elem: PrimType,
        /// The sizes; none for a scalar.
        shape: Vec<usize>,
    },
    /// This value.
    Exactly(Value),
}

/// The least and the greatest number of each type, both included.
#[derive(Clone, Debug, Default)]
pub struct Bounds(BTreeMap<PrimType, (PrimValue, PrimValue)>);

impl Bounds {
    /// Sets the range of a type; `text` is `LEAST:GREATEST`.
    ///
    /// # Errors
    /// A message about the text.
    pub fn set(&mut self, elem: PrimType, text: &str) -> Result<(), String> {
        let number = |text: &str| match super::read_values(
            text.as_bytes(),
            &[super::Expected { name: None, elem, rank: 0 }],
        ) {
            Ok(values) => match values[..] {
                [Value::Scalar(number)] => Ok(number),
                _ => Err(format!("`{text}` is no {elem}")),
            },
            Err(wrong) => Err(wrong.message),
        };
        let (least, greatest) =
            text.split_once(':').ok_or_else(|| format!("bounds are LEAST:GREATEST, not `{text}`"))?;
        let (least, greatest) = (number(least)?, number(greatest)?);
        if let Some(endless) = [least, greatest].into_iter().find(is_endless) {
            return Err(format!("{endless} is not a bound"));
        }
        if ravel_prim::compare(CmpOp::Le, least, greatest) != Some(true) {
            return Err(format!("{least} is greater than {greatest}"));
        }
        self.0.insert(elem, (least, greatest));
        Ok(())
    }
}

/// Reads types and values.
///
/// # Errors
/// [`DataError`] where the text is neither a type with sizes nor a value.
pub fn read_requests(text: &str) -> Result<Vec<ValueRequest>, DataError> {
    let mut cursor = Cursor::new(text.as_bytes());
    let mut wanted = Vec::new();
    loop {
        cursor.skip_space();
        if cursor.peek().is_none() {
            return Ok(wanted);
        }
        let number = wanted.len() + 1;
        let next = match typed_request(&mut cursor) {
            Some(random) => Ok(random),
            None => {
                let start = Cursor { ..cursor };
                let value = text::read(&mut cursor).map(ValueRequest::Exactly);
                value.map_err(|fault| no_type(&start).unwrap_or(fault))
            }
        };
        wanted.push(next.map_err(|fault: Fault| cursor.read_error(fault, Some((number, None))).error)?);
    }
}

/// A type with sizes at the cursor. If there is none, the cursor does not move.
fn typed_request(cursor: &mut Cursor) -> Option<ValueRequest> {
    let mut ahead = Cursor { ..*cursor };
    let mut shape = Vec::new();
    while ahead.peek() == Some(b'[') {
        ahead.at += 1;
        ahead.skip_space();
        let size = text::token(&mut ahead);
        shape.push(size.strip_suffix("i64").unwrap_or(size).parse().ok()?);
        ahead.skip_space();
        if ahead.peek() != Some(b']') {
            return None;
        }
        ahead.at += 1;
        ahead.skip_space();
    }
    let elem = PrimType::from_name(text::token(&mut ahead))?;
    *cursor = ahead;
    Some(ValueRequest::Random { elem, shape })
}

/// The error about a word that begins like a type but is neither type nor value.
fn no_type(cursor: &Cursor) -> Option<Fault> {
    let wrong = cursor.peek().filter(|byte| byte.is_ascii_alphabetic() || *byte == b'(');
    wrong.map(|_| {
        let message = "expected a type, such as `i32` or `[10][2]f32`, or a value, found";
        Fault::new(cursor.at, format!("{message} {}", cursor.word_at_cursor()))
    })
}

/// Generates the values. Each has its own stream of random numbers, so adding one changes no other.
///
/// # Errors
/// When there is too little memory for one.
pub fn generate(wanted: &[ValueRequest], bounds: &Bounds, seed: u64) -> Result<Vec<Value>, Failure> {
    let value = |(wanted, seed): (&ValueRequest, u64)| match wanted {
        ValueRequest::Exactly(value) => Ok(value.clone()),
        ValueRequest::Random { elem, shape } => {
            let mut random = Random::new(Random::new(seed).bits());
            let count = shape.iter().fold(1u128, |count, &size| count.saturating_mul(size as u128));
            let mut data = Data::zeros(*elem, count)?;
            for index in 0..data.len() {
                let _fits = data.set(index, number(&mut random, *elem, bounds));
            }
            Ok(match (data.get(0), shape.is_empty()) {
                (Some(scalar), true) => Value::Scalar(scalar),
                _ => Value::Array(Array { shape: shape.clone(), data }),
            })
        }
    };
    wanted.iter().zip(seed..).map(value).collect()
}

/// Whether it is an infinity or NaN.
fn is_endless(bound: &PrimValue) -> bool {
    matches!(convert(*bound, PrimType::F64), PrimValue::F64(number) if !number.is_finite())
}

/// A random number of a type.
fn number(random: &mut Random, elem: PrimType, bounds: &Bounds) -> PrimValue {
    let bounds = bounds.0.get(&elem).copied();
    match (elem, bounds) {
        (PrimType::Bool, None) => PrimValue::Bool(random.below(2) == 1),
        (PrimType::Bool, Some((least, greatest))) => {
            if random.below(2) == 1 {
                greatest
            } else {
                least
            }
        }
        (_, None) if !elem.is_float() => PrimValue::from_bits(elem, random.bits()),
        (_, Some((least, greatest))) if !elem.is_float() => {
            let [least, greatest] = [least, greatest].map(|bound| match convert(bound, PrimType::I64) {
                PrimValue::I64(number) => number,
                _ => 0,
            });
            let most = (greatest as u64).wrapping_sub(least as u64);
            let offset = if most == u64::MAX { random.bits() } else { random.below(most + 1) };
            PrimValue::from_bits(elem, (least as u64).wrapping_add(offset))
        }
        _ => {
            let [least, greatest] = match bounds {
                Some((least, greatest)) => {
                    [least, greatest].map(|bound| match convert(bound, PrimType::F64) {
                        PrimValue::F64(number) => number,
                        _ => 0.0,
                    })
                }
                None => [0.0, 1.0],
            };
            // 53 bits, the precision of an f64.
            let share = (random.bits() >> 11) as f64 / ((1u64 << 53) - 1) as f64;
            // The difference of extreme bounds may overflow to infinity.
            let half = least / 2.0 + share * (greatest / 2.0 - least / 2.0);
            let distance = greatest - least;
            let number = if distance.is_finite() { least + share * distance } else { 2.0 * half };
            convert(PrimValue::F64(number), elem)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, bounds: &Bounds) -> Vec<Value> {
        generate(&read_requests(text).expect("types and values"), bounds, 1).expect("enough memory")
    }

    #[test]
    fn types_and_values_may_follow_one_another() {
        let values = values("[3][2]f32 7 i64 [1, 2] [0]bool 2.5f64", &Bounds::default());
        let types: Vec<String> = values.iter().map(Value::type_text).collect();
        assert_eq!(types, ["[3][2]f32", "i32", "i64", "[2]i32", "[0]bool", "f64"]);
        assert_eq!(values[1], Value::Scalar(PrimValue::I32(7)));
    }

    #[test]
    fn bounds_may_span_the_whole_range_of_numbers() {
        let mut bounds = Bounds::default();
        bounds.set(PrimType::F64, "-1.7e308:1.7e308").expect("bounds");
        let values = values("[200]f64", &bounds);
        let Value::Array(Array { data: Data::F64(numbers), .. }) = &values[0] else { panic!("{values:?}") };
        assert!(numbers.iter().all(|number| number.abs() <= 1.7e308), "{numbers:?}");
        assert!(
            numbers.iter().any(|number| *number > 1e308) && numbers.iter().any(|number| *number < -1e308)
        );
    }

    #[test]
    fn numbers_lie_within_their_bounds_and_reach_them() {
        let mut bounds = Bounds::default();
        bounds.set(PrimType::I32, "-1:1").expect("bounds");
        bounds.set(PrimType::F64, "2.0:3.0").expect("bounds");
        let values = values("[200]i32 [200]f64", &bounds);
        let text = crate::write_text(&values[..1]);
        assert!(["-1i32", " 0i32", " 1i32"].iter().all(|number| text.contains(number)), "{text}");
        let [_, Value::Array(floats)] = &values[..] else { panic!("two arrays") };
        let Data::F64(floats) = &floats.data else { panic!("floats") };
        assert!(floats.iter().all(|number| (2.0..=3.0).contains(number)));
    }

    #[test]
    fn equal_seeds_give_equal_values_and_different_seeds_different_ones() {
        let wanted = read_requests("[10]i64 [10]i64").expect("types");
        let of = |seed| generate(&wanted, &Bounds::default(), seed).expect("enough memory");
        assert_eq!(of(5), of(5));
        assert_ne!(of(5), of(7));
        assert_ne!(of(5)[0], of(5)[1]);
    }

    #[test]
    fn invalid_types_and_values_are_located() {
        assert_eq!(
            read_requests("i32 what").expect_err("no type").to_string(),
            "1:5: value 2: expected a type, such as `i32` or `[10][2]f32`, or a value, found `what`"
        );
        for (text, message) in
            [("[2](i32, f32)", "found `(i32`"), ("[3]i33", "found `i33`"), ("[1, x]", "Expected: i32")]
        {
            let wrong = read_requests(text).expect_err("no type").to_string();
            assert!(wrong.contains(message), "{wrong}");
        }
        assert_eq!(Bounds::default().set(PrimType::I32, "5:1"), Err("5i32 is greater than 1i32".to_owned()));
        assert_eq!(
            Bounds::default().set(PrimType::I32, "5"),
            Err("bounds are LEAST:GREATEST, not `5`".to_owned())
        );
        assert!(Bounds::default().set(PrimType::I8, "0:1000").is_err());
        assert_eq!(Bounds::default().set(PrimType::F32, "0:1e39"), Err("f32.inf is not a bound".to_owned()));
        assert_eq!(
            Bounds::default().set(PrimType::F64, "f64.nan:1"),
            Err("f64.nan is not a bound".to_owned())
        );
    }
}
