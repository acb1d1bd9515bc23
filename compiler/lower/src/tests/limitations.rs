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
fn programs_that_double_with_every_line() {
    let text = |lines: usize| {
        let mut text = "def f0 (x: i64): i64 = x + 1\n".to_owned();
        for line in 1..=lines {
            text += &format!("def f{line} (x: i64): i64 = f{0} (f{0} x)\n", line - 1);
        }
        format!("{text} entry main (n: i64): i64 = f{lines} n")
    };
    refused(&text(30), Limitation::CodeSize);
    taken(&text(8));
}
