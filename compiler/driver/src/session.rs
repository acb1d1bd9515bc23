//! A session at a prompt: definitions that persist, and expressions that are evaluated.
//!
//! Every input is a source text of its own, so that diagnostics point into what the user typed. A text sees the definitions of
//! earlier texts and may shadow them; definitions that use the old one keep it. An expression becomes an entry point, so that
//! every backend and every `ravel dev` form accepts it. The last expression is also a definition of [`LAST`], which is added to
//! the texts once one of them names it.

mod names;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ravel_abi::interface::Layout;
use ravel_base::{Diagnostic, FileId};
use ravel_types::tast::Program;
use ravel_types::{Module, definitions_text, value_type_text};

pub use ravel_syntax::{Class, classes};

use crate::files::canonical;
use crate::interface::layout;
use crate::library::PROGRAM;
use crate::source::{Form, History, Problems, Source, Text};
use crate::stages;

/// The entry point that returns the value of an expression. Programs are unlikely to use this name.
pub const EXPRESSION_ENTRY: &str = "it_";

/// The name of the last value.
pub const LAST: &str = "it";

/// For a module with more values than this, only their number is shown.
const MANY: usize = 8;

/// The kind of input that a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Blanks and comments.
    Nothing,
    /// Declarations.
    Definitions,
    /// An expression, or a text with syntax errors.
    Expression,
}

/// Whether a text is syntactically complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Whole,
    Unfinished,
    Broken,
}

/// The kind of input that a text is. An incorrect or unfinished text is classified by its beginning.
pub fn input_kind(text: &str) -> InputKind {
    read(text).0
}

/// Whether a text is only the beginning of an input.
pub fn is_unfinished(text: &str) -> bool {
    read(text).1 == State::Unfinished
}

/// Whether a line continues the complete text before it. It does if no input can begin with the line's first token, and
/// the token may follow the text.
pub fn continues(text: &str, line: &str) -> bool {
    ravel_syntax::continuation(line).is_some_and(|token| read(&format!("{text}\n{token}")).1 != State::Broken)
}

fn read(text: &str) -> (InputKind, State) {
    let nowhere = FileId(0);
    let program = ravel_syntax::parse(nowhere, text);
    if program.diagnostics.is_empty() {
        let nothing = program.program.decs.is_empty();
        return (if nothing { InputKind::Nothing } else { InputKind::Definitions }, State::Whole);
    }
    let expression = ravel_syntax::parse_expression(EXPRESSION_ENTRY.into(), false, nowhere, text);
    let begins_declaration = program.diagnostics[0].span.is_some_and(|span| {
        // The parser of declarations fails at the first token of an expression.
        let before = text.get(..span.start as usize).unwrap_or_default();
        classes(before).iter().any(|(_, class)| *class != Class::Comment)
    });
    match (begins_declaration, expression.diagnostics.is_empty()) {
        (_, true) => (InputKind::Expression, State::Whole),
        (true, _) if program.is_incomplete => (InputKind::Definitions, State::Unfinished),
        _ if expression.is_incomplete => (InputKind::Expression, State::Unfinished),
        (true, _) => (InputKind::Definitions, State::Broken),
        _ => (InputKind::Expression, State::Broken),
    }
}

/// The state of a session.
#[derive(Clone, Default)]
pub struct Session {
    history: Arc<History>,
    loaded: Option<Source>,
    scope: Arc<Module>,
    /// The last evaluated expression with the number of texts that it sees, unless it is already one of the texts.
    last: Option<(usize, Text)>,
    inputs: usize,
}

/// The outcome of definitions.
pub struct DefinitionOutcome {
    /// The defined values, each with its type; for a module with many values, their number.
    pub values: Vec<String>,
    /// Warnings about this text.
    pub warnings: Vec<Diagnostic>,
    /// The text.
    pub source: Source,
}

/// An expression that passed all checks.
pub struct CheckedExpression {
    /// The program whose entry point [`EXPRESSION_ENTRY`] returns its value.
    pub source: Source,
    /// Its type.
    pub ty: String,
    /// The layout of its value; none for a function, or if the type is ambiguous.
    pub layout: Option<Layout>,
    /// Warnings about this text.
    pub warnings: Vec<Diagnostic>,
}

impl Session {
    /// The program that was loaded.
    pub fn loaded(&self) -> Option<&Source> {
        self.loaded.as_ref()
    }

    /// Loads a program: the session starts over with its definitions.
    ///
    /// # Errors
    /// Errors in the program; then the session does not change.
    pub fn load(&mut self, source: Source) -> Result<DefinitionOutcome, Problems> {
        let (checked, warnings) = stages::type_check(&source)?;
        let files = source.files();
        let snapshots = files.parsed.iter().map(|file| {
            let file = files.sources.file(file.file);
            (canonical(Path::new(&file.name)), file.text.to_string())
        });
        let texts = vec![text_of(&source, Form::Program)];
        self.history = Arc::new(History { texts, snapshots: snapshots.collect() });
        self.last = None;
        self.scope = Arc::new(checked.exports);
        self.loaded = Some(source.clone());
        Ok(DefinitionOutcome { values: definition_lines(&checked.program), warnings, source })
    }

    /// Replaces the loaded program and repeats all later definitions. Returns the errors in definitions that are no
    /// longer correct; these are dropped.
    ///
    /// # Errors
    /// Errors in the program; then the session does not change.
    pub fn reload(&mut self, source: Source) -> Result<(DefinitionOutcome, Vec<Problems>), Problems> {
        let texts = self.with_last().texts;
        let from = usize::from(self.loaded.is_some());
        let defined = self.load(source)?;
        let problems = texts.into_iter().skip(from).filter_map(|text| self.add(text).err()).collect();
        Ok((defined, problems))
    }

    /// Adds the definitions of a text.
    ///
    /// # Errors
    /// Errors in the text; then nothing is defined.
    pub fn define(&mut self, text: &str) -> Result<DefinitionOutcome, Problems> {
        self.name_last(text);
        let name = self.next_name();
        self.add(Text { name, text: text.to_owned(), form: Form::Input })
    }

    fn add(&mut self, text: Text) -> Result<DefinitionOutcome, Problems> {
        let source = Source::after(self.history.clone(), text.name.clone(), text.text.clone(), text.form);
        let (checked, warnings) = stages::type_check(&source)?;
        Arc::make_mut(&mut self.history).texts.push(text);
        self.scope = Arc::new(checked.exports);
        let warnings = own_warnings(warnings);
        Ok(DefinitionOutcome { values: definition_lines(&checked.program), warnings, source })
    }

    /// Checks an expression.
    ///
    /// # Errors
    /// Errors in the expression.
    pub fn check_expression(&mut self, text: &str) -> Result<CheckedExpression, Problems> {
        self.name_last(text);
        let name = self.next_name();
        let [value, entry] = [false, true].map(|entry| {
            let form = Form::Expression { name: EXPRESSION_ENTRY, entry };
            Source::after(self.history.clone(), name.clone(), text, form)
        });
        let (program, warnings) = stages::typed_program(&value)?;
        let definition = program.definitions.iter().rfind(|definition| {
            definition.span.file == PROGRAM && definition.name.as_str() == EXPRESSION_ENTRY
        });
        let (ty, layout) = definition.map_or((String::new(), None), |definition| {
            let settled = definition.function.type_params.is_empty();
            let layout = settled.then(|| layout(&definition.function.result)).flatten();
            (value_type_text(&program, definition), layout)
        });
        Ok(CheckedExpression { source: entry, ty, layout, warnings: own_warnings(warnings) })
    }

    /// Makes [`LAST`] the value of this expression.
    pub fn set_last(&mut self, expression: &Source) {
        let form = Form::Expression { name: LAST, entry: false };
        self.last = Some((self.history.texts.len(), text_of(expression, form)));
    }

    /// Defines [`LAST`] if a text names it. Unused definitions would make the checks of a long session slower.
    fn name_last(&mut self, text: &str) {
        let is_in_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'');
        if text.split(|letter| !is_in_name(letter)).any(|word| word == LAST) {
            self.history = Arc::new(self.with_last());
            self.last = None;
        }
    }

    /// The history with the last expression as a definition.
    fn with_last(&self) -> History {
        let mut history = History::clone(&self.history);
        if let Some((at, text)) = self.last.clone() {
            history.texts.insert(at, text);
        }
        history
    }

    /// The names in scope that begin with this word, which may be qualified by modules.
    pub fn names(&self, word: &str) -> Vec<String> {
        names::beginning_with(&self.scope, word)
    }

    fn next_name(&mut self) -> String {
        self.inputs += 1;
        format!("input {}", self.inputs)
    }
}

fn text_of(source: &Source, form: Form) -> Text {
    Text { name: source.name().to_owned(), text: source.text().to_owned(), form }
}

/// The values that a text defines, each with its type. A module with many values is listed by their number only.
fn definition_lines(program: &Program) -> Vec<String> {
    let all = definitions_text(program, PROGRAM);
    let module = |line: &str| {
        let (_, name) = line.split_once(' ')?;
        let (module, rest) = name.split_once('.')?;
        let is_word = |text: &str| text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        (is_word(module) && !module.contains(' ') && !rest.is_empty()).then(|| module.to_owned())
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    all.iter().filter_map(|line| module(line)).for_each(|name| *counts.entry(name).or_default() += 1);
    let mut lines: Vec<String> = Vec::new();
    for line in all {
        let many =
            module(&line).and_then(|name| Some((counts.get(&name).filter(|count| **count > MANY)?, name)));
        let line = match many {
            Some((count, name)) => format!("module {name}: {count} values"),
            None => line,
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// The warnings about the last text. Warnings about earlier texts have been shown already.
fn own_warnings(mut warnings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    warnings.retain(|warning| warning.span.is_none_or(|span| span.file == PROGRAM));
    warnings
}

#[cfg(test)]
mod tests;
