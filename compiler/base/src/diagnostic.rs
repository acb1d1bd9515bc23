//! Diagnostics as data. Any crate creates them; only the driver renders them.
//!
//! The message is a headline of one line, in the words of the user, without types and without the source that the caret
//! marks. Types stand below it as [`Fact`]s, one a line. The words of Futhark's compiler for the same error are a note, so
//! that a search for them finds it.
//!
//! Program text inside a diagnostic is written in backquotes. Messages, notes and labels show it in double quotes. Help
//! keeps the backquotes, because there they enclose the code to write.

use crate::{Code, Limitation, Section, Span};

/// The kind of a diagnostic. Errors, limitations and bugs have different exit codes (1, 3 and 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The user's program or data is wrong.
    Error(Code),
    /// The program is correct but suspicious.
    Warning(Code),
    /// The program is correct, but this compiler cannot compile it yet.
    Limitation(Limitation),
    /// The compiler has a bug.
    Bug,
}

/// A further place in the source that helps to understand the message, with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text at the place.
    pub text: String,
}

/// A labelled line below the headline, such as `Expected: i32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The subject; empty if the line continues the one before it.
    pub subject: &'static str,
    /// What is said of it.
    pub text: String,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind, with its code.
    pub kind: Kind,
    /// What is wrong, in one short line. The message of a bug may have more lines.
    pub message: String,
    /// Lines below the message, such as the two types of a mismatch.
    pub facts: Vec<Fact>,
    /// The place in the source, if the diagnostic has one.
    pub span: Option<Span>,
    /// The text at the caret; may be empty.
    pub caret: String,
    /// Further places.
    pub labels: Vec<Label>,
    /// Explanations, and the words of Futhark's compiler.
    pub notes: Vec<String>,
    /// Advice.
    pub help: Option<String>,
    /// The section of Futhark's published error index that explains the rule.
    pub section: Option<Section>,
}

impl Diagnostic {
    fn new(kind: Kind, span: Option<Span>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kind,
            message: quoted(message.into()),
            facts: Vec::new(),
            span,
            caret: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            section: None,
        }
    }

    /// An error in the user's program or data, at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Error(code), Some(span), message)
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Warning(code), Some(span), message)
    }

    /// A construct that this compiler cannot handle yet. The message and the advice come from the table of limitations.
    pub fn limitation(limitation: Limitation, span: Option<Span>) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(Kind::Limitation(limitation), span, limitation.problem());
        diagnostic.help = Some(limitation.advice().to_owned());
        diagnostic
    }

    /// A bug of the compiler.
    pub fn bug(message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Bug, None, message)
    }

    /// Adds a line below the message. A text that is quoted as a whole is shown without the quotes.
    pub fn fact(mut self, subject: &'static str, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        let bare = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
        let text = quoted(bare.unwrap_or(&text).to_owned());
        self.facts.push(Fact { subject, text });
        self
    }

    /// Adds the expected and the actual type, on lines of their own.
    pub fn types(self, expected: impl Into<String>, actual: impl Into<String>) -> Diagnostic {
        self.fact("Expected", expected).fact("Actual", actual)
    }

    /// Sets the text at the caret.
    pub fn caret(mut self, text: impl Into<String>) -> Diagnostic {
        self.caret = quoted(text.into());
        self
    }

    /// Adds a further place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: quoted(text.into()) });
        self
    }

    /// Adds an explanation.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(quoted(text.into()));
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Names the section of Futhark's error index that explains the rule.
    pub fn section(mut self, section: Section) -> Diagnostic {
        self.section = Some(section);
        self
    }

    /// The lines of the facts, with their texts in one column.
    pub fn fact_lines(&self) -> Vec<String> {
        let width = self.facts.iter().map(|fact| fact.subject.len()).max().unwrap_or_default() + 1;
        let line = |Fact { subject, text }: &Fact| {
            let subject = if subject.is_empty() { String::new() } else { format!("{subject}:") };
            format!("{subject:width$} {text}")
        };
        self.facts.iter().map(line).collect()
    }

    /// All texts of the diagnostic, one a line: the message, facts, notes, the texts at places, and advice.
    pub fn texts(&self) -> String {
        let facts = self.fact_lines();
        let labels = self.labels.iter().map(|label| &label.text);
        let texts = [&self.message].into_iter().chain(&facts).chain(&self.notes).chain([&self.caret]);
        let texts: Vec<&str> = texts.chain(labels).chain(&self.help).map(String::as_str).collect();
        texts.join("\n")
    }

    /// True unless this is a warning.
    pub fn is_fatal(&self) -> bool {
        !matches!(self.kind, Kind::Warning(_))
    }
}

/// The text with double quotes in place of backquotes. If their number is odd, one of them is not a quotation mark, and
/// the text is not changed.
fn quoted(text: String) -> String {
    match text.matches('`').count() % 2 {
        0 => text.replace('`', "\""),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_are_quoted_and_operators_left_alone() {
        assert_eq!(quoted("Unknown name `x`".to_owned()), "Unknown name \"x\"");
        assert_eq!(quoted("Unexpected token: '`'".to_owned()), "Unexpected token: '`'");
    }
}
