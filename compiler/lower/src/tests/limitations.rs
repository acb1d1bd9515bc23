//! Programs that lowering refuses, and similar ones that it accepts.

use std::fmt::Write;

use ravel_base::Limitation;

use super::lower;

fn refused(text: &str, limitation: Limitation) {
    assert_eq!(lower(text), Err(limitation.problem().to_owned()), "{text}");
}

fn accepted(text: &str) {
    assert_eq!(lower(text).map(|_| ()), Ok(()), "{text}");
}

#[test]
fn functions_built_of_functions_without_end() {
    let text = |depth: usize| {
        let mut text = "def twice 'a (f: a -> a) (x: a) = f (f x) def f0 (x: i64) = x + 1".to_owned();
        for number in 1..=depth {
            write!(text, " def f{number} (x: i64) = twice f{} x", number - 1).expect("a string takes text");
        }
        write!(text, " entry main (n: i64): i64 = f{depth} n").expect("a string takes text");
        text
    };
    let check = move || {
        refused(&text(1100), Limitation::CodeSize);
        accepted(&text(20));
    };
    // The stack size of the compiler's own threads.
    let deep = std::thread::Builder::new().stack_size(1 << 30).spawn(check).expect("a thread");
    deep.join().expect("both are as they should");
}
