//! A session at a prompt: definitions that stay, and expressions that are asked for.
//!
//! Every input is a text of its own, so that messages point into what was typed. A text sees what
//! those before it define, and may define it anew: what was defined with the old meaning keeps it. An
//! expression becomes an entry point, so that every backend and every view of the compiler takes it. The last
//! expression is also a definition of [`LAST`], which joins the texts once one of them names it.

mod names;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ravel_abi::interface::Layout;
use ravel_base::{Diagnostic, FileId};
use ravel_types::tast::Program;
use ravel_types::{Module, definitions_text, value_type_text};

pub use ravel_syntax::{Class, classes};

use crate::files::real;
use crate::interface::layout;
use crate::library::PROGRAM;
use crate::source::{Before, Form, Problems, Source, Text};
use crate::stages;

/// The entry point that gives what an expression comes to. Nobody is likely to call anything else so.
pub const ANSWER: &str = "it_";

/// The name of the last value.
pub const LAST: &str = "it";

/// A module with more values than this is told by their number.
const MANY: usize = 8;

/// What a text that was typed is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Blanks and comments.
    Nothing,
    /// Declarations.
    Definitions,
    /// An expression, or something broken.
    Expression,
}

/// Can a text be what it is read as?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Whole,
    Unfinished,
    Broken,
}

/// What a text is. Something broken or unfinished is taken for what it begins like.
pub fn reading(text: &str) -> Reading {
    read(text).0
}

/// Is a text only the beginning of something?
pub fn is_unfinished(text: &str) -> bool {
    read(text).1 == State::Unfinished
}

/// Does a line go on with the text before it, although that could stand alone? It does where nothing begins as
/// the line does, and that may stand behind the text.
pub fn goes_on(text: &str, line: &str) -> bool {
    ravel_syntax::continuation(line).is_some_and(|token| read(&format!("{text}\n{token}")).1 != State::Broken)
}

fn read(text: &str) -> (Reading, State) {
    let nowhere = FileId(0);
    let program = ravel_syntax::parse(nowhere, text);
    if program.diagnostics.is_empty() {
        let nothing = program.program.decs.is_empty();
        return (if nothing { Reading::Nothing } else { Reading::Definitions }, State::Whole);
    }
    let expression = ravel_syntax::parse_expression(ANSWER.into(), false, nowhere, text);
    let begins_declaration = program.diagnostics[0].span.is_some_and(|span| {
        // The parser of declarations stumbles over the first token of an expression.
        let before = text.get(..span.start as usize).unwrap_or_default();
        classes(before).iter().any(|(_, class)| *class != Class::Comment)
    });
    match (begins_declaration, expression.diagnostics.is_empty()) {
        (_, true) => (Reading::Expression, State::Whole),
        (true, _) if program.breaks_off => (Reading::Definitions, State::Unfinished),
        _ if expression.breaks_off => (Reading::Expression, State::Unfinished),
        (true, _) => (Reading::Definitions, State::Broken),
        _ => (Reading::Expression, State::Broken),
    }
}

/// What was said so far.
#[derive(Clone, Default)]
pub struct Session {
    before: Arc<Before>,
    loaded: Option<Source>,
    scope: Arc<Module>,
    /// The last expression that was answered, unless it is among the texts already, and how many of them it saw.
    last: Option<(usize, Text)>,
    inputs: usize,
}

/// What came of definitions.
pub struct Defined {
    /// The values that were defined, each with its type; of a module with many, how many.
    pub values: Vec<String>,
    /// What the user is warned of, in this text.
    pub warnings: Vec<Diagnostic>,
    /// The text.
    pub source: Source,
}

/// An expression that is right.
pub struct Question {
    /// The program whose entry point [`ANSWER`] gives its value.
    pub source: Source,
    /// Its type.
    pub ty: String,
    /// How its value is put together; none of a function, or where the type is not settled.
    pub layout: Option<Layout>,
    /// What the user is warned of, in this text.
    pub warnings: Vec<Diagnostic>,
}

impl Session {
    /// The program that was loaded.
    pub fn loaded(&self) -> Option<&Source> {
        self.loaded.as_ref()
    }

    /// Loads a program: the session begins with what it defines, and forgets all else.
    ///
    /// # Errors
    /// What is wrong with it; then nothing is forgotten.
    pub fn load(&mut self, source: Source) -> Result<Defined, Problems> {
        let (checked, warnings) = stages::checked(&source)?;
        let files = source.files();
        let kept = files.parsed.iter().map(|file| {
            let file = files.sources.file(file.file);
            (real(Path::new(&file.name)), file.text.to_string())
        });
        let texts = vec![text_of(&source, Form::Program)];
        self.before = Arc::new(Before { texts, kept: kept.collect() });
        self.last = None;
        self.scope = Arc::new(checked.exports);
        self.loaded = Some(source.clone());
        Ok(Defined { values: told(&checked.program), warnings, source })
    }

    /// Loads a program in place of the one that was loaded, and says all definitions again. Gives what
    /// is wrong with those that are not right any more: they are forgotten.
    ///
    /// # Errors
    /// What is wrong with the program; then nothing is forgotten.
    pub fn reload(&mut self, source: Source) -> Result<(Defined, Vec<Problems>), Problems> {
        let said = self.with_last().texts;
        let from = usize::from(self.loaded.is_some());
        let defined = self.load(source)?;
        let again = said.into_iter().skip(from).filter_map(|text| self.add(text).err());
        let wrong = again.collect();
        Ok((defined, wrong))
    }

    /// Defines what a text says.
    ///
    /// # Errors
    /// What is wrong with it; then nothing is defined.
    pub fn define(&mut self, text: &str) -> Result<Defined, Problems> {
        self.name_last(text);
        let name = self.next_name();
        self.add(Text { name, text: text.to_owned(), form: Form::Input })
    }

    fn add(&mut self, text: Text) -> Result<Defined, Problems> {
        let source = Source::behind(self.before.clone(), text.name.clone(), text.text.clone(), text.form);
        let (checked, warnings) = stages::checked(&source)?;
        Arc::make_mut(&mut self.before).texts.push(text);
        self.scope = Arc::new(checked.exports);
        let warnings = own(warnings);
        Ok(Defined { values: told(&checked.program), warnings, source })
    }

    /// Checks an expression.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn ask(&mut self, text: &str) -> Result<Question, Problems> {
        self.name_last(text);
        let name = self.next_name();
        let [value, entry] = [false, true].map(|entry| {
            let form = Form::Expression { name: ANSWER, entry };
            Source::behind(self.before.clone(), name.clone(), text, form)
        });
        let (program, warnings) = stages::typed(&value)?;
        let answer = program
            .definitions
            .iter()
            .rfind(|definition| definition.span.file == PROGRAM && definition.name.as_str() == ANSWER);
        let (ty, layout) = answer.map_or((String::new(), None), |answer| {
            let settled = answer.function.type_params.is_empty();
            let layout = settled.then(|| layout(&answer.function.result)).flatten();
            (value_type_text(&program, answer), layout)
        });
        Ok(Question { source: entry, ty, layout, warnings: own(warnings) })
    }

    /// Takes note that this expression was answered: from now on [`LAST`] is its value.
    pub fn answered(&mut self, expression: &Source) {
        let form = Form::Expression { name: LAST, entry: false };
        self.last = Some((self.before.texts.len(), text_of(expression, form)));
    }

    /// Defines [`LAST`] if a text names it. A long session of expressions is checked faster without definitions that
    /// nothing uses.
    fn name_last(&mut self, text: &str) {
        let is_in_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'');
        if text.split(|letter| !is_in_name(letter)).any(|word| word == LAST) {
            self.before = Arc::new(self.with_last());
            self.last = None;
        }
    }

    /// What was said, with the last expression.
    fn with_last(&self) -> Before {
        let mut before = Before::clone(&self.before);
        if let Some((at, text)) = self.last.clone() {
            before.texts.insert(at, text);
        }
        before
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

/// The values that a text defines, each with its type. Of a module with many only the number is told: one that a
/// program makes twice would hide all else.
fn told(program: &Program) -> Vec<String> {
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

/// What is said of a text itself: texts before it have had their warnings.
fn own(mut warnings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    warnings.retain(|warning| warning.span.is_none_or(|span| span.file == PROGRAM));
    warnings
}

#[cfg(test)]
mod tests;
