//! The tuning parameters with which points that would run in lanes run one by one.

use std::ptr;

use ravel_kernel::GridSegment;

/// The parameters of an entry point: `ENTRY.lanes0.enabled` for its first segment in lanes, and so on. They are not listed, since
/// which segments run in lanes depends on the processor.
pub(crate) struct Switches<'p> {
    entry: String,
    segments: Vec<&'p GridSegment>,
}

impl<'p> Switches<'p> {
    /// Those of the entry point of this name, none so far.
    pub fn of(entry: &str) -> Switches<'p> {
        Switches { entry: entry.to_owned(), segments: Vec::new() }
    }

    /// The name of the parameter of a segment, which may have several strip functions.
    pub fn of_segment(&mut self, segment: &'p GridSegment) -> String {
        let known = self.segments.iter().position(|&known| ptr::eq(known, segment));
        let number = known.unwrap_or_else(|| {
            self.segments.push(segment);
            self.segments.len() - 1
        });
        format!("{}.lanes{number}.enabled", self.entry)
    }
}
