//! Failed assertions, the stop flag, arguments of wrong types.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ravel_abi::{Data, Failure, Value};
use ravel_cpu::Options;

use crate::{i64s, load, options, run, scalar, vector};

#[test]
fn the_host_fails_with_its_message() {
    let program = load(
        r#"message0 at 0:3..7 = "Index [", i64, "] out of bounds for ", f32, " and ", bool
        entry "f" [] (i: i64, c: bool) -> (i64) {
          assert c message0(i, 0.5f32, c)
          yield i
        }"#,
    );
    assert_eq!(run(&program, &[scalar(5_i64), scalar(true)]).unwrap(), [scalar(5_i64)]);
    let failure = run(&program, &[scalar(-5_i64), scalar(false)]).unwrap_err();
    assert_eq!(failure.to_string(), "Index [-5] out of bounds for 0.5 and false\n\nBacktrace:\n-> #0  at 3");
}

/// Fails at every point whose element is not 0. The message has the element and the index of the point.
const CHECKED: &str = r#"message0 = "bad element ", i64, " at ", i64
entry "f" [n] (a: block i64 [n], chunk: i64) -> () {
  view xs: i64 [n] = a + 0i64 * [1i64]
  segment map (i < n) chunk chunk {
    load x: i64 = xs[i]
    let fine: bool = eq(x, 0i64)
    assert fine message0(x, i)
  }
}"#;

#[test]
fn the_least_failing_point_is_reported() {
    let program = load(CHECKED);
    for chunk in [1_i64, 7, 100, 5000] {
        for first in [0, 1, 499, 999] {
            let xs = (0..1000).map(|i| if i >= first { i + 10 } else { 0 });
            let failure = run(&program, &[i64s(xs), scalar(chunk)]).unwrap_err();
            assert_eq!(failure.to_string(), format!("bad element {} at {first}", first + 10));
        }
    }
    assert_eq!(run(&program, &[i64s([0; 1000]), scalar(10_i64)]), Ok(vec![]));
}

#[test]
fn the_flat_index_orders_points_of_higher_rank() {
    let program = load(
        r#"message0 = i64, " ", i64
        entry "f" [n, m] (a: block i64 [n, m]) -> () {
          view xs: i64 [n, m] = a + 0i64 * [m, 1i64]
          segment map (i < n, j < m) chunk 5i64 {
            load x: i64 = xs[i, j]
            let fine: bool = eq(x, 0i64)
            assert fine message0(i, j)
          }
        }"#,
    );
    for bad in 0..77 {
        let data = Data::I64((0..77).map(|i| i64::from(i == bad || i == 76)).collect());
        let arg = Value::Array(ravel_abi::Array { shape: vec![7, 11], data });
        let failure = run(&program, &[arg]).unwrap_err();
        assert_eq!(failure.to_string(), format!("{} {}", bad / 11, bad % 11));
    }
}

#[test]
fn assertions_in_operators_fail() {
    let program = load(
        r#"message0 = "sum beyond ", i64
        entry "f" [n] (a: block i64 [n], most: i64) -> ([]i64) {
          view xs: i64 [n] = a + 0i64 * [1i64]
          alloc b: block i64 = n
          view ys: i64 [n] = b + 0i64 * [1i64]
          segment scan (i < n) chunk 4i64 {
            load x: i64 = xs[i]
            yield x
          } combine (l: i64) (r: i64) neutral (0i64) into (ys) {
            let s: i64 = add(l, r)
            let fine: bool = le(s, most)
            assert fine message0(most)
            yield s
          }
          yield n, b
        }"#,
    );
    let f = |most: i64| run(&program, &[i64s([1; 100]), scalar(most)]);
    assert_eq!(f(100).unwrap(), [i64s(1..=100)]);
    for most in [0, 3, 4, 50, 99] {
        assert_eq!(f(most).unwrap_err().to_string(), format!("sum beyond {most}"));
    }
}

#[test]
fn divisions_that_trap_on_the_machine_do_not_trap() {
    let program = load(
        r#"entry "f" [] (a: i64, b: i64) -> (i64, i64, i64, i64) {
          let p: i64 = div(a, b)
          let q: i64 = quot(a, b)
          let r: i64 = mod(a, b)
          let s: i64 = rem(a, b)
          yield p, q, r, s
        }"#,
    );
    let f = |a: i64, b: i64| run(&program, &[scalar(a), scalar(b)]).unwrap();
    assert_eq!(f(i64::MIN, -1), [i64::MIN, i64::MIN, 0, 0].map(scalar));
    assert_eq!(f(-7, 2), [-4_i64, -3, 1, -1].map(scalar));
    assert_eq!(f(1, 0).len(), 4);
}

/// Checks that a program that never ends is stopped by the stop flag, on one and two threads.
#[allow(clippy::disallowed_methods, reason = "another thread stops the call while it runs")]
fn endless(text: &str) {
    let program = load(text);
    for threads in [1, 2] {
        let stop = Arc::new(AtomicBool::new(false));
        let options = Options { stop: Arc::clone(&stop), ..options(threads) };
        let failure = std::thread::scope(|scope| {
            let call = scope.spawn(|| program.call("f", &[], &options));
            std::thread::sleep(Duration::from_millis(20));
            assert!(!call.is_finished());
            stop.store(true, Ordering::Relaxed);
            call.join().expect("no panic")
        });
        assert!(matches!(failure, Err(Failure::System(_))), "{failure:?}");
    }
}

#[test]
fn an_endless_loop_of_the_host_stops() {
    endless(
        r#"entry "f" [] () -> () {
          loop (more: bool = true) while more { yield true } -> (no: bool)
        }"#,
    );
}

#[test]
fn an_endless_loop_of_a_thread_stops() {
    endless(
        r#"entry "f" [] () -> () {
          segment map (i < 4i64) chunk 1i64 {
            loop (first: bool = true) while first { yield false } -> (done: bool)
            loop (more: bool = true) while more { yield true } -> (no: bool)
          }
        }"#,
    );
}

#[test]
fn long_sequences_of_segments_stop() {
    endless(
        r#"entry "f" [] () -> () {
          loop () for round: i64 < 9223372036854775807i64 {
            segment map (i < 4i64) chunk 1i64 { let x: i64 = 1i64 }
          }
        }"#,
    );
}

/// A number of short iterations that would take very long.
const ROUNDS: &str = "10000000000i64";

#[test]
fn long_counted_loops_stop() {
    let inner = format!(
        "loop (s: i64 = 0i64) for i: i64 < {ROUNDS} {{ let t: i64 = xor(s, i) let u: i64 = mul(t, s) yield u }} -> (r: i64)"
    );
    endless(&format!("entry \"f\" [] () -> (i64) {{ {inner} yield r }}"));
    endless(&format!("entry \"f\" [] () -> () {{ segment map (k < 4i64) chunk 1i64 {{ {inner} }} }}"));
    // The inner loop is too short to poll the stop flag.
    endless(
        r#"entry "f" [] () -> () {
          loop () for k: i64 < 100000000i64 {
            loop (s: i64 = 0i64) for i: i64 < 1000i64 {
              let t: i64 = xor(s, i)
              let u: i64 = mul(t, s)
              yield u
            } -> (r: i64)
          }
        }"#,
    );
}

#[test]
fn long_chunks_stop() {
    endless(&format!(
        "entry \"f\" [] () -> () {{ segment map (i < {ROUNDS}) chunk {ROUNDS} {{ let t: i64 = xor(i, 1i64) }} }}"
    ));
    endless(&format!(
        "entry \"f\" [] () -> () {{
           segment map (j < 10i64, i < {ROUNDS}) chunk 9223372036854775807i64 {{ let t: i64 = xor(i, j) }}
         }}"
    ));
}

#[test]
fn arguments_of_wrong_types_and_sizes_are_refused() {
    let program = load(r#"entry "f" [n] (a: block i64 [n], b: block f32 [n]) -> () { }"#);
    let fails = |args: &[Value]| run(&program, args).unwrap_err();
    assert!(matches!(fails(&[]), Failure::Arguments(_)));
    assert!(matches!(fails(&[i64s([1]), i64s([1])]), Failure::Arguments(_)));
    assert!(matches!(fails(&[i64s([1]), vector(Data::F32(vec![1.0, 2.0].into()))]), Failure::Arguments(_)));
    assert!(matches!(program.call("g", &[], &options(1)), Err(Failure::Arguments(_))));
}
