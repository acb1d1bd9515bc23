//! Compares every operator on every type with the evaluator of `prim`.

use std::fmt::Write;
use std::sync::OnceLock;

use proptest::prelude::*;
use ravel_abi::{Array, Data, Value};
use ravel_cpu::Program;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use crate::{load, options};

type Meaning = Box<dyn Fn(PrimValue, PrimValue) -> Option<PrimValue> + Send + Sync>;

/// An operator on a type, with the type of its result and a function that computes the expected value.
struct Operation {
    name: String,
    ty: PrimType,
    result: PrimType,
    text: String,
    meaning: Meaning,
}

fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    for ty in PrimType::ALL {
        let mut add = |name: &str, result, text, meaning: Meaning| {
            all.push(Operation { name: format!("{name}_{ty}"), ty, result, text, meaning });
        };
        for &op in BinOp::ALL.iter().filter(|op| op.takes(ty)) {
            add(
                op.name(),
                ty,
                format!("{}(a, b)", op.name()),
                Box::new(move |a, b| ravel_prim::binary(op, a, b)),
            );
        }
        for &op in UnOp::ALL.iter().filter(|op| op.takes(ty)) {
            let meaning = Box::new(move |a, _| ravel_prim::unary(op, a));
            add(op.name(), op.result(ty), format!("{}(a)", op.name()), meaning);
        }
        for &op in CmpOp::ALL {
            let meaning = Box::new(move |a, b| ravel_prim::compare(op, a, b).map(PrimValue::Bool));
            add(op.name(), PrimType::Bool, format!("{}(a, b)", op.name()), meaning);
        }
        for to in PrimType::ALL {
            let meaning = Box::new(move |a, _| Some(ravel_prim::convert(a, to)));
            add(&format!("to_{to}"), to, format!("{to}(a)"), meaning);
        }
    }
    all
}

/// All operations, and a program that has an entry point for each.
fn program_of_all_operations() -> &'static (Vec<Operation>, Program) {
    static EVERYTHING: OnceLock<(Vec<Operation>, Program)> = OnceLock::new();
    EVERYTHING.get_or_init(|| {
        let operations = operations();
        let mut text = String::new();
        for Operation { name, ty, result, text: exp, .. } in &operations {
            write!(
                text,
                r#"entry "{name}" [n] (as: block {ty} [n], bs: block {ty} [n]) -> ([]{result}) {{
                  view a1: {ty} [n] = as + 0i64 * [1i64]
                  view b1: {ty} [n] = bs + 0i64 * [1i64]
                  alloc cs: block {result} = n
                  view c1: {result} [n] = cs + 0i64 * [1i64]
                  segment map (i < n) chunk 64i64 {{
                    load a: {ty} = a1[i]
                    load b: {ty} = b1[i]
                    let c: {result} = {exp}
                    store c1[i] = c
                  }}
                  yield n, cs
                }}
                "#
            )
            .unwrap();
        }
        let program = load(&text);
        (operations, program)
    })
}

/// Whether a result agrees with the evaluator. NaNs agree whatever their bits. The minimum and maximum of 0 and -0 may
/// be either, because the two compare equal.
fn agrees(name: &str, expected: PrimValue, found: PrimValue) -> bool {
    let unordered_zeros = name.starts_with("min_") || name.starts_with("max_");
    match (expected, found) {
        (PrimValue::F16(x), PrimValue::F16(y)) if x.is_nan() || unordered_zeros => x == y || y.is_nan(),
        (PrimValue::F32(x), PrimValue::F32(y)) if x.is_nan() || unordered_zeros => x == y || y.is_nan(),
        (PrimValue::F64(x), PrimValue::F64(y)) if x.is_nan() || unordered_zeros => x == y || y.is_nan(),
        _ => expected == found,
    }
}

/// Runs all operations on these bit patterns, truncated to the width of each type.
fn check(pairs: &[(u64, u64)]) {
    let (operations, program) = program_of_all_operations();
    for operation in operations {
        let column = |pick: &dyn Fn(&(u64, u64)) -> u64| {
            let values: Vec<PrimValue> =
                pairs.iter().map(|pair| PrimValue::from_bits(operation.ty, pick(pair))).collect();
            (values.clone(), array(operation.ty, &values))
        };
        let (a, first) = column(&|pair| pair.0);
        let (b, second) = column(&|pair| pair.1);
        let (results, _) = program.call(&operation.name, &[first, second], &options(1)).expect("runs");
        let Value::Array(results) = &results[0] else { panic!("an array") };
        for (place, (&a, &b)) in a.iter().zip(&b).enumerate() {
            let found = results.data.get(place).expect("an element");
            assert_eq!(found.ty(), operation.result);
            if let Some(expected) = (operation.meaning)(a, b) {
                let name = &operation.name;
                assert!(agrees(name, expected, found), "{name}({a:?}, {b:?}) is {expected:?}, not {found:?}");
            }
        }
    }
}

fn array(ty: PrimType, values: &[PrimValue]) -> Value {
    let mut bytes = Vec::new();
    for value in values {
        bytes.extend_from_slice(&value.bits().to_le_bytes()[..ty.bytes()]);
    }
    Value::Array(Array { shape: vec![values.len()], data: Data::from_bytes(ty, &bytes) })
}

/// Bit patterns that are edge cases of some type.
fn edges() -> Vec<u64> {
    let mut edges = vec![0, 1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, u64::MAX, u64::MAX - 1];
    for bits in [8, 16, 32, 64] {
        let sign = 1_u64 << (bits - 1);
        edges.extend([sign, sign - 1, sign + 1, sign.wrapping_mul(2).wrapping_sub(1)]);
    }
    let floats = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.5,
        3.7,
        100.0,
        127.5,
        255.9,
        32768.0,
        65536.0,
        2147483648.0,
        4294967296.0,
        9223372036854775808.0,
        18446744073709551616.0,
        1e-320,
        1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NAN,
    ];
    for float in floats {
        for float in [float, -float] {
            edges.push(float.to_bits());
            edges.push(u64::from((float as f32).to_bits()));
            edges.push(ravel_prim::convert(PrimValue::F64(float), PrimType::F16).bits());
        }
    }
    edges
}

#[test]
fn operators_agree_with_prim_on_edge_values() {
    let edges = edges();
    let pairs: Vec<(u64, u64)> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect();
    check(&pairs);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn operators_agree_with_prim_on_random_values(
        pairs in prop::collection::vec((any::<u64>(), any::<u64>()), 200),
        small in prop::collection::vec((-100.0..100.0_f64, -5.0..5.0_f64), 100),
    ) {
        let mut pairs = pairs;
        for (a, b) in small {
            pairs.push((a.to_bits(), b.to_bits()));
            pairs.push((u64::from((a as f32).to_bits()), u64::from((b as f32).to_bits())));
        }
        check(&pairs);
    }
}
