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
fn functions_that_call_themselves_with_ever_new_types() {
    let text = |arg: &str| {
        format!(
            "def f 'a (x: a) (n: i64): i64 = if n == 0 then 0 else 1 + f {arg} (n - 1)
            entry main (n: i64): i64 = f n n"
        )
    };
    refused(&text("(x, x)"), Limitation::Recursion);
    taken(&text("x"));
}
