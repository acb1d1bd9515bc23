//! IEEE arithmetic on the device, which plain WGSL does not guarantee.

use ravel_abi::{Data, Value};

use crate::support::{gpu, row, run};

/// For each x: x != x, x - x, -x * 0, and x - 0, which keeps the sign of zero.
fn text(ty: &str) -> String {
    format!(
        r#"entry "main" [n] (xs: block {ty} [n]) -> ([]bool, []{ty}, []{ty}, []{ty}) {{
          view x1: {ty} [n] = xs + 0i64 * [1i64]
          alloc a: block bool = n
          alloc b: block {ty} = n
          alloc c: block {ty} = n
          alloc d: block {ty} = n
          view a1: bool [n] = a + 0i64 * [1i64]
          view b1: {ty} [n] = b + 0i64 * [1i64]
          view c1: {ty} [n] = c + 0i64 * [1i64]
          view d1: {ty} [n] = d + 0i64 * [1i64]
          segment map (i < n) chunk 1i64 {{
            load x: {ty} = x1[i]
            let differs: bool = ne(x, x)
            store a1[i] = differs
            let nothing: {ty} = sub(x, x)
            store b1[i] = nothing
            let minus: {ty} = neg(x)
            let zero: {ty} = mul(minus, 0{ty})
            store c1[i] = zero
            let same: {ty} = sub(x, 0{ty})
            store d1[i] = same
          }}
          yield n, a, n, b, n, c, n, d
        }}"#
    )
}

fn bits(value: &Value) -> Vec<u64> {
    let Value::Array(array) = value else { return Vec::new() };
    (0..array.data.len()).filter_map(|at| array.data.get(at)).map(|x| x.bits()).collect()
}

#[test]
fn nan_infinity_and_negative_zero_in_f32() {
    let xs = [1.5f32, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let results = run(&text("f32"), &[row(Data::F32(xs.to_vec().into()))]);
    assert_eq!(results[0], row(Data::Bool(vec![false, false, false, false, false, true].into())));
    let nan =
        |value: &Value| bits(value).iter().map(|&x| f32::from_bits(x as u32).is_nan()).collect::<Vec<_>>();
    assert_eq!(nan(&results[1]), [false, false, false, true, true, true]);
    let [zero, minus] = [0.0f32, -0.0].map(|x| u64::from(x.to_bits()));
    assert_eq!(bits(&results[2])[..3], [minus, minus, zero]);
    assert_eq!(nan(&results[2])[3..], [true, true, true]);
    assert_eq!(bits(&results[3])[..3], [u64::from(1.5f32.to_bits()), zero, minus]);
}

#[test]
fn nan_infinity_and_negative_zero_in_f64() {
    let xs = [1.5f64, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let results = run(&text("f64"), &[row(Data::F64(xs.to_vec().into()))]);
    assert_eq!(results[0], row(Data::Bool(vec![false, false, false, false, false, true].into())));
    let nan = |value: &Value| bits(value).iter().map(|&x| f64::from_bits(x).is_nan()).collect::<Vec<_>>();
    assert_eq!(nan(&results[1]), [false, false, false, true, true, true]);
    let [zero, minus] = [0.0f64, -0.0].map(f64::to_bits);
    assert_eq!(bits(&results[2])[..3], [minus, minus, zero]);
    assert_eq!(nan(&results[2])[3..], [true, true, true]);
    assert_eq!(bits(&results[3])[..3], [1.5f64.to_bits(), zero, minus]);
}

#[test]
fn some_device_passes_the_probe() {
    assert_eq!(gpu().info().probe, Ok(()));
    assert!(ravel_gpu::devices().iter().any(|device| device.name == gpu().info().name));
}
