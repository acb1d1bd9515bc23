//! Draws diagnostics: the only place where they become text.

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind};
use ravel_base::{Diagnostic, FileId, Kind, SourceMap, Span};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For a pipe or a file: ASCII, no colours.
    Plain,
    /// For a terminal.
    Colour,
}

type Place = (FileId, std::ops::Range<usize>);

/// Sources as ariadne asks for them.
struct Files<'a> {
    sources: &'a SourceMap,
    cache: std::collections::BTreeMap<FileId, ariadne::Source<&'a str>>,
}

impl<'a> ariadne::Cache<FileId> for Files<'a> {
    type Storage = &'a str;

    fn fetch(&mut self, id: &FileId) -> Result<&ariadne::Source<&'a str>, impl std::fmt::Debug> {
        let sources = self.sources;
        Ok::<_, std::convert::Infallible>(
            self.cache.entry(*id).or_insert_with(|| ariadne::Source::from(sources.file(*id).text.as_str())),
        )
    }

    fn display<'b>(&self, id: &'b FileId) -> Option<impl std::fmt::Display + 'b> {
        Some(self.sources.file(*id).name.clone())
    }
}

/// The diagnostics as text, one behind the other, each ending in a newline.
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut out = Vec::new();
    for diagnostic in diagnostics {
        match diagnostic.span {
            Some(span) => {
                let files = Files { sources, cache: Default::default() };
                let report = report(sources, diagnostic, span, style);
                report.write(files, &mut out).expect("writing to memory does not fail");
            }
            None => out.extend_from_slice(headline(diagnostic).as_bytes()),
        }
    }
    let text = String::from_utf8(out).expect("reports are text");
    match style {
        Style::Colour => text,
        Style::Plain => without_escapes(&text),
    }
}

/// The text without colour sequences: ariadne colours a custom title whatever its configuration says.
fn without_escapes(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain.push_str(piece.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What kind of message it is, with its code: `error[E0201]`, `limitation`, ….
fn title(diagnostic: &Diagnostic) -> String {
    match diagnostic.kind {
        Kind::Error(code) => format!("error[{}]", code.number()),
        Kind::Warning(code) => format!("warning[{}]", code.number()),
        Kind::Limitation(_) => "limitation".to_owned(),
        Kind::Bug => "bug in the compiler".to_owned(),
    }
}

/// A diagnostic without a place in the source.
fn headline(diagnostic: &Diagnostic) -> String {
    let mut text = format!("{}: {}\n", title(diagnostic), diagnostic.message);
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("help: {help}\n"));
    }
    text
}

fn report<'a>(
    sources: &'a SourceMap,
    diagnostic: &'a Diagnostic,
    span: Span,
    style: Style,
) -> Report<'a, Place> {
    let colour = match diagnostic.kind {
        Kind::Error(_) | Kind::Bug => ariadne::Color::Red,
        Kind::Warning(_) => ariadne::Color::Yellow,
        Kind::Limitation(_) => ariadne::Color::Cyan,
    };
    let title = title(diagnostic);
    let config = Config::default()
        .with_index_type(IndexType::Byte)
        .with_color(style == Style::Colour)
        .with_char_set(if style == Style::Colour { CharSet::Unicode } else { CharSet::Ascii });
    let kind = ReportKind::Custom(Box::leak(title.into_boxed_str()), colour);
    let mut report = Report::build(kind, place(sources, span))
        .with_config(config)
        .with_message(&diagnostic.message)
        .with_label(
            Label::new(place(sources, span))
                .with_message(if diagnostic.caret.is_empty() { "here" } else { &diagnostic.caret })
                .with_color(colour),
        );
    for label in &diagnostic.labels {
        report = report.with_label(
            Label::new(place(sources, label.span)).with_message(&label.text).with_color(ariadne::Color::Blue),
        );
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(help);
    }
    report.finish()
}

/// A span as ariadne wants it: inside the text, on character boundaries.
fn place(sources: &SourceMap, span: Span) -> Place {
    let text = &sources.file(span.file).text;
    let clamp = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = clamp(span.start);
    (span.file, start..clamp(span.end).max(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ravel_base::{Code, Limitation};

    #[test]
    fn plain_reports_have_no_escapes_and_show_the_place() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.dsl", "def f x =\n  x + y\n");
        let span = Span::new(file, 16, 17);
        let diagnostics = [
            Diagnostic::error(Code::UnknownName, span, "Unknown variable `y`").help("define it"),
            Diagnostic::limitation(Limitation::Modules, None),
        ];
        let text = render(&sources, &diagnostics, Style::Plain);
        assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text}");
        assert!(text.contains("error[E0101]: Unknown variable `y`"), "{text}");
        assert!(text.contains("a.dsl:2:7"), "{text}");
        assert!(text.contains("limitation: modules are not supported yet"), "{text}");
    }
}
