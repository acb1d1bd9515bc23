//! Traces: values that a program prints while it runs, for debugging.
//!
//! They are not part of a program's semantics: the compiler may drop traces that it cannot show, and traces of dead
//! values.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ResultType, Value, write_text};

/// What becomes of the values of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceKind {
    /// They are printed.
    Shown,
    /// They describe the bins of a nest, and are counted. See [`BinCounts::of`](crate::BinCounts::of).
    Bins,
}

/// A trace point of a compiled program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The label in the program, or the name of the nest.
    pub label: String,
    /// The place in the source, such as `a.dsl:3:5-9`.
    pub place: Option<String>,
    /// What becomes of the values.
    pub kind: TraceKind,
    /// The types of the values. The values are passed like the results of an entry point: a scalar as one word, an
    /// array as its sizes (i64) followed by a block that holds it row-major from position 0.
    pub values: Vec<ResultType>,
}

impl Trace {
    /// The printed line: `label at FILE:LINE: values`.
    pub fn line(&self, values: &[Value]) -> String {
        line(&self.label, self.place.as_deref(), values)
    }
}

/// The line of a trace.
pub fn line(label: &str, place: Option<&str>, values: &[Value]) -> String {
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    let values = write_text(values);
    format!("{label}{place}: {}\n", values.lines().collect::<Vec<_>>().join(" "))
}

/// A callback that gets the lines of traces; none by default.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<Callback>>);

/// Takes a line of text.
type Callback = dyn Fn(&str) + Send + Sync;

impl Listener {
    /// Calls `callback` with each line.
    pub fn new(callback: impl Fn(&str) + Send + Sync + 'static) -> Listener {
        Listener(Some(Arc::new(callback)))
    }

    /// Whether there is a callback.
    pub fn listens(&self) -> bool {
        self.0.is_some()
    }

    /// Passes on a line.
    pub fn send(&self, line: &str) {
        if let Some(callback) = &self.0 {
            callback(line);
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.listens() { "a listener" } else { "no listener" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_place_and_all_values() {
        let place = Some("a.dsl:1:2-3".to_owned());
        let mut trace = Trace { label: "xs".to_owned(), place, kind: TraceKind::Shown, values: Vec::new() };
        let values = [Value::from(&[1i32, 2][..]), Value::from(true)];
        assert_eq!(trace.line(&values), "xs at a.dsl:1:2-3: [1i32, 2i32] true\n");
        trace.place = None;
        assert_eq!(trace.line(&[]), "xs: \n");
    }
}
