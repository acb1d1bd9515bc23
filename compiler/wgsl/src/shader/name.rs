//! Names of a module, and how they are spelled.
//!
//! The three kinds never collide: only a variable ends in `_` and digits, and only a numbered name ends in digits without
//! `_`.

use std::fmt;

/// A name in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A word, spelled as it is: `lane`.
    Word(&'static str),
    /// A word with a number: `point2`.
    Numbered(&'static str, u32),
    /// A variable with a hint of the source and a number: `x_12`. The number alone makes it unique.
    Variable(&'static str, u32),
}

impl From<&'static str> for Name {
    fn from(word: &'static str) -> Name {
        Name::Word(word)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Name::Word(word) => f.write_str(word),
            Name::Numbered(word, number) => write!(f, "{word}{number}"),
            Name::Variable(hint, number) => {
                // A hint is a name of the source, which may have characters that WGSL does not allow.
                if !hint.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    f.write_str("v")?;
                }
                for part in hint.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
                    match part.char_indices().next_back() {
                        Some((at, last)) if !last.is_ascii_alphanumeric() => write!(f, "{}_", &part[..at])?,
                        _ => f.write_str(part)?,
                    }
                }
                write!(f, "_{number}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn variables_keep_the_letters_of_their_hints() {
        let spelled = |hint| Name::Variable(hint, 3).to_string();
        assert_eq!(
            ["x", "x'", "é", "'a é b", "12", ""].map(spelled),
            ["x_3", "x__3", "v__3", "v_a___b_3", "v12_3", "v_3"]
        );
        assert_eq!(Name::Numbered("point", 2).to_string(), "point2");
    }
}
