//! What lowering refuses, and the twin that it takes.

use ravel_base::Limitation;

use super::lower;

fn refused(text: &str, limitation: Limitation) {
    assert_eq!(lower(text), Err(limitation.what().to_owned()), "{text}");
}

fn taken(text: &str) {
    assert_eq!(lower(text).map(|_| ()), Ok(()), "{text}");
}

#[test]
fn functions_that_call_themselves_with_ever_new_functions() {
    let text = |arg: &str| {
        format!(
            "def f (p: (i64 -> i64, i64)): i64 = if p.1 == 0 then p.0 1 else f ({arg}, p.1 - 1)
            entry main (n: i64): i64 = f (\\x -> x + n, n)"
        )
    };
    refused(&text("\\x -> p.0 (p.0 x)"), Limitation::Recursion);
    taken(&text("p.0"));
}
