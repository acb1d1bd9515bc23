//! Renders diagnostics as text.
//!
//! ```text
//! error[E0201]: Argument of "f32.sum" has the wrong type
//!   Expected: []f32
//!   Actual:   [n]i32
//!   --> sum.dsl:2:23
//!   |
//! 2 |   let total = f32.sum xs
//!   |                       ^^ this argument of "f32.sum" has type "[n]i32"
//!   |
//!   = note: Cannot apply "f32.sum" to "xs" (invalid type)
//!   = help: convert its elements with `map f32.i32`
//! ```

mod excerpt;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use codespan_reporting::diagnostic::{self as drawn, LabelStyle, Severity};
use codespan_reporting::term::{self, Chars, Config, WriteStyle};
use ravel_base::{Diagnostic, FileId, Kind, Label, SourceMap, Span};

use excerpt::{Excerpts, LineStarts};

/// The style of rendered diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For a pipe or a file: no colours, and lines of ASCII.
    Plain,
    /// For a terminal.
    Colour,
}

/// The diagnostics as text, separated by blank lines, each ending in a newline.
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut out = Painter::new(style);
    for (number, diagnostic) in diagnostics.iter().enumerate() {
        if number > 0 {
            out.text.push('\n');
        }
        let severity = severity(diagnostic);
        out.headline(severity, &title(diagnostic), &diagnostic.message);
        for line in diagnostic.fact_lines() {
            out.text.push_str(&format!("  {}\n", shortened(&line)));
        }
        match diagnostic.span {
            Some(span) => {
                let (caret, labels) = (&diagnostic.caret, &diagnostic.labels);
                out.snippet(sources, severity, (span, caret), labels, notes(diagnostic));
            }
            None => notes(diagnostic).iter().for_each(|note| out.text.push_str(&format!("  = {note}\n"))),
        }
    }
    out.text
}

/// The line that names the pages of the diagnostics' codes, after a blank line; empty if no diagnostic has a code.
pub fn pages(diagnostics: &[Diagnostic]) -> String {
    let code = |diagnostic: &Diagnostic| match diagnostic.kind {
        Kind::Error(code) | Kind::Warning(code) => Some(code.number()),
        Kind::Limitation(_) | Kind::Bug => None,
    };
    let codes: BTreeSet<&str> = diagnostics.iter().filter_map(code).collect();
    match Vec::from_iter(codes)[..] {
        [] => String::new(),
        [code] => format!("\nMore about {code}: `ravel check --explain {code}`\n"),
        [first, ref others @ ..] => {
            format!("\nMore about {first}: `ravel check --explain {first}`; likewise {}\n", others.join(", "))
        }
    }
}

/// A remark about a place in a correct program, rendered like a diagnostic.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The subject, first in the headline.
    pub title: String,
    /// The rest of the headline.
    pub message: String,
    /// The place.
    pub span: Span,
    /// The text at the caret; may be empty.
    pub caret: String,
    /// Further places.
    pub labels: Vec<Label>,
    /// Notes below the excerpt.
    pub notes: Vec<String>,
}

/// The remark as text that ends in a newline.
pub fn remark(sources: &SourceMap, remark: &Remark, style: Style) -> String {
    let mut out = Painter::new(style);
    out.headline(Severity::Help, &remark.title, &remark.message);
    let Remark { span, caret, labels, notes, .. } = remark;
    out.snippet(sources, Severity::Help, (*span, caret), labels, notes.clone());
    out.text
}

/// A text buffer that adds colours in the coloured style.
struct Painter {
    text: String,
    style: Style,
    line_starts: LineStarts,
}

impl Painter {
    fn new(style: Style) -> Painter {
        Painter { text: String::new(), style, line_starts: LineStarts::default() }
    }

    /// `error[E0201]: Branches differ in type`, and the further lines of a bug's message, indented.
    fn headline(&mut self, severity: Severity, title: &str, message: &str) {
        self.paint(&format!("1;{}", colour(severity)));
        self.text.push_str(title);
        self.paint("0;1");
        let mut lines = message.lines();
        self.text.push_str(&format!(": {}", shortened(lines.next().unwrap_or_default())));
        self.paint("0");
        self.text.push('\n');
        for line in lines {
            self.text.push_str(&format!("  {}\n", shortened(line)));
        }
    }

    /// The source excerpts with labels, and the notes below.
    fn snippet(
        &mut self,
        sources: &SourceMap,
        severity: Severity,
        (span, caret): (Span, &str),
        further: &[Label],
        notes: Vec<String>,
    ) {
        let spans = std::iter::once(span).chain(further.iter().map(|further| further.span));
        let places: Vec<(FileId, Range<usize>)> = spans.map(|span| place(sources, span)).collect();
        let excerpts = Excerpts::new(sources, &mut self.line_starts, &places);
        let texts = std::iter::once(caret).chain(further.iter().map(|further| further.text.as_str()));
        let styles = std::iter::once(LabelStyle::Primary).chain(std::iter::repeat(LabelStyle::Secondary));
        let labels = places.into_iter().zip(texts).zip(styles).map(|(((file, place), text), style)| {
            drawn::Label::new(style, file, excerpts.place(file, place)).with_message(shortened(text))
        });
        let labels = labels.collect();
        let diagnostic = drawn::Diagnostic::new(severity).with_labels(labels).with_notes(notes);
        let config = Config {
            chars: if self.style == Style::Colour { Chars::box_drawing() } else { Chars::ascii() },
            ..Config::default()
        };
        let mut below = Painter::new(self.style);
        term::emit_to_write_style(&mut below, &config, &excerpts, &diagnostic)
            .expect("places are clamped to the text, and writing to memory does not fail");
        // Drop that headline: codespan has no severity for limitations.
        let (_, below) = below.text.split_once('\n').expect("a rendered diagnostic has a headline");
        for line in below.trim_end().lines() {
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        }
    }

    /// Writes an ANSI escape sequence for colour and weight.
    fn paint(&mut self, codes: &str) {
        if self.style == Style::Colour {
            self.text.push_str(&format!("\u{1b}[{codes}m"));
        }
    }
}

/// Where Futhark's rules are explained.
const ERROR_INDEX: &str = "https://futhark.readthedocs.io/en/latest/error-index.html";

/// What stands below the excerpt: the notes, advice, and a link to Futhark's error index.
fn notes(diagnostic: &Diagnostic) -> Vec<String> {
    let notes = diagnostic.notes.iter().map(|note| format!("note: {}", shortened(note)));
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    let section = diagnostic.section.iter().map(|section| format!("see {ERROR_INDEX}#{}", section.anchor()));
    notes.chain(help).chain(section).collect()
}

/// The kind of a diagnostic, with its code.
fn title(diagnostic: &Diagnostic) -> String {
    match diagnostic.kind {
        Kind::Error(code) => format!("error[{}]", code.number()),
        Kind::Warning(code) => format!("warning[{}]", code.number()),
        Kind::Limitation(_) => "limitation".to_owned(),
        Kind::Bug => "bug in the compiler".to_owned(),
    }
}

fn severity(diagnostic: &Diagnostic) -> Severity {
    match diagnostic.kind {
        Kind::Error(_) => Severity::Error,
        Kind::Warning(_) => Severity::Warning,
        Kind::Limitation(_) => Severity::Note,
        Kind::Bug => Severity::Bug,
    }
}

/// The ANSI colour code of a severity.
fn colour(severity: Severity) -> u8 {
    const RED: u8 = 31;
    const YELLOW: u8 = 33;
    const MAGENTA: u8 = 35;
    match severity {
        Severity::Bug | Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note | Severity::Help => MAGENTA,
    }
}

const BLUE: &str = "34";

impl fmt::Write for Painter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

impl WriteStyle for Painter {
    fn set_header(&mut self, _: Severity) -> fmt::Result {
        Ok(())
    }

    fn set_header_message(&mut self) -> fmt::Result {
        Ok(())
    }

    fn set_line_number(&mut self) -> fmt::Result {
        self.paint(BLUE);
        Ok(())
    }

    fn set_note_bullet(&mut self) -> fmt::Result {
        self.paint(BLUE);
        Ok(())
    }

    fn set_source_border(&mut self) -> fmt::Result {
        self.paint(BLUE);
        Ok(())
    }

    fn set_label(&mut self, severity: Severity, style: LabelStyle) -> fmt::Result {
        match style {
            LabelStyle::Primary => self.paint(&format!("1;{}", colour(severity))),
            LabelStyle::Secondary => self.paint(BLUE),
        }
        Ok(())
    }

    fn reset(&mut self) -> fmt::Result {
        self.paint("0");
        Ok(())
    }
}

/// A span clamped to its file, on character boundaries.
fn place(sources: &SourceMap, span: Span) -> (FileId, Range<usize>) {
    let text = &sources.file(span.file).text;
    let clamp = |at: u32| text.floor_char_boundary((at as usize).min(text.len()));
    let start = clamp(span.start);
    (span.file, start..clamp(span.end).max(start))
}

/// The text; a very long one without its middle.
fn shortened(text: &str) -> Cow<'_, str> {
    const MOST: usize = 2000;
    if text.len() <= MOST {
        return Cow::Borrowed(text);
    }
    let (head, tail) = (text.floor_char_boundary(MOST / 2), text.floor_char_boundary(text.len() - MOST / 2));
    Cow::Owned(format!("{} ... {}", &text[..head], &text[tail..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ravel_base::{Code, Limitation, Section};

    fn drawn(text: &str, style: Style, diagnostic: impl Fn(FileId) -> Diagnostic) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("a.dsl", text);
        render(&sources, &[diagnostic(file)], style)
    }

    #[test]
    fn a_place_is_shown_with_its_labels() {
        let text = drawn("def f x =\n  x + y\n", Style::Plain, |file| {
            Diagnostic::error(Code::UnknownName, Span::new(file, 16, 17), "Unknown name `y`")
                .caret("not bound")
                .label(Span::new(file, 6, 7), "the only name")
                .note("There is no such name")
                .help("define it")
                .section(Section::ScopeViolation)
        });
        insta::assert_snapshot!(text, @r#"
        error[E0101]: Unknown name "y"
          --> a.dsl:2:7
          |
        1 | def f x =
          |       - the only name
        2 |   x + y
          |       ^ not bound
          |
          = note: There is no such name
          = help: define it
          = see https://futhark.readthedocs.io/en/latest/error-index.html#scope-violation
        "#);
    }

    #[test]
    fn facts_stand_below_the_headline_in_one_column() {
        let text = drawn("1", Style::Plain, |file| {
            Diagnostic::error(Code::TypeMismatch, Span::new(file, 0, 1), "Types differ")
                .types("`i32`", "a value of type `f32`")
                .fact("", "or `f64`")
        });
        let facts =
            "Types differ\n  Expected: i32\n  Actual:   a value of type \"f32\"\n            or \"f64\"\n";
        assert!(text.contains(facts), "{text}");
    }

    #[test]
    fn each_code_is_named_once_after_all_messages() {
        let error = |code| Diagnostic::error(code, Span::new(FileId(0), 0, 1), "wrong");
        assert_eq!(pages(&[Diagnostic::bug("odd")]), "");
        let mismatch = || error(Code::TypeMismatch);
        assert_eq!(pages(&[mismatch(), mismatch()]), "\nMore about E0201: `ravel check --explain E0201`\n");
        assert_eq!(
            pages(&[mismatch(), error(Code::UnknownName), mismatch()]),
            "\nMore about E0101: `ravel check --explain E0101`; likewise E0201\n"
        );
    }

    #[test]
    fn places_beyond_the_text_are_drawn_at_its_end() {
        for (start, end) in [(0, 0), (4, 4), (5, 5), (3, 99), (98, 99), (1, 2)] {
            let text = drawn("é = 1", Style::Plain, |file| {
                Diagnostic::error(Code::BadToken, Span::new(file, start, end), "odd")
            });
            assert!(text.contains("1 | é = 1\n"), "{start}..{end}:\n{text}");
        }
        drawn("", Style::Plain, |file| Diagnostic::error(Code::BadToken, Span::new(file, 0, 9), "odd"));
    }

    #[test]
    fn only_the_coloured_style_has_escapes() {
        let limitation =
            |file| Diagnostic::limitation(Limitation::Differentiation, Some(Span::new(file, 0, 3)));
        let plain = drawn("def x = {}", Style::Plain, limitation);
        assert!(plain.is_ascii() && !plain.contains('\u{1b}'), "{plain}");
        assert!(plain.starts_with("limitation: automatic differentiation is not supported yet\n"), "{plain}");
        let coloured = drawn("def x = {}", Style::Colour, limitation);
        assert!(coloured.starts_with("\u{1b}[1;35mlimitation\u{1b}[0;1m: automatic"), "{coloured:?}");
        assert!(coloured.ends_with('\n') && coloured.contains('│'), "{coloured:?}");
    }

    #[test]
    fn a_diagnostic_without_a_place_has_only_its_message() {
        let text = drawn("", Style::Plain, |_| Diagnostic::bug("no rule for this").help("tell us"));
        assert_eq!(text, "bug in the compiler: no rule for this\n  = help: tell us\n");
    }
}
