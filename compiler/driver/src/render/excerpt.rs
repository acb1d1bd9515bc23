//! The parts of source files that a diagnostic shows: the lines of the labelled places and the lines beside them. Of a long
//! line, only the part around the labelled place is shown. Line and column numbers are still positions in the file.
//!
//! No other lines are read, so the time for many diagnostics is linear in their number.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use codespan_reporting::files::{Error, Files};
use ravel_base::{FileId, SourceMap};

/// The maximum number of bytes of a line that are shown.
const WIDTH: usize = 200;

/// The number of these bytes that precede the labelled place.
const BEFORE: usize = 60;

/// Replaces the parts that are cut.
const ELLIPSIS: &str = "...";

/// The offsets at which the lines of files begin, for all diagnostics. Those of a file are found when they are first needed.
#[derive(Default)]
pub(super) struct LineStarts(BTreeMap<FileId, Vec<usize>>);

impl LineStarts {
    fn of(&mut self, file: FileId, text: &str) -> &[usize] {
        self.0.entry(file).or_insert_with(|| {
            let ends = text.match_indices('\n');
            std::iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect()
        })
    }
}

/// The files of one diagnostic.
pub(super) struct Excerpts<'a> {
    sources: &'a SourceMap,
    files: Vec<Excerpt>,
}

/// Some lines of a file, with the long ones cut.
struct Excerpt {
    file: FileId,
    text: String,
    /// The lines in order.
    lines: Vec<Line>,
}

/// A line: its position in the file and in the excerpt.
struct Line {
    /// The index in the file.
    index: usize,
    /// The whole line in the file.
    whole: Range<usize>,
    /// The part that is shown, in the file.
    kept: Range<usize>,
    /// The start of the line in the excerpt.
    start: usize,
    /// The start of the shown part in the excerpt.
    shown: usize,
}

impl<'a> Excerpts<'a> {
    /// The excerpts for places in files.
    pub(super) fn new(
        sources: &'a SourceMap,
        starts: &mut LineStarts,
        places: &[(FileId, Range<usize>)],
    ) -> Excerpts<'a> {
        let mut files: Vec<Excerpt> = Vec::new();
        for (file, _) in places {
            if files.iter().all(|known| known.file != *file) {
                let inside = places.iter().filter(|(other, _)| other == file).map(|(_, place)| place.clone());
                let text = &sources.file(*file).text;
                files.push(Excerpt::new(*file, text, starts.of(*file, text), &inside.collect::<Vec<_>>()));
            }
        }
        Excerpts { sources, files }
    }

    /// The place in the excerpt that corresponds to a place in the file.
    pub(super) fn place(&self, file: FileId, place: Range<usize>) -> Range<usize> {
        match self.files.iter().find(|known| known.file == file) {
            Some(excerpt) => excerpt.offset(place.start)..excerpt.offset(place.end),
            None => place,
        }
    }

    fn of(&self, file: FileId) -> Result<&Excerpt, Error> {
        self.files.iter().find(|known| known.file == file).ok_or(Error::FileMissing)
    }
}

impl Excerpt {
    /// The excerpt of a text whose lines begin at `starts`, with labels at these places.
    fn new(file: FileId, text: &str, starts: &[usize], places: &[Range<usize>]) -> Excerpt {
        let index_of = |at: usize| starts.partition_point(|&start| start <= at).saturating_sub(1);
        let beside = |place: &Range<usize>| {
            index_of(place.start).saturating_sub(1)..(index_of(place.end) + 2).min(starts.len())
        };
        let indices: BTreeSet<usize> = places.iter().flat_map(beside).collect();
        let (mut shown, mut lines) = (String::new(), Vec::new());
        for index in indices {
            let whole = starts[index]..starts.get(index + 1).copied().unwrap_or(text.len());
            let kept = visible_range(text, whole.clone(), places);
            let start = shown.len();
            shown += if kept.start > whole.start { ELLIPSIS } else { "" };
            let at = shown.len();
            shown += &text[kept.clone()];
            if kept.end < whole.end {
                shown += ELLIPSIS;
                shown += if text[whole.clone()].ends_with('\n') { "\n" } else { "" };
            }
            lines.push(Line { index, whole, kept, start, shown: at });
        }
        Excerpt { file, text: shown, lines }
    }

    /// The offset in the excerpt that corresponds to an offset in the file, in one of the lines.
    fn offset(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|line| line.whole.start <= at).saturating_sub(1);
        let Some(Line { kept, shown, .. }) = self.lines.get(line) else { return at };
        shown + at.clamp(kept.start, kept.end) - kept.start
    }

    /// The position in `lines` of the line with this index in the file.
    fn position(&self, index: usize) -> Result<usize, Error> {
        let max = self.lines.last().map_or(0, |line| line.index);
        self.lines
            .binary_search_by_key(&index, |line| line.index)
            .map_err(|_| Error::LineTooLarge { given: index, max })
    }
}

/// The part of a line that is shown.
fn visible_range(text: &str, whole: Range<usize>, places: &[Range<usize>]) -> Range<usize> {
    if whole.len() <= WIDTH {
        return whole;
    }
    let first = places.iter().map(|place| place.start).filter(|start| whole.contains(start)).min();
    let focus = first.unwrap_or(whole.start);
    let start = focus.saturating_sub(BEFORE).max(whole.start);
    let start = if start - whole.start <= ELLIPSIS.len() { whole.start } else { start };
    let end = (start + WIDTH).min(whole.end);
    text.floor_char_boundary(start)..text.floor_char_boundary(end)
}

impl<'a> Files<'a> for Excerpts<'a> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, file: FileId) -> Result<&'a str, Error> {
        Ok(&self.sources.file(file).name)
    }

    fn source(&'a self, file: FileId) -> Result<&'a str, Error> {
        Ok(&self.of(file)?.text)
    }

    fn line_index(&'a self, file: FileId, offset: usize) -> Result<usize, Error> {
        let lines = &self.of(file)?.lines;
        let at = lines.partition_point(|line| line.start <= offset).saturating_sub(1);
        Ok(lines.get(at).map_or(0, |line| line.index))
    }

    fn line_range(&'a self, file: FileId, line: usize) -> Result<Range<usize>, Error> {
        let excerpt = self.of(file)?;
        let at = excerpt.position(line)?;
        let next = excerpt.lines.get(at + 1).map_or(excerpt.text.len(), |next| next.start);
        Ok(excerpt.lines[at].start..next)
    }

    fn column_number(&'a self, file: FileId, line: usize, offset: usize) -> Result<usize, Error> {
        let excerpt = self.of(file)?;
        let line = &excerpt.lines[excerpt.position(line)?];
        let at = line.kept.start + offset.saturating_sub(line.shown);
        let text = &self.sources.file(file).text;
        Ok(text[line.whole.start..text.floor_char_boundary(at)].chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, at: usize) -> Excerpt {
        let mut starts = LineStarts::default();
        Excerpt::new(FileId(0), text, starts.of(FileId(0), text), std::slice::from_ref(&(at..at)))
    }

    #[test]
    fn only_the_lines_beside_a_place_are_read() {
        let excerpt = excerpt("0\n1\n2\n3\n4\n5\n6\n7\n", 8);
        assert_eq!(excerpt.text, "3\n4\n5\n");
        assert_eq!((excerpt.offset(8), excerpt.lines[1].index), (2, 4));
    }

    #[test]
    fn a_labelled_place_is_shown_and_mapped() {
        let long = format!("{}é{}", "a".repeat(1000), "b".repeat(1000));
        let text = format!("first\n{long}\nlast\n");
        let excerpt = excerpt(&text, 1006);
        assert_eq!(excerpt.text.lines().count(), 3);
        let second = excerpt.text.lines().nth(1).unwrap_or_default();
        assert!(second.starts_with("...a") && second.contains("aéb") && second.ends_with("b..."), "{second}");
        assert!(second.len() <= WIDTH + 2 * ELLIPSIS.len());
        assert!(excerpt.text[excerpt.offset(1006)..].starts_with('é'));
        assert!(excerpt.text[excerpt.offset(text.len() - 5)..].starts_with("last"));
        // An offset beyond the shown part maps to its end.
        assert_eq!(&excerpt.text[excerpt.offset(1900)..][..3], ELLIPSIS);
    }

    #[test]
    fn short_lines_stay() {
        for text in ["", "\n", "a", "a\nb", "a\nb\n"] {
            let excerpt = excerpt(text, 0);
            assert_eq!(excerpt.text, text);
            assert!((0..=text.len()).all(|at| excerpt.offset(at) == at), "{text:?}");
        }
    }
}
