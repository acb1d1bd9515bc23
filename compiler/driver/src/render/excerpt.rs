//! Shortens the long lines of a source file for a diagnostic: only the part around the labelled place is shown. Line and
//! column numbers are still positions in the file.

use std::borrow::Cow;
use std::ops::Range;

use codespan_reporting::files::{Error, Files};
use ravel_base::{FileId, SourceMap};

/// The maximum number of bytes of a line that are shown.
const WIDTH: usize = 200;

/// The number of these bytes that precede the labelled place.
const BEFORE: usize = 60;

/// Replaces the parts that are cut.
const ELLIPSIS: &str = "...";

/// The files of one diagnostic.
pub(super) struct Excerpts<'a> {
    sources: &'a SourceMap,
    files: Vec<Excerpt<'a>>,
}

/// The text of a file with its long lines cut.
struct Excerpt<'a> {
    file: FileId,
    text: Cow<'a, str>,
    lines: Vec<Line>,
}

/// A line: its position in the file and in the excerpt.
struct Line {
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
    pub(super) fn new(sources: &'a SourceMap, places: &[(FileId, Range<usize>)]) -> Excerpts<'a> {
        let mut files: Vec<Excerpt> = Vec::new();
        for (file, _) in places {
            if files.iter().all(|known| known.file != *file) {
                let inside = places.iter().filter(|(other, _)| other == file);
                let starts: Vec<usize> = inside.map(|(_, place)| place.start).collect();
                files.push(Excerpt::new(*file, &sources.file(*file).text, &starts));
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

    fn of(&self, file: FileId) -> Result<&Excerpt<'a>, Error> {
        self.files.iter().find(|known| known.file == file).ok_or(Error::FileMissing)
    }
}

impl<'a> Excerpt<'a> {
    /// The excerpt of a text with labels at these offsets.
    fn new(file: FileId, text: &'a str, starts: &[usize]) -> Excerpt<'a> {
        let mut shown = String::new();
        let mut lines = Vec::new();
        let mut from = 0;
        for line in text.split_inclusive('\n').chain(text.is_empty().then_some("")) {
            let whole = from..from + line.len();
            from = whole.end;
            let kept = visible_range(text, whole.clone(), starts);
            let start = shown.len();
            shown += if kept.start > whole.start { ELLIPSIS } else { "" };
            let at = shown.len();
            shown += &text[kept.clone()];
            if kept.end < whole.end {
                shown += ELLIPSIS;
                shown += if line.ends_with('\n') { "\n" } else { "" };
            }
            lines.push(Line { whole, kept, start, shown: at });
        }
        if text.ends_with('\n') {
            lines.push(Line { whole: from..from, kept: from..from, start: shown.len(), shown: shown.len() });
        }
        let text = if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) };
        Excerpt { file, text, lines }
    }

    /// The offset in the excerpt that corresponds to an offset in the file.
    fn offset(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|line| line.whole.start <= at).saturating_sub(1);
        let Some(Line { kept, shown, .. }) = self.lines.get(line) else { return at };
        shown + at.clamp(kept.start, kept.end) - kept.start
    }

    fn line(&self, index: usize) -> Result<&Line, Error> {
        self.lines.get(index).ok_or(Error::LineTooLarge { given: index, max: self.lines.len() - 1 })
    }
}

/// The part of a line that is shown.
fn visible_range(text: &str, whole: Range<usize>, starts: &[usize]) -> Range<usize> {
    if whole.len() <= WIDTH {
        return whole;
    }
    let first = starts.iter().copied().filter(|start| whole.contains(start)).min();
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
        Ok(lines.partition_point(|line| line.start <= offset).saturating_sub(1))
    }

    fn line_range(&'a self, file: FileId, line: usize) -> Result<Range<usize>, Error> {
        let excerpt = self.of(file)?;
        let next = excerpt.lines.get(line + 1).map_or(excerpt.text.len(), |next| next.start);
        Ok(excerpt.line(line)?.start..next)
    }

    fn column_number(&'a self, file: FileId, line: usize, offset: usize) -> Result<usize, Error> {
        let line = self.of(file)?.line(line)?;
        let at = line.kept.start + offset.saturating_sub(line.shown);
        let text = &self.sources.file(file).text;
        Ok(text[line.whole.start..text.floor_char_boundary(at)].chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_labelled_place_is_shown_and_mapped() {
        let long = format!("{}é{}", "a".repeat(1000), "b".repeat(1000));
        let text = format!("first\n{long}\nlast\n");
        let excerpt = Excerpt::new(FileId(0), &text, &[1006]);
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
            let excerpt = Excerpt::new(FileId(0), text, &[0]);
            assert_eq!(excerpt.text, text);
            assert!((0..=text.len()).all(|at| excerpt.offset(at) == at), "{text:?}");
        }
    }
}
