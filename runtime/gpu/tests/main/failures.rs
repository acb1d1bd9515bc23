//! Failures: of the threads that fail, the one with the least index is reported, with its message. No later launch
//! writes to memory.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Data, Failure, Value};
use ravel_kernel::Target;
use ravel_prim::PrimValue;

use crate::support::{i64s, load, row, run, try_call};

fn failure_of(text: &str, args: &[Value]) -> String {
    match try_call(&load(text), args) {
        Ok((values, _)) => panic!("a failure was expected, not {values:?}"),
        Err(failure) => failure.to_string(),
    }
}

/// The expected text of a failure at a place.
fn report(message: &str, place: &str) -> String {
    format!("{message}\n\nBacktrace:\n-> #0  a.dsl:{place}")
}

const MESSAGES: &str = r#"message0 at 0:3..7 = "index ", i64, " of ", u32, ", ", f64, ", ", bool
message1 at 0:8..9 = "division by zero"
"#;

/// A program that fails at every multiple of 7 from `from` on, with the index in the message.
fn map_that_fails(chunk: i64) -> String {
    format!(
        r#"{MESSAGES}entry "main" [] (n: i64, from: i64) -> ([]i64) {{
          alloc b: block i64 = n
          view b1: i64 [n] = b + 0i64 * [1i64]
          segment map (i < n) chunk {chunk}i64 {{
            let rest: i64 = rem(i, 7i64)
            let multiple: bool = eq(rest, 0i64)
            let late: bool = le(from, i)
            let bad: bool = and(multiple, late)
            let fine: bool = not(bad)
            let half: f64 = f64(i)
            let low: u32 = u32(i)
            assert fine message0(i, low, half, late)
            store b1[i] = i
          }}
          segment map (j < n) chunk {chunk}i64 {{
            assert false message1()
          }}
          yield n, b
        }}"#
    )
}

#[test]
fn the_least_point_is_reported_and_later_launches_do_not_run() {
    for chunk in [1, 3, 1000] {
        for (from, least) in [(0, 0), (1, 7), (5000, 5005), (99_990, 99_995)] {
            let args = [100_000, from].map(|x| Value::Scalar(PrimValue::I64(x)));
            assert_eq!(
                failure_of(&map_that_fails(chunk), &args),
                report(&format!("index {least} of {least}, {least}.0, true"), "3-7"),
                "chunk {chunk}"
            );
        }
        let args = [100, 1000].map(|x| Value::Scalar(PrimValue::I64(x)));
        assert_eq!(failure_of(&map_that_fails(chunk), &args), report("division by zero", "8-9"));
    }
}

#[test]
fn a_program_can_be_called_again_after_a_failure() {
    let text = format!(
        r#"{MESSAGES}entry "main" [n] (xs: block i32 [n]) -> ([]i32) {{
          view x1: i32 [n] = xs + 0i64 * [1i64]
          alloc b: block i32 = n
          view b1: i32 [n] = b + 0i64 * [1i64]
          segment map (i < n) chunk 1i64 {{
            load x: i32 = x1[i]
            let fine: bool = ne(x, 0i32)
            assert fine message1()
            let y: i32 = div(100i32, x)
            store b1[i] = y
          }}
          yield n, b
        }}"#
    );
    let program = load(&text);
    let rows = |elements: &[i32]| [row(Data::I32(elements.to_vec().into()))];
    for _ in 0..3 {
        let failure = try_call(&program, &rows(&[1, 0])).unwrap_err();
        assert_eq!(failure.to_string(), report("division by zero", "8-9"));
        let (results, _) = try_call(&program, &rows(&[1, -3])).unwrap();
        assert_eq!(results, rows(&[100, -34]));
    }
}

#[test]
fn nothing_is_written_after_a_failure() {
    // The second and third segments must not run. The second would overwrite the elements that the first one
    // reads, which are needed again to report its failure. The third would never end.
    let text = format!(
        r#"{MESSAGES}entry "main" [n] (*xs: block i64 [n]) -> ([]i64) {{
          view x1: i64 [n] = xs + 0i64 * [1i64]
          segment map (i < n) chunk 1i64 {{
            load x: i64 = x1[i]
            let fine: bool = lt(x, 10i64)
            assert fine message0(x, 0u32, -0f64, fine)
          }}
          segment map (j < n) chunk 1i64 {{ store x1[j] = 3i64 }}
          segment map (k < n) chunk 1i64 {{
            loop (on: bool = true) while on {{
              load y: i64 = x1[0i64]
              let again: bool = ne(y, 3i64)
              yield again
            }} -> (off: bool)
          }}
          yield n, xs
        }}"#
    );
    assert_eq!(failure_of(&text, &[i64s([20, 1, 30])]), report("index 20 of 0, -0.0, false", "3-7"));
}

#[test]
fn failures_inside_loops_and_branches_leave_them() {
    let text = format!(
        r#"{MESSAGES}entry "main" [n] (xs: block i64 [n]) -> () {{
          view x1: i64 [n] = xs + 0i64 * [1i64]
          segment map (i < n) chunk 1i64 {{
            loop (sum: i64 = 0i64) for k: i64 < 1000i64 {{
              load x: i64 = x1[i]
              let next: i64 = add(sum, x)
              let big: bool = lt(100i64, next)
              if big {{
                assert false message0(k, 1u32, 2f64, big)
              }} else {{}}
              yield next
            }} -> (total: i64)
          }}
        }}"#
    );
    assert_eq!(failure_of(&text, &[i64s([0, 0, 30, 60])]), report("index 3 of 1, 2.0, true", "3-7"));
}

/// A program that reduces or scans with a sum. Its body fails on negative elements, and its operator fails when a
/// sum exceeds 1000.
fn fold_that_fails(kind: &str, chunk: i64, out: &str) -> String {
    format!(
        r#"{MESSAGES}entry "main" [n] (xs: block i64 [n]) -> () {{
          view x1: i64 [n] = xs + 0i64 * [1i64]
          alloc b: block i64 = n
          view b1: i64 {out} [1i64]
          view b0: i64 [] = b + 0i64 * []
          segment {kind} (i < n) chunk {chunk}i64 {{
            load x: i64 = x1[i]
            let fine: bool = le(0i64, x)
            assert fine message0(x, 0u32, 0f64, false)
            yield x
          }} combine (a: i64) (c: i64) neutral (0i64) into ({into}) {{
            let s: i64 = add(a, c)
            let small: bool = le(s, 1000i64)
            assert small message1()
            yield s
          }}
        }}"#,
        into = if kind == "scan" { "b1" } else { "b0" }
    )
}

#[test]
fn bodies_and_operators_of_reductions_and_scans_fail() {
    for kind in ["reduce", "scan"] {
        for chunk in [1, 10] {
            let text = fold_that_fails(kind, chunk, "[n] = b + 0i64 *");
            let numbers =
                |bad: &[usize]| i64s((0..100_000).map(|i| if bad.contains(&i) { -(i as i64) } else { 0 }));
            assert_eq!(
                failure_of(&text, &[numbers(&[99_999, 70_000, 300])]),
                report("index -300 of 0, 0.0, false", "3-7")
            );
            assert!(run(&text, &[numbers(&[])]).is_empty());
            let ones = i64s((0..1000).map(|_| 1));
            assert!(run(&text, &[ones]).is_empty());
            let many = i64s((0..100_000).map(|_| 1));
            assert_eq!(failure_of(&text, &[many]), report("division by zero", "8-9"));
        }
    }
}

#[test]
fn a_failure_of_a_launch_is_reported_before_a_later_one_of_the_host() {
    let text = |kernel: bool| {
        format!(
            r#"{MESSAGES}entry "main" [] (n: i64) -> () {{
              segment map (i < n) chunk 1i64 {{ assert {kernel} message1() }}
              let fine: bool = lt(n, 0i64)
              assert fine message0(n, 1u32, 0f64, fine)
            }}"#
        )
    };
    let n = [Value::Scalar(PrimValue::I64(9))];
    assert_eq!(failure_of(&text(false), &n), report("division by zero", "8-9"));
    assert_eq!(failure_of(&text(true), &n), report("index 9 of 1, 0.0, false", "3-7"));
}

#[test]
fn arrays_beyond_all_memory_are_refused() {
    let text = r#"
        entry "main" [] (n: i64) -> ([]i64) {
          alloc b: block i64 = n
          view b1: i64 [n] = b + 0i64 * [1i64]
          segment map (i < n) chunk 1i64 { store b1[i] = i }
          yield n, b
        }"#;
    let failure = |n| try_call(&load(text), &[Value::Scalar(PrimValue::I64(n))]).unwrap_err();
    assert_eq!(failure(1 << 40), Failure::out_of_memory(1 << 43));
    assert_eq!(failure(-1), Failure::out_of_memory(8 * u128::from(u64::MAX)));
    assert_eq!(run(text, &[Value::Scalar(PrimValue::I64(2))]), [i64s([0, 1])]);
}

#[test]
fn too_large_arrays_and_launches_are_limitations() {
    let text = r#"
        entry "main" [] (n: i64, m: i64) -> () {
          alloc b: block i32 = n
          segment map (i < n, j < m) chunk 1i64 { let x: i64 = add(i, j) }
        }"#;
    let program = load(text);
    let call = |n, m| {
        let args = [n, m].map(|x| Value::Scalar(PrimValue::I64(x)));
        try_call(&program, &args).map(|_| ()).unwrap_err()
    };
    let most = crate::support::gpu().info().max_array_bytes();
    let beyond = most as usize / 4 + 1;
    let takes = load(r#"entry "main" [n] (xs: block i32 [n]) -> () {}"#);
    let given = try_call(&takes, &[row(Data::I32(vec![0; beyond].into()))]).map(|_| ()).unwrap_err();
    for failure in [call(beyond as i64, 1), given] {
        if most + 4 < ravel_abi::memory_limit() {
            let Failure::Limitation(text) = &failure else { panic!("{failure:?}") };
            assert!(text.contains("larger than the device can bind"), "{text}");
        } else {
            assert_eq!(failure, Failure::out_of_memory(u128::from(most) + 4));
        }
    }
    assert!(
        matches!(call(1 << 16, 1 << 16), Failure::Limitation(text) if text.contains("too large for the GPU"))
    );
    assert!(matches!(call(1 << 20, i64::MAX), Failure::Limitation(_)));
}

#[test]
fn workgroups_beyond_the_device_are_limitations() {
    let text = r#"
        entry "main" [] (n: i64) -> () {
          segment map (i < n) chunk 1i64 { let x: i64 = add(i, i) }
        }"#;
    let most = crate::support::gpu().info().hardware.workgroup_threads.expect("the driver states it");
    let of_threads = |workgroup| crate::support::try_load(text, &Target { workgroup, ..Target::GPU }).err();
    assert_eq!(of_threads(most as u32), None);
    let refused = of_threads(most as u32 + 1);
    assert!(
        matches!(&refused, Some(Failure::Limitation(text)) if text.contains("threads in a workgroup")),
        "{refused:?}"
    );
}

#[test]
fn arguments_of_wrong_types_are_named() {
    let program = load(r#"entry "main" [n] ("xs" xs: block i64 [n]) -> () {}"#);
    let failure = try_call(&program, &[row(Data::I32(vec![1].into()))]).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "argument 1 (`xs`) has the wrong type\n  Expected: [n]i64\n  Actual:   [1]i32"
    );
    let failure = program.call("other", &[], Arc::new(AtomicBool::new(false)), None).unwrap_err();
    assert_eq!(failure.to_string(), "there is no entry point `other`");
}

#[test]
fn a_call_can_be_stopped() {
    let text = r#"entry "main" [] () -> () {
      loop (on: bool = true) while on { yield true } -> (off: bool)
    }"#;
    let stop = Arc::new(AtomicBool::new(true));
    let failure = load(text).call("main", &[], stop, None).unwrap_err();
    assert_eq!(failure, Failure::System("stopped".to_owned()));
}
