//! Functions that call themselves and each other, at both levels.

use std::time::Duration;

use ravel_abi::Failure;

use crate::{i64s, load, measured, options, run, scalar};

#[test]
fn a_function_overwrites_what_it_consumes() {
    let program = load(
        r#"host function "fill" (n: i64, *xs: block i64, i: i64) -> (block i64) {
          let done: bool = eq(i, n)
          if done {
            yield xs
          } else {
            view row: i64 [n] = xs + 0i64 * [1i64]
            store row[i] = i
            let next: i64 = add(i, 1i64)
            call "fill" (n, *xs, next) -> (ys: block i64)
            yield ys
          } -> (zs: block i64)
          yield zs
        }
        entry "f" [] (n: i64) -> ([]i64) {
          alloc xs: block i64 = n
          call "fill" (n, *xs, 0i64) -> (ys: block i64)
          yield n, ys
        }"#,
    );
    assert_eq!(run(&program, &[scalar(5_i64)]).unwrap(), [i64s(0..5)]);
    let (results, stats) = measured(&program, &[scalar(1000_i64)]).unwrap();
    assert_eq!(results, [i64s(0..1000)]);
    assert_eq!(stats.blocks, 1);
}

#[test]
fn threads_call_functions_that_allocate_and_segments_run_in_functions() {
    let program = load(
        r#"thread function "pair" (x: f32, y: i64) -> (i64, block i64, f32) {
          alloc two: block i64 = 2i64
          view v: i64 [2i64] = two + 0i64 * [1i64]
          store v[0i64] = y
          store v[1i64] = 7i64
          yield 2i64, two, x
        }
        host function "row" (n: i64) -> (block i64) {
          alloc r: block i64 = n
          view v: i64 [n] = r + 0i64 * [1i64]
          segment map (i < n) chunk 3i64 {
            call "pair" (0.5f32, i) -> (m: i64, two: block i64, half: f32)
            view p: i64 [m] = two + 0i64 * [1i64]
            load a: i64 = p[0i64]
            load b: i64 = p[1i64]
            let h: i64 = i64(half)
            let ab: i64 = add(a, b)
            let abh: i64 = add(ab, h)
            store v[i] = abh
          }
          yield r
        }
        entry "f" [] (n: i64) -> ([]i64, []i64) {
          call "row" (n) -> (a: block i64)
          call "row" (2i64) -> (b: block i64)
          yield n, a, 2i64, b
        }"#,
    );
    assert_eq!(run(&program, &[scalar(100_i64)]).unwrap(), [i64s(7..107), i64s(7..9)]);
}

/// Each thread calls `down` recursively, as often as its element says. The innermost call fails if the point is not
/// less than `bad`.
const COUNT_DOWN: &str = r#"message0 = "arrived at ", i64
thread function "down" (n: i64, i: i64, bad: i64) -> (i64) {
  let more: bool = lt(0i64, n)
  if more {
    let less: i64 = sub(n, 1i64)
    call "down" (less, i, bad) -> (r: i64)
    let s: i64 = add(r, 1i64)
    yield s
  } else {
    let fine: bool = lt(i, bad)
    assert fine message0(i)
    yield 0i64
  } -> (t: i64)
  yield t
}
entry "f" [n] (a: block i64 [n], bad: i64) -> ([]i64) {
  view xs: i64 [n] = a + 0i64 * [1i64]
  alloc b: block i64 = n
  view ys: i64 [n] = b + 0i64 * [1i64]
  segment map (i < n) chunk 2i64 {
    load x: i64 = xs[i]
    call "down" (x, i, bad) -> (y: i64)
    store ys[i] = y
  }
  yield n, b
}"#;

#[test]
fn twenty_thousand_nested_calls_succeed() {
    let program = load(COUNT_DOWN);
    let xs = [10_000, 3, 0, 20_000, 10_001];
    assert_eq!(run(&program, &[i64s(xs), scalar(9_i64)]).unwrap(), [i64s(xs)]);
}

#[test]
fn the_least_point_that_fails_in_a_function_is_reported() {
    let program = load(COUNT_DOWN);
    let failure = run(&program, &[i64s([5; 100]), scalar(61_i64)]).unwrap_err();
    assert_eq!(failure.to_string(), "arrived at 61");
}

/// Two host functions and two calls of a thread function are active at the failure. Later points fail elsewhere, and
/// their failures are not reported.
#[test]
fn failures_have_a_backtrace_of_host_and_thread_calls() {
    let program = load(
        r#"message0 at 0:1..2 from 0:3..4 = "arrived"
        message1 at 0:5..6 from 0:7..8 =
        message2 at 0:9..10 =
        message3 at 0:11..12 =
        thread function "down" (n: i64) -> () {
          let more: bool = lt(0i64, n)
          if more {
            let less: i64 = sub(n, 1i64)
            call "down" (less) at message1
          } else {
            let fine: bool = lt(n, 0i64)
            assert fine message0()
          }
        }
        host function "run" (k: i64, bad: i64) -> () {
          segment map (i < k) chunk 1i64 {
            let late: bool = le(bad, i)
            if late {
              call "down" (1i64)
            } else {
            }
          }
        }
        host function "outer" (k: i64, bad: i64) -> () {
          call "run" (k, bad) at message2
        }
        entry "f" [] (k: i64, bad: i64) -> () {
          call "outer" (k, bad) at message3
        }"#,
    );
    let expected = "arrived\n\nBacktrace:\n-> #0  at 1\n   #1  at 3\n   #2  at 5\n   #3  at 7\n   #4  at 9\n   #5  at 11";
    for bad in [0_i64, 3] {
        let failure = run(&program, &[scalar(40_i64), scalar(bad)]).unwrap_err();
        assert_eq!(failure.to_string(), expected);
    }
    assert_eq!(run(&program, &[scalar(40_i64), scalar(40_i64)]), Ok(vec![]));
}

#[test]
fn calls_that_nest_too_deeply_fail() {
    let program = load(COUNT_DOWN);
    for xs in [[100_000_000, 1], [1, 100_000_000]] {
        let failure = run(&program, &[i64s(xs), scalar(9_i64)]).unwrap_err();
        assert_eq!(failure, Failure::out_of_stack());
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "another thread stops the call while it runs")]
fn the_stop_flag_ends_calls() {
    let program = load(
        r#"host function "fib" (n: i64) -> (i64) {
          let small: bool = lt(n, 2i64)
          if small {
            yield n
          } else {
            let n1: i64 = sub(n, 1i64)
            let n2: i64 = sub(n, 2i64)
            call "fib" (n1) -> (a: i64)
            call "fib" (n2) -> (b: i64)
            let s: i64 = add(a, b)
            yield s
          } -> (t: i64)
          yield t
        }
        entry "f" [] (n: i64) -> (i64) {
          call "fib" (n) -> (r: i64)
          yield r
        }"#,
    );
    assert_eq!(run(&program, &[scalar(20_i64)]).unwrap(), [scalar(6765_i64)]);
    let options = options(1);
    let stop = &options.stop;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let stopped = program.call("f", &[scalar(1000_i64)], &options).map(|(values, _)| values);
        assert_eq!(stopped, Err(Failure::stopped()));
    });
}
