//! Call paths: a place in the source and the inlined calls that lead there.
//!
//! An inlined function leaves no trace at run time. So each place that may fail records the calls that lead there:
//! lowering and the pass `inline` add the call whenever they inline a function.
//!
//! Paths are interned and never freed, as symbols are. All places in one inlined copy of a function share the path to
//! its call.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, OnceLock};

use crate::Span;

/// A place in the source, and the path to the call that contains it, if there is one.
#[derive(Clone, Copy)]
pub struct CallPath(&'static Step);

/// The contents of a path; each is stored once.
struct Step {
    span: Span,
    caller: Option<CallPath>,
}

type Steps = HashMap<(Span, Option<CallPath>), CallPath>;

fn steps() -> &'static Mutex<Steps> {
    static STEPS: OnceLock<Mutex<Steps>> = OnceLock::new();
    STEPS.get_or_init(Mutex::default)
}

impl CallPath {
    /// The place `span` in the function that the call at `caller` inlines; outside any call if there is no `caller`.
    pub fn new(span: Span, caller: Option<CallPath>) -> CallPath {
        let mut steps = steps().lock().expect("nothing panics while it holds the steps");
        *steps.entry((span, caller)).or_insert_with(|| CallPath(Box::leak(Box::new(Step { span, caller }))))
    }

    /// A place outside any call.
    pub fn at(span: Span) -> CallPath {
        CallPath::new(span, None)
    }

    /// The place.
    pub fn span(self) -> Span {
        self.0.span
    }

    /// The path to the call that contains the place.
    pub fn caller(self) -> Option<CallPath> {
        self.0.caller
    }

    /// The place and the places of the enclosing calls, innermost first.
    pub fn spans(self) -> impl Iterator<Item = Span> {
        std::iter::successors(Some(self), |path| path.caller()).map(CallPath::span)
    }

    /// How many nested calls a call at this place counts as: itself, and the inlined calls around it.
    pub fn calls(self) -> i64 {
        self.spans().count() as i64
    }

    /// This path after its outermost function is inlined at `call`: the calls of `call` are added at the outer end.
    pub fn within(self, call: CallPath) -> CallPath {
        let spans: Vec<Span> = self.spans().collect();
        spans.into_iter().rev().fold(call, |caller, span| CallPath::new(span, Some(caller)))
    }
}

impl PartialEq for CallPath {
    fn eq(&self, other: &CallPath) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for CallPath {}

impl Hash for CallPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

/// `0:12..15 from 0:30..40`, as in the text of both IRs.
impl fmt::Display for CallPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.span())?;
        self.spans().skip(1).try_for_each(|call| write!(f, " from {call:?}"))
    }
}

impl fmt::Debug for CallPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn at(start: usize) -> Span {
        Span::new(FileId(0), start, start + 1)
    }

    #[test]
    fn equal_paths_are_one() {
        let path = || CallPath::new(at(1), Some(CallPath::at(at(2))));
        assert_eq!(path(), path());
        assert_ne!(path(), CallPath::at(at(1)));
        assert_ne!(path(), CallPath::new(at(1), Some(CallPath::at(at(3)))));
    }

    #[test]
    fn calls_are_added_at_the_outer_end() {
        let inner = CallPath::new(at(1), Some(CallPath::at(at(2))));
        let outer = CallPath::new(at(3), Some(CallPath::at(at(4))));
        assert_eq!(inner.within(outer).to_string(), "0:1..2 from 0:2..3 from 0:3..4 from 0:4..5");
        assert_eq!(CallPath::at(at(1)).within(outer).caller(), Some(outer));
    }
}
