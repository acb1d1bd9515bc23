use half::f16;
use proptest::prelude::*;
use ravel_prim::{PrimType, PrimValue};

use super::*;
use crate::{Array, Data, Element, with_element};

fn expect(elem: PrimType, rank: usize) -> Expected<'static> {
    Expected { name: None, elem, rank }
}

fn array(shape: &[usize], data: Data) -> Value {
    Value::Array(Array { shape: shape.to_vec(), data })
}

fn reads(text: &str, elem: PrimType, rank: usize) -> Value {
    read_values(text.as_bytes(), &[expect(elem, rank)]).unwrap().remove(0)
}

fn refuses(bytes: impl AsRef<[u8]>, elem: PrimType, rank: usize) -> String {
    let named = Expected { name: Some("xs"), ..expect(elem, rank) };
    read_values(bytes.as_ref(), &[named]).unwrap_err().to_string()
}

/// The message for a value of another form than the type of the parameter.
fn unexpected(place: &str, expected: &str, actual: &str) -> String {
    format!("{place}: value 1 (`xs`): unexpected input\n  Expected: {expected}\n  Actual:   {actual}")
}

#[test]
fn scalars_in_text() {
    let scalar =
        |text, value: PrimValue| assert_eq!(reads(text, value.ty(), 0), Value::Scalar(value), "{text}");
    scalar("3", PrimValue::I32(3));
    scalar("-128i8", PrimValue::I8(-128));
    scalar("0xff", PrimValue::U8(255));
    scalar("0xFFu8", PrimValue::U8(255));
    scalar("0x1.8p3", PrimValue::F32(12.0));
    scalar("-0x1p-14f16", PrimValue::F16(-f16::MIN_POSITIVE));
    scalar("0x1.fffffffffffffp1023f64", PrimValue::F64(f64::MAX));
    scalar("-0x8000_0000i32", PrimValue::I32(i32::MIN));
    scalar("0b1010", PrimValue::I64(10));
    scalar("1_000_000", PrimValue::U64(1_000_000));
    scalar("18446744073709551615u64", PrimValue::U64(u64::MAX));
    scalar("1", PrimValue::F64(1.0));
    scalar("-1.5e-3f32", PrimValue::F32(-1.5e-3));
    scalar("1_0.5", PrimValue::F64(10.5));
    scalar("0.1", PrimValue::F16(f16::from_f64(0.1)));
    scalar("f64.nan", PrimValue::F64(f64::NAN));
    scalar("-f32.inf", PrimValue::F32(f32::NEG_INFINITY));
    scalar("  -- a comment\n true -- and another", PrimValue::Bool(true));
}

#[test]
fn integers_that_fit_the_width_of_their_type_are_its_bits() {
    let scalar =
        |text, value: PrimValue| assert_eq!(reads(text, value.ty(), 0), Value::Scalar(value), "{text}");
    scalar("255i8", PrimValue::I8(-1));
    scalar("128", PrimValue::I8(-128));
    scalar("0b11111111i8", PrimValue::I8(-1));
    scalar("0x8407i16", PrimValue::I16(-31737));
    scalar("4294967295i32", PrimValue::I32(-1));
    scalar("0xffff_ffff_ffff_ffffi64", PrimValue::I64(-1));
    scalar("-1", PrimValue::U8(255));
    scalar("-32768u16", PrimValue::U16(32768));
    scalar("-271733879u32", PrimValue::U32(4_023_233_417));
    scalar("-9223372036854775808u64", PrimValue::U64(1 << 63));
    assert_eq!(reads("[255, -128]", PrimType::I8, 1), array(&[2], Data::I8(vec![-1, -128].into())));
    assert_eq!(read_any(b"4294967295").unwrap(), [Value::Scalar(PrimValue::I32(-1))]);
    for (text, elem) in [
        ("256", PrimType::I8),
        ("256", PrimType::U8),
        ("-129", PrimType::I8),
        ("-129", PrimType::U8),
        ("0x10000", PrimType::I16),
        ("4294967296", PrimType::I32),
        ("-2147483649", PrimType::U32),
        ("18446744073709551616", PrimType::I64),
        ("-9223372036854775809", PrimType::U64),
    ] {
        let wrong = format!("1:1: value 1 (`xs`): `{text}` does not fit in {elem}");
        assert_eq!(refuses(text, elem, 0), wrong);
    }
}

#[test]
fn floats_beyond_the_range_of_their_type_are_infinite() {
    for (text, infinite) in [
        ("1e5f16", PrimValue::F16(f16::INFINITY)),
        ("65519.99", PrimValue::F16(f16::MAX)),
        ("65520", PrimValue::F16(f16::INFINITY)),
        ("-1e39f32", PrimValue::F32(f32::NEG_INFINITY)),
        ("0x1p128", PrimValue::F32(f32::INFINITY)),
        ("0x1p99999f32", PrimValue::F32(f32::INFINITY)),
        ("1e999", PrimValue::F64(f64::INFINITY)),
        ("-0x1p1024", PrimValue::F64(f64::NEG_INFINITY)),
    ] {
        assert_eq!(reads(text, infinite.ty(), 0), Value::Scalar(infinite), "{text}");
    }
}

#[test]
fn arrays_in_text() {
    assert_eq!(reads("[1, 2,3i32]", PrimType::I32, 1), array(&[3], Data::I32(vec![1, 2, 3].into())));
    let grid = array(&[2, 3], Data::F64(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into()));
    assert_eq!(reads("[[1,2,3],-- row\n [4,5,6]]", PrimType::F64, 2), grid);
    assert_eq!(reads("empty([0]i32)", PrimType::I32, 1), array(&[0], Data::I32(vec![].into())));
    assert_eq!(reads("empty( [3] [0] bool )", PrimType::Bool, 2), array(&[3, 0], Data::Bool(vec![].into())));
}

#[test]
fn strings_are_arrays_of_bytes() {
    assert_eq!(reads(r#""hello""#, PrimType::U8, 1), array(&[5], Data::U8(b"hello".to_vec().into())));
    assert_eq!(reads("\"\"", PrimType::U8, 1), array(&[0], Data::U8(Vec::new().into())));
    assert_eq!(reads(r#""a\"\\\n\t""#, PrimType::U8, 1), array(&[5], Data::U8(b"a\"\\\n\t".to_vec().into())));
    assert_eq!(refuses(r#""hello""#, PrimType::I32, 1), unexpected("1:1", "[]i32", "[5]u8"));
    let rows = array(&[2, 2], Data::U8(b"abcd".to_vec().into()));
    assert_eq!(reads(r#"["ab", "cd"]"#, PrimType::U8, 2), rows);
    assert_eq!(reads(r#"["ab", [99u8, 100u8],]"#, PrimType::U8, 2), rows);
    assert_eq!(read_any(r#"["ab","cd"]"#.as_bytes()).unwrap(), [rows]);
    assert_eq!(reads(r#"[[""], [""]]"#, PrimType::U8, 3), array(&[2, 1, 0], Data::U8(Vec::new().into())));
    assert_eq!(
        refuses(r#"["ab", "c"]"#, PrimType::U8, 2),
        "1:11: value 1 (`xs`): irregular array: this row has size 1, those before it 2"
    );
    assert_eq!(
        refuses(r#""hello"#, PrimType::U8, 1),
        "1:1: value 1 (`xs`): a string without its closing quote"
    );
    assert_eq!(
        refuses(r#""a\q""#, PrimType::U8, 1),
        "1:3: value 1 (`xs`): an escape that a string cannot hold"
    );
}

#[test]
fn types_are_written_with_their_names_in_the_source() {
    let types = |text: &str| {
        let values = read_any(text.as_bytes()).unwrap();
        values.iter().map(Value::type_text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        types("1 1.0 1e3 0x1f32 true f32.nan -f16.inf 1u8 2f32 0x1.8p3 0x1p-3f32"),
        "i32 f64 f64 i32 bool f32 f16 u8 f32 f64 f32"
    );
    assert_eq!(types("[1,2] [[1.5],[2]] [1i64] empty([0][2]u8)"), "[2]i32 [2][1]f64 [1]i64 [0][2]u8");
    assert_eq!(types(""), "");
}

#[test]
fn text_is_written_as_in_source() {
    let values = [
        Value::Scalar(PrimValue::F64(0.5)),
        array(&[2], Data::I32(vec![1, -2].into())),
        array(&[2, 1], Data::F32(vec![f32::INFINITY, 1e30].into())),
        array(&[0, 3], Data::I32(vec![].into())),
        array(&[1], Data::Bool(vec![false].into())),
    ];
    let text = "0.5f64\n[1i32, -2i32]\n[[f32.inf], [1e30f32]]\nempty([0][3]i32)\n[false]\n";
    assert_eq!(write_text(&values), text);
}

#[test]
fn wrong_text_is_located_and_named() {
    let refuses = |text: &str, elem, rank| refuses(text, elem, rank);
    use PrimType::{F64, I32, U8};
    assert_eq!(refuses("3i64", I32, 0), unexpected("1:1", "i32", "`3i64`"));
    assert_eq!(refuses("[1,\n 2.5]", I32, 1), unexpected("2:2", "i32", "`2.5`"));
    assert_eq!(refuses("300", U8, 0), "1:1: value 1 (`xs`): `300` does not fit in u8");
    assert_eq!(refuses("[1, 2]", F64, 2), unexpected("1:1", "[][]f64", "[2]i32"));
    assert_eq!(refuses("[1, 2]", I32, 0), unexpected("1:1", "i32", "[2]i32"));
    assert_eq!(refuses("empty([0]i32)", F64, 1), unexpected("1:1", "[]f64", "[0]i32"));
    assert_eq!(
        refuses("[[1, 2], [3]]", I32, 2),
        "1:12: value 1 (`xs`): irregular array: this row has size 1, those before it 2"
    );
    assert_eq!(refuses("[1 2]", I32, 1), "1:4: value 1 (`xs`): expected `,` or `]`, found `2`");
    assert_eq!(
        refuses("[]", I32, 1),
        "1:2: value 1 (`xs`): an array without elements is written empty([0]i32)"
    );
    assert_eq!(refuses("empty([3]i32)", I32, 1), "1:1: value 1 (`xs`): an empty array has a size that is 0");
    assert_eq!(refuses("[1,", I32, 1), unexpected("1:4", "i32", "the end of the input"));
    assert_eq!(refuses(" ", I32, 1), unexpected("1:2", "[]i32", "the end of the input"));
    assert_eq!(refuses("1 2", I32, 0), "1:3: expected the end of the input, found `2`");
    for text in ["+1", ".5", "inf", "nan", "1..2", "0x", "_1", "1__e", "\u{e4}", "1f32"] {
        assert!(refuses(text, F64, 0).contains("Expected: f64"), "{text}");
    }
    assert!(read_any("[".repeat(300).as_bytes()).is_err());
}

/// A binary header and the bytes after it.
fn binary(name: &[u8; 4], shape: &[u64], elements: &[u8]) -> Vec<u8> {
    let mut bytes = vec![b'b', 2, shape.len() as u8];
    bytes.extend(name);
    shape.iter().for_each(|size| bytes.extend(size.to_le_bytes()));
    bytes.extend(elements);
    bytes
}

#[test]
fn binary_has_the_published_layout() {
    let value = array(&[2, 1], Data::I16(vec![1, -2].into()));
    let bytes = binary(b" i16", &[2, 1], &[1, 0, 0xfe, 0xff]);
    assert_eq!(write_binary(std::slice::from_ref(&value)), bytes);
    assert_eq!(read_any(&bytes).unwrap(), [value]);
    assert_eq!(read_any(&binary(b"bool", &[], &[1])).unwrap(), [Value::Scalar(PrimValue::Bool(true))]);
}

#[test]
fn text_and_binary_may_follow_each_other() {
    let mut bytes = b"1 \n".to_vec();
    bytes.extend(binary(b"  u8", &[2], b"--"));
    bytes.extend(b"-- then text\n[2, 3]");
    let expected = [expect(PrimType::I64, 0), expect(PrimType::U8, 1), expect(PrimType::I64, 1)];
    let values = read_values(&bytes, &expected).unwrap();
    assert_eq!(write_text(&values), "1i64\n[45u8, 45u8]\n[2i64, 3i64]\n");
}

#[test]
fn wrong_binary_is_located_and_named() {
    use PrimType::{F64, I32};
    let good = binary(b" i32", &[1], &[1, 0, 0, 0]);
    assert_eq!(refuses(&good[..12], I32, 1), "byte 12: value 1 (`xs`): the binary value ends in its header");
    assert_eq!(
        refuses(&good[..18], I32, 1),
        "byte 15: value 1 (`xs`): the header says [1]i32, but only 3 bytes of elements follow"
    );
    assert_eq!(
        refuses(binary(b" i32", &[1 << 60], &[]), I32, 1),
        "byte 15: value 1 (`xs`): the header says [1152921504606846976]i32, but this many elements do not fit in the memory"
    );
    assert_eq!(
        refuses(binary(b" i32", &[u64::MAX], &[]), I32, 1),
        "byte 7: value 1 (`xs`): a size is negative or too large"
    );
    let huge = binary(b" i32", &[1 << 62; 255], &[]);
    assert!(refuses(huge, I32, 255).contains("this many elements do not fit in the memory"));
    assert_eq!(refuses(&good, F64, 1), unexpected("byte 0", "[]f64", "[1]i32"));
    assert_eq!(refuses(&good, I32, 0), unexpected("byte 0", "i32", "[1]i32"));
    assert_eq!(
        refuses(binary(b" i33", &[], &[]), I32, 0),
        "byte 3: value 1 (`xs`): no element type is called ` i33`"
    );
    assert_eq!(
        refuses(b"b\x01\x00 i32", I32, 0),
        "byte 1: value 1 (`xs`): binary values of version 1 are unknown, only version 2 is"
    );
    let mut long = good.clone();
    long.push(b'7');
    assert_eq!(refuses(&long, I32, 1), "byte 19: expected the end of the input, found `7`");
}

/// Any value of up to three dimensions. Only the binary format keeps the payload of a NaN.
fn any_value() -> impl Strategy<Value = Value> {
    let elem = proptest::sample::select(&PrimType::ALL[..]);
    (elem, proptest::collection::vec(0usize..4, 0..4)).prop_flat_map(|(elem, shape)| {
        let count: usize = shape.iter().product();
        proptest::collection::vec(any::<u64>(), count).prop_map(move |bits| {
            let element = |&bits: &u64| PrimValue::from_bits(elem, bits);
            if shape.is_empty() {
                return Value::Scalar(element(&bits[0]));
            }
            let data = with_element!(elem, T => {
                let bytes = bits.iter().map(|bits| T::read(&bits.to_le_bytes()[..elem.bytes()]));
                T::wrap(bytes.collect::<Vec<T>>())
            });
            Value::Array(Array { shape: shape.clone(), data })
        })
    })
}

/// A writer that counts bytes.
#[derive(Default)]
struct Counter {
    all: usize,
    max_at_once: usize,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.all += bytes.len();
        self.max_at_once = self.max_at_once.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A program with large results may have no memory left for a copy of them.
#[test]
fn large_values_are_written_in_parts() {
    let values = [array(&[2, 200_000], Data::zeros(PrimType::F64, 400_000).unwrap())];
    let (mut text, mut binary) = (Counter::default(), Counter::default());
    write_text_to(&values, &mut text).unwrap();
    write_binary_to(&values, &mut binary).unwrap();
    assert_eq!((text.all, binary.all), (write_text(&values).len(), write_binary(&values).len()));
    assert!(text.max_at_once < 1 << 20 && binary.max_at_once < 1 << 20, "{}", binary.max_at_once);
}

fn bits(values: &[Value]) -> Vec<u8> {
    write_binary(values)
}

proptest! {
    #[test]
    fn binary_round_trips(values in proptest::collection::vec(any_value(), 0..4)) {
        let back = read_any(&write_binary(&values)).unwrap();
        prop_assert_eq!(bits(&back), bits(&values));
    }

    #[test]
    fn text_round_trips(values in proptest::collection::vec(any_value(), 0..4)) {
        let text = write_text(&values);
        let back = read_any(text.as_bytes()).unwrap();
        prop_assert_eq!(write_text(&back), text.clone());
        let expected: Vec<_> = values.iter().map(|value| expect(value.elem(), value.shape().len())).collect();
        let typed = read_values(text.as_bytes(), &expected).unwrap();
        prop_assert_eq!(bits(&typed), bits(&back));
        for (value, back) in values.iter().zip(&back) {
            prop_assert_eq!(crate::approx_equal(value, back, 0.0), Ok(()));
        }
    }

    #[test]
    fn no_bytes_make_the_readers_panic(bytes: Vec<u8>, rank in 0usize..4, elem in 0usize..12) {
        let _ = read_any(&bytes);
        let _ = read_values(&bytes, &[expect(PrimType::ALL[elem], rank)]);
    }

    #[test]
    fn readers_do_not_panic_on_text_that_resembles_data(
        text in "([-+\\[\\],. \n_0-9a-fxiu]|empty\\(|i32|f64|nan|inf|true){0,24}", elem in 0usize..12, rank in 0usize..3,
    ) {
        let _ = read_any(text.as_bytes());
        let _ = read_values(text.as_bytes(), &[expect(PrimType::ALL[elem], rank)]);
    }

    #[test]
    fn readers_do_not_panic_on_any_bytes_after_a_binary_mark(
        rank in 0u8..4, name in proptest::sample::select(vec![*b" i32", *b"bool", *b" f64"]), rest: Vec<u8>,
    ) {
        let mut bytes = vec![b'b', 2, rank];
        bytes.extend(name);
        bytes.extend(rest);
        let _ = read_any(&bytes);
    }
}
