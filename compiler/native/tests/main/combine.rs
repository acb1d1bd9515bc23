//! Reductions and scans: lengths around the chunk size, operators that do not commute, tuples.

use ravel_abi::{Array, Data, Value};
use ravel_prim::PrimValue;

use crate::{i64s, load, run, scalar, vector};

const CHUNK: i64 = 8;

/// Lengths around one and two chunks, and a length of many chunks.
fn lengths() -> [i64; 9] {
    [0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1, 1000 * CHUNK + 3]
}

/// A reduction or a scan (`kind`) with two operators. The first composes the affine maps x -> a*x + b modulo 2^64,
/// which does not commute. The second is a maximum.
fn affine(kind: &str, shape: &str, stride: &str, count: &str, results: &str, ending: &str) -> String {
    format!(
        r#"entry "f" [n] (as: block i64 [n], bs: block i64 [n]) -> ({results}) {{
          view a1: i64 [n] = as + 0i64 * [1i64]
          view b1: i64 [n] = bs + 0i64 * [1i64]
          alloc oa: block i64 = {count}
          alloc ob: block i64 = {count}
          alloc om: block i32 = {count}
          view outa: i64 {shape} = oa + 0i64 * {stride}
          view outb: i64 {shape} = ob + 0i64 * {stride}
          view outm: i32 {shape} = om + 0i64 * {stride}
          segment {kind} (i < n) chunk {CHUNK}i64 {{
            load a: i64 = a1[i]
            load b: i64 = b1[i]
            let m: i32 = i32(a)
            yield a, b, m
          }} combine (la: i64, lb: i64) (ra: i64, rb: i64) neutral (1i64, 0i64) into (outa, outb) {{
            let a2: i64 = mul(la, ra)
            let t: i64 = mul(ra, lb)
            let b2: i64 = add(t, rb)
            yield a2, b2
          }} combine (lm: i32) (rm: i32) neutral (-2147483648i32) into (outm) commutative {{
            let m2: i32 = max(lm, rm)
            yield m2
          }}
          {ending}
        }}"#
    )
}

fn inputs(length: i64) -> (Vec<i64>, Vec<i64>) {
    ((0..length).map(|i| i * 7919 % 1009 - 500).collect(), (0..length).map(|i| i * i % 13 - 6).collect())
}

/// The expected prefixes of [`affine`].
fn prefixes(a: &[i64], b: &[i64]) -> Vec<(i64, i64, i32)> {
    let mut state = (1_i64, 0_i64, i32::MIN);
    a.iter()
        .zip(b)
        .map(|(&a, &b)| {
            state = (state.0.wrapping_mul(a), a.wrapping_mul(state.1).wrapping_add(b), state.2.max(a as i32));
            state
        })
        .collect()
}

#[test]
fn reductions_of_every_length() {
    let ending = "load x: i64 = outa[] load y: i64 = outb[] load z: i32 = outm[] yield x, y, z";
    let program = load(&affine("reduce", "[]", "[]", "1i64", "i64, i64, i32", ending));
    for length in lengths() {
        let (a, b) = inputs(length);
        let last = prefixes(&a, &b).last().copied().unwrap_or((1, 0, i32::MIN));
        let expected = [scalar(last.0), scalar(last.1), scalar(last.2)];
        assert_eq!(run(&program, &[i64s(a), i64s(b)]).unwrap(), expected, "of {length}");
    }
}

#[test]
fn scans_of_every_length() {
    let ending = "yield n, oa, n, ob, n, om";
    let stored = affine("scan", "[n]", "[1i64]", "n", "[]i64, []i64, []i32", ending);
    // The code after the scan stores the same values.
    let finish =
        "finish (pa: i64, pb: i64, pm: i32) { store outa[i] = pa store outb[i] = pb store outm[i] = pm }";
    let finished = stored.replace("into (outa, outb)", "into ()").replace("into (outm)", "into ()");
    let finished = finished.replace(ending, &format!("{finish} {ending}"));
    for (name, program) in [("stored", load(&stored)), ("finished", load(&finished))] {
        for length in lengths() {
            let (a, b) = inputs(length);
            let all = prefixes(&a, &b);
            let expected = [
                i64s(all.iter().map(|prefix| prefix.0)),
                i64s(all.iter().map(|prefix| prefix.1)),
                vector(Data::I32(all.iter().map(|prefix| prefix.2).collect())),
            ];
            assert_eq!(run(&program, &[i64s(a), i64s(b)]).unwrap(), expected, "{name}, of {length}");
        }
    }
}

#[test]
fn code_after_a_scan_stores_where_its_condition_holds() {
    // Positive numbers go where the prefix says; the rest of the array keeps a -1.
    let program = load(&format!(
        r#"entry "f" [n] (as: block i64 [n]) -> ([]i64) {{
          view a1: i64 [n] = as + 0i64 * [1i64]
          alloc kept: block i64 = n
          view kept1: i64 [n] = kept + 0i64 * [1i64]
          segment map (j < n) chunk {CHUNK}i64 {{
            store kept1[j] = -1i64
          }}
          segment scan (i < n) chunk {CHUNK}i64 {{
            load a: i64 = a1[i]
            let is: bool = lt(0i64, a)
            let one: i64 = i64(is)
            yield one
          }} combine (l: i64) (r: i64) neutral (0i64) into () {{
            let s: i64 = add(l, r)
            yield s
          }} finish (p: i64) {{
            load x: i64 = a1[i]
            let goes: bool = lt(0i64, x)
            let k: i64 = sub(p, 1i64)
            if goes {{
              store kept1[k] = x
            }} else {{
            }}
          }}
          yield n, kept
        }}"#
    ));
    for length in lengths() {
        let (a, _) = inputs(length);
        let mut kept: Vec<i64> = a.iter().copied().filter(|&x| x > 0).collect();
        kept.resize(a.len(), -1);
        assert_eq!(run(&program, &[i64s(a)]).unwrap(), [i64s(kept)], "of {length}");
    }
}

#[test]
fn a_scan_may_overwrite_every_other_element() {
    // Every other element of a block of 2n gets the prefix sums; the others keep their value.
    let program = load(
        r#"entry "f" [n] (*a: block i64 [n]) -> ([]i64) {
          let half: i64 = quot(n, 2i64)
          view evens: i64 [half] = a + 0i64 * [2i64]
          segment scan (i < half) chunk 3i64 {
            yield i
          } combine (l: i64) (r: i64) neutral (0i64) into (evens) {
            let s: i64 = add(l, r)
            yield s
          }
          yield n, a
        }"#,
    );
    let expected = i64s((0..50).map(|i| if i % 2 == 0 { (i / 2) * (i / 2 + 1) / 2 } else { i }));
    assert_eq!(run(&program, &[i64s(0..50)]).unwrap(), [expected]);
}

/// A thread alone may take all points as one chunk, but not if the operator rounds: then the chunks decide the bits.
#[test]
fn commutative_scans_are_the_same_for_a_thread_alone() {
    let text = |ty: &str, zero: &str| {
        format!(
            "entry \"f\" [n] (a: block {ty} [n]) -> ([]{ty}) {{
               view xs: {ty} [n] = a + 0i64 * [1i64]
               alloc b: block {ty} = n
               view ys: {ty} [n] = b + 0i64 * [1i64]
               segment scan (i < n) chunk {CHUNK}i64 {{
                 load x: {ty} = xs[i]
                 yield x
               }} combine (l: {ty}) (r: {ty}) neutral ({zero}) into (ys) commutative {{
                 let s: {ty} = add(l, r)
                 yield s
               }}
               yield n, b
             }}"
        )
    };
    let (integers, floats) = (load(&text("i64", "0i64")), load(&text("f32", "0.0f32")));
    for length in lengths() {
        let (a, _) = inputs(length);
        let sums = a.iter().scan(0i64, |sum, &x| {
            *sum = sum.wrapping_add(x);
            Some(*sum)
        });
        let expected = i64s(sums);
        assert_eq!(run(&integers, &[i64s(a)]).unwrap(), [expected], "of {length}");
        let thirds = (0..length).map(|i| 1.0 / (3.0 + i as f32)).collect();
        run(&floats, &[vector(Data::F32(thirds))]).unwrap();
    }
}

#[test]
fn the_threads_of_a_reduction_may_store() {
    let program = load(
        r#"entry "f" [n] (a: block f64 [n]) -> ([]f64, f64) {
          view xs: f64 [n] = a + 0i64 * [1i64]
          alloc b: block f64 = n
          view ys: f64 [n] = b + 0i64 * [1i64]
          alloc s: block f64 = 1i64
          view sum: f64 [] = s + 0i64 * []
          segment reduce (i < n) chunk 4i64 {
            load x: f64 = xs[i]
            let y: f64 = mul(x, x)
            store ys[i] = y
            yield y
          } combine (l: f64) (r: f64) neutral (0.0f64) into (sum) {
            let t: f64 = add(l, r)
            yield t
          }
          load total: f64 = sum[]
          yield n, b, total
        }"#,
    );
    let xs: Vec<f64> = (0..1000).map(|i| 1.0 / f64::from(i + 1)).collect();
    let squares: Vec<f64> = xs.iter().map(|x| x * x).collect();
    let chunks = squares.chunks(4).map(|chunk| chunk.iter().sum::<f64>());
    let sum = chunks.reduce(|left, right| left + right).unwrap();
    let results = run(&program, &[vector(Data::F64(xs.into()))]).unwrap();
    assert_eq!(results, [vector(Data::F64(squares.into())), Value::Scalar(PrimValue::F64(sum))]);
}

#[test]
fn bools_are_combined_in_strands() {
    let program = load(
        r#"entry "f" [n] (a: block i32 [n]) -> (bool) {
          view xs: i32 [n] = a + 0i64 * [1i64]
          alloc o: block bool = 1i64
          view all: bool [] = o + 0i64 * []
          segment reduce (i < n) chunk 1000i64 {
            load x: i32 = xs[i]
            let small: bool = lt(x, 100i32)
            yield small
          } combine (l: bool) (r: bool) neutral (true) into (all) commutative {
            let t: bool = and(l, r)
            yield t
          }
          load total: bool = all[]
          yield total
        }"#,
    );
    for large in [0, 7, 150, 298, 300] {
        let numbers = (0..300).map(|at| if at == large { 100 } else { 99 - at % 5 });
        let expected = [scalar(large == 300)];
        assert_eq!(run(&program, &[vector(Data::I32(numbers.collect()))]).unwrap(), expected, "{large}");
    }
}

#[test]
fn operators_combine_bools_bytes_and_floats() {
    let program = load(
        r#"entry "f" [n] (a: block bool [n], b: block u8 [n]) -> (bool, u8, f32) {
          view flags: bool [n] = a + 0i64 * [1i64]
          view bytes: u8 [n] = b + 0i64 * [1i64]
          alloc o1: block bool = 1i64
          alloc o2: block u8 = 1i64
          alloc o3: block f32 = 1i64
          view all: bool [] = o1 + 0i64 * []
          view most: u8 [] = o2 + 0i64 * []
          view sum: f32 [] = o3 + 0i64 * []
          segment reduce (i < n) chunk 2i64 {
            load flag: bool = flags[i]
            load byte: u8 = bytes[i]
            let float: f32 = f32(byte)
            yield flag, byte, float
          } combine (l: bool) (r: bool) neutral (true) into (all) {
            let t: bool = and(l, r)
            yield t
          } combine (lb: u8, lf: f32) (rb: u8, rf: f32) neutral (0u8, 0.0f32) into (most, sum) {
            let b2: u8 = max(lb, rb)
            let f2: f32 = add(lf, rf)
            yield b2, f2
          }
          load x: bool = all[]
          load y: u8 = most[]
          load z: f32 = sum[]
          yield x, y, z
        }"#,
    );
    let flags = |flags: &[bool]| {
        Value::Array(Array { shape: vec![flags.len()], data: Data::Bool(flags.to_vec().into()) })
    };
    let bytes = |bytes: &[u8]| vector(Data::U8(bytes.to_vec().into()));
    let results = |a: &[bool], b: &[u8]| run(&program, &[flags(a), bytes(b)]).unwrap();
    let five = [true, true, true, true, true];
    assert_eq!(results(&five, &[3, 200, 9, 10, 1]), [scalar(true), scalar(200_u8), scalar(223.0_f32)]);
    let four = [true, true, true, true, false];
    assert_eq!(results(&four, &[0; 5]), [scalar(false), scalar(0_u8), scalar(0.0_f32)]);
    assert_eq!(results(&[], &[]), [scalar(true), scalar(0_u8), scalar(0.0_f32)]);
}
