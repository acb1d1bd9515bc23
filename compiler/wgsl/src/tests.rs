//! What programs become. Whether it computes what it should is tested where it runs, in `runtime/gpu`.

use ravel_abi::Plan;
use ravel_kernel::{MemProgram, Target, parse};

fn plan(text: &str) -> Plan {
    let program = MemProgram::verify(parse(text).expect("well-formed"), &Target::GPU).expect("lawful");
    super::compile(&program, &|span| format!("{span:?}")).expect("compiles")
}

#[test]
fn kernels_of_one_text_are_one() {
    let text = r#"entry "main" [n] (xs: block i32 [n]) -> ([]i32, []i32) {
      view x1: i32 [n] = xs + 0i64 * [1i64]
      alloc a: block i32 = n
      view a1: i32 [n] = a + 0i64 * [1i64]
      copy a1 = x1
      alloc b: block i32 = n
      view b1: i32 [n] = b + 0i64 * [1i64]
      copy b1 = a1
      yield n, a, n, b
    }"#;
    assert_eq!(plan(text).kernels.len(), 2);
}
