//! Backtraces: the place of a failure and the places of the calls that led there.

use std::fmt;

/// The maximum number of places kept: the depth of recursion has no bound.
const MOST: usize = 50;

/// Places in the source such as `a.dsl:3:5-9`, innermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backtrace {
    places: Vec<String>,
    /// The number of outer calls that are not kept.
    more: usize,
}

impl Backtrace {
    /// Adds outer places, named by `describe`.
    pub fn extend<P>(&mut self, places: impl IntoIterator<Item = P>, describe: impl Fn(P) -> String) {
        for place in places {
            match self.places.len() < MOST {
                true => self.places.push(describe(place)),
                false => self.more += 1,
            }
        }
    }

    /// The place of the failure.
    pub fn innermost(&self) -> Option<&str> {
        self.places.first().map(String::as_str)
    }

    /// The index of the place to look at first: the innermost one outside the library's files.
    fn mark(&self) -> usize {
        self.places.iter().position(|place| !place.starts_with('<')).unwrap_or_default()
    }
}

/// One line for each place, with an arrow before the one to look at first.
impl fmt::Display for Backtrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, place) in self.places.iter().enumerate() {
            let (arrow, end) =
                (if number == self.mark() { "->" } else { "  " }, if number > 0 { "\n" } else { "" });
            write!(f, "{end}{arrow} #{number:<2} {place}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\n   and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(places: &[&str]) -> String {
        let mut backtrace = Backtrace::default();
        backtrace.extend(places, |place| (*place).to_owned());
        backtrace.to_string()
    }

    #[test]
    fn the_arrow_is_at_the_innermost_place_of_the_users() {
        assert_eq!(of(&["a.dsl:1:2", "b.dsl:3:4"]), "-> #0  a.dsl:1:2\n   #1  b.dsl:3:4");
        assert_eq!(of(&["<sorts>:1:2", "b.dsl:3:4"]), "   #0  <sorts>:1:2\n-> #1  b.dsl:3:4");
        assert_eq!(of(&["<sorts>:1:2"]), "-> #0  <sorts>:1:2");
    }

    #[test]
    fn diagnostics_beyond_the_limit_are_counted() {
        let mut backtrace = Backtrace::default();
        backtrace.extend(0..20, |place: usize| format!("a:{place}"));
        backtrace.extend(20..MOST + 7, |place| format!("a:{place}"));
        let text = backtrace.to_string();
        assert_eq!(text.lines().count(), MOST + 1);
        assert!(text.contains("\n   #10 a:10\n") && text.ends_with("\n   #49 a:49\n   and 7 more"), "{text}");
    }
}
