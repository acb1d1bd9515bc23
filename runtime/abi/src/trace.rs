//! Traces: values that a program wants to be seen while it runs.
//!
//! They are for people who look for a mistake, and no part of what a program means: a compiler leaves
//! out those that it has no way to show, and those of values that it does not need.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ResultType, Value, write_text};

/// A place of a compiled program that shows values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// What the program calls them.
    pub label: String,
    /// The place in the source, such as `a.dsl:3:5-9`.
    pub place: Option<String>,
    /// Their types. They cross like the results of an entry point: a scalar as it is, an array as its
    /// sizes (i64) followed by a block that holds it row-major from position 0.
    pub values: Vec<ResultType>,
}

impl Trace {
    /// What is shown: `label at FILE:LINE: values`, on a line of its own.
    pub fn line(&self, values: &[Value]) -> String {
        line(&self.label, self.place.as_deref(), values)
    }
}

/// The line that shows values.
pub fn line(label: &str, place: Option<&str>, values: &[Value]) -> String {
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    let values = write_text(values);
    format!("{label}{place}: {}\n", values.lines().collect::<Vec<_>>().join(" "))
}

/// Who is told what programs trace, a line at a time; nobody by default.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<Tell>>);

/// Takes a line of text.
type Tell = dyn Fn(&str) + Send + Sync;

impl Listener {
    /// Hands the lines to `tell`.
    pub fn new(tell: impl Fn(&str) + Send + Sync + 'static) -> Listener {
        Listener(Some(Arc::new(tell)))
    }

    /// Is there somebody?
    pub fn listens(&self) -> bool {
        self.0.is_some()
    }

    /// Tells of a line.
    pub fn tell(&self, line: &str) {
        if let Some(tell) = &self.0 {
            tell(line);
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.listens() { "a listener" } else { "nobody" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_place_and_all_values() {
        let mut trace =
            Trace { label: "xs".to_owned(), place: Some("a.dsl:1:2-3".to_owned()), values: Vec::new() };
        let values = [Value::from(&[1i32, 2][..]), Value::from(true)];
        assert_eq!(trace.line(&values), "xs at a.dsl:1:2-3: [1i32, 2i32] true\n");
        trace.place = None;
        assert_eq!(trace.line(&[]), "xs: \n");
    }
}
