//! Source files and places in them.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::sync::LazyLock;

crate::define_id!(
    /// A source file known to a [`SourceMap`].
    FileId, "file"
);

/// A range of bytes `start..end` of one source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file, start: offset(start), end: offset(end) }
    }

    /// Whether this span contains the other one.
    pub fn holds(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that holds both. The file is `self`'s.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// The source files of one compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: crate::IdMap<FileId, SourceFile>,
}

/// One source file: the name shown to the user, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path from the command line, or a name such as `<prelude>`.
    pub name: String,
    /// The whole text.
    pub text: Cow<'static, str>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Positions in one text. Each search for a line and column begins at the last position, so all searches together take
/// linear time if their offsets ascend.
#[derive(Clone, Debug)]
pub struct Positions<'t> {
    text: &'t str,
    last: Cell<(usize, Position)>,
}

impl<'t> Positions<'t> {
    /// The positions in a text.
    pub fn new(text: &'t str) -> Positions<'t> {
        Positions { text, last: Cell::new((0, Position { line: 1, column: 1 })) }
    }

    /// Line and column of a byte offset; an offset beyond the end counts as the end.
    pub fn at(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let (from, last) = match self.last.get() {
            (from, last) if from <= offset => (from, last),
            _ => (0, Position { line: 1, column: 1 }),
        };
        let between = &self.text[from..offset];
        let position = match between.rfind('\n') {
            Some(end) => Position {
                line: last.line + between.bytes().filter(|&byte| byte == b'\n').count(),
                column: between[end + 1..].chars().count() + 1,
            },
            None => Position { column: last.column + between.chars().count(), ..last },
        };
        self.last.set((offset, position));
        position
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What stands for a file that is not in the map.
static NOT_AT_HAND: LazyLock<SourceFile> =
    LazyLock::new(|| SourceFile { name: "a file that is not at hand".to_owned(), text: Cow::Borrowed("") });

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file. A byte order mark at its start, which some editors write, is removed from its text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let mut text: String = text.into();
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        self.files.push(SourceFile { name: name.into(), text: Cow::Owned(text) })
    }

    /// Adds a file that is part of the compiler.
    pub fn embed(&mut self, name: impl Into<String>, text: &'static str) -> FileId {
        self.files.push(SourceFile { name: name.into(), text: Cow::Borrowed(text) })
    }

    /// The file with this id. The text of a dump may name files of a program that are not at hand: such a file is empty.
    pub fn file(&self, file: FileId) -> &SourceFile {
        self.files.get(file).unwrap_or(&NOT_AT_HAND)
    }

    /// All files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }

    /// Line and column of a byte offset; an offset beyond the end counts as the end.
    pub fn position(&self, file: FileId, offset: u32) -> Position {
        Positions::new(&self.file(file).text).at(offset)
    }

    /// The span as run-time errors show it: `name:line:column` for one character, `name:line:column-column` within a
    /// line, and otherwise `name:line:column-line:column`. The last column belongs to the span.
    pub fn describe(&self, span: Span) -> String {
        let name = &self.file(span.file).name;
        let start = self.position(span.file, span.start);
        let end = self.position(span.file, span.end.max(span.start + 1) - 1);
        match (start.line == end.line, start.column == end.column) {
            (true, true) => format!("{name}:{}:{}", start.line, start.column),
            (true, false) => format!("{name}:{}:{}-{}", start.line, start.column, end.column),
            (false, _) => format!("{name}:{}:{}-{}:{}", start.line, start.column, end.line, end.column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_at_hand_has_a_description() {
        let span = Span { file: FileId(7), start: 20, end: 30 };
        assert_eq!(SourceMap::new().describe(span), "a file that is not at hand:1:1");
    }

    #[test]
    fn positions_count_from_one_in_characters() {
        let mut map = SourceMap::new();
        let file = map.add("a.dsl", "let ä = 1\nlet b");
        let at = |offset| map.position(file, offset);
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(6), Position { line: 1, column: 6 });
        assert_eq!(at(11), Position { line: 2, column: 1 });
        assert_eq!(at(999), Position { line: 2, column: 6 });
        assert_eq!(map.describe(Span::new(file, 0, 3)), "a.dsl:1:1-3");
        assert_eq!(map.describe(Span::new(file, 0, 14)), "a.dsl:1:1-2:3");
    }

    #[test]
    fn positions_are_counted_on_from_the_last_one() {
        let positions = Positions::new("a\nbä\ncc d");
        let at = |offset| positions.at(offset).to_string();
        assert_eq!(
            [0, 2, 5, 6, 9, 9, 1, 7].map(at),
            ["1:1", "2:1", "2:3", "3:1", "3:4", "3:4", "1:2", "3:2"]
        );
    }

    #[test]
    fn a_byte_order_mark_is_removed() {
        let mut map = SourceMap::new();
        let file = map.add("a.dsl", "\u{feff}def x = 1");
        assert_eq!(map.file(file).text, "def x = 1");
    }
}
