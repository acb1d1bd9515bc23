//! What the compiler shows and what it refuses.

use ravel_base::{Limitation, diagnostic::Kind};
use ravel_kernel::{MemProgram, Target, parse};

fn lawful(text: &str) -> MemProgram {
    MemProgram::verify(parse(text).expect("well-formed"), &Target::CPU).expect("a lawful program")
}

#[test]
fn each_entry_point_and_each_phase_is_a_function() {
    let program = lawful(
        r#"entry "f" [n] (a: block i64 [n]) -> ([]i64) {
          alloc b: block i64 = n
          view ys: i64 [n] = b + 0i64 * [1i64]
          segment scan (i < n) chunk 3i64 {
            yield i
          } combine (l: i64) (r: i64) neutral (0i64) into (ys) {
            let s: i64 = add(l, r)
            yield s
          }
          segment map (j < n) chunk 3i64 {
            store ys[j] = j
          }
          yield n, b
        }"#,
    );
    let text = ravel_native::clif(&program).unwrap();
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("function")).collect();
    let segment = |number| format!("function %segment{number}(i64, i64, i64, i64, i64) -> i32 ");
    let expected = ["function %f(i64, i64, i64) -> i32 ".to_owned(), segment(0), segment(1), segment(2)];
    assert_eq!(heads.len(), expected.len());
    assert!(heads.iter().zip(&expected).all(|(head, start)| head.starts_with(start)), "{heads:?}");
}

#[test]
fn code_is_the_same_every_time() {
    let program = lawful(r#"entry "f" [] (x: f64) -> (f64) { let y: f64 = exp(x) yield y }"#);
    let compile = || ravel_native::compile(&program, &|_| String::new()).unwrap();
    assert_eq!(compile(), compile());
}

#[test]
fn f16_is_a_limitation() {
    let program = lawful(r#"entry "f" [] (x: f16) -> (f16) { yield x }"#);
    let refused = ravel_native::compile(&program, &|_| String::new()).unwrap_err();
    assert_eq!(refused.kind, Kind::Limitation(Limitation::CpuNoF16));
}
