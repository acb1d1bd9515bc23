//! A reader for the text of a test block, word by word.

use super::SpecError;

/// The lines of a block without their comment marks, and a position in them.
#[derive(Default)]
pub(super) struct Block {
    lines: Vec<(usize, String)>,
    row: usize,
    column: usize,
}

impl Block {
    /// Adds a line with its number.
    pub fn push(&mut self, number: usize, line: &str) {
        self.lines.push((number, line.to_owned()));
    }

    /// The number of the current line.
    pub fn line(&self) -> usize {
        self.lines.get(self.row).or(self.lines.last()).map_or(1, |(number, _)| *number)
    }

    /// A syntax error at the current line.
    pub fn error(&self, message: impl Into<String>) -> SpecError {
        SpecError { line: self.line(), message: message.into() }
    }

    /// The next word, up to a blank or a brace.
    pub fn word(&mut self) -> Option<String> {
        self.skip_blanks()?;
        let rest = &self.lines[self.row].1[self.column..];
        let end = rest.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(rest.len()).max(1);
        let word = rest[..end].to_owned();
        self.column += end;
        Some(word)
    }

    /// Whether a brace comes next.
    pub fn at_brace(&mut self) -> bool {
        self.skip_blanks() == Some('{')
    }

    /// The rest of the line.
    pub fn rest_of_line(&mut self) -> String {
        let rest = self.lines.get(self.row).map_or("", |(_, line)| &line[self.column..]).to_owned();
        self.row += 1;
        self.column = 0;
        rest
    }

    /// The content of a one-line string that begins with this word, which is already read.
    pub fn rest_of_string(&mut self, word: &str) -> Result<String, SpecError> {
        let start = self.column - word.len();
        let line = self.lines.get(self.row).map_or("", |(_, line)| line.as_str());
        let end = line[start + 1..].find('"').ok_or_else(|| self.error("a name without a closing `\"`"))?;
        let name = line[start + 1..start + 1 + end].to_owned();
        self.column = start + end + 2;
        Ok(name)
    }

    /// The text between `{` and its `}`, which may span lines.
    pub fn braces(&mut self, clause: &str) -> Result<String, SpecError> {
        let unclosed = self.error(format!("`{clause} {{` without a closing `}}`"));
        if !self.at_brace() {
            return Err(self.error(format!("`{clause}` is followed by `{{`")));
        }
        self.column += 1;
        let (mut text, mut depth, mut quoted) = (String::new(), 1, false);
        while let Some((_, line)) = self.lines.get(self.row) {
            for (at, c) in line[self.column..].char_indices() {
                match c {
                    '"' => quoted = !quoted,
                    '{' if !quoted => depth += 1,
                    '}' if !quoted => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    self.column += at + 1;
                    return Ok(text);
                }
                text.push(c);
            }
            text.push('\n');
            self.row += 1;
            self.column = 0;
        }
        Err(unclosed)
    }

    /// The next character that is not a blank, over line ends.
    fn skip_blanks(&mut self) -> Option<char> {
        loop {
            let (_, line) = self.lines.get(self.row)?;
            let rest = &line[self.column..];
            let trimmed = rest.trim_start();
            if let Some(next) = trimmed.chars().next() {
                self.column += rest.len() - trimmed.len();
                return Some(next);
            }
            self.row += 1;
            self.column = 0;
        }
    }
}
