//! Test blocks: the tests in a program's comments.
//!
//! A block is the part of a comment after a line `-- ==`. Its text, without the comment marks, is a
//! sequence of clauses, in Futhark's published test format:
//!
//! ```text
//! tags { TAG … }            of the whole program
//! entry: NAME …             the entry points of the cases that follow (default: main)
//! "NAME" TAG … input …      a case may have a name, and tags of its own
//! input { VALUES }          a case: call the entry point with these values
//! input @ FILE              … with the values in a file, relative to the program; also in a FILE.gz
//! random input { TYPES }    … with random values of these types, such as [100]i32
//! script input { EXP }      … with the value of an expression; script input @ FILE
//! output { VALUES }         the expected result of the case before; output @ FILE
//! auto output               … the result of another backend
//! error: REGEX              the expected error of the case before; before any case: of compilation
//! warning: REGEX            a warning that compilation must give
//! structure STAGE { FORM COUNT … }   how often a form occurs in the compiled program; after an
//!                           `entry:`, in the program compiled for these entry points alone
//! property: NAME …          entry points that must give true for all arguments
//! ```

mod block;

use block::Block;

/// The tests of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// Tags of all tests of the program.
    pub tags: Vec<String>,
    /// Compilation must fail with a message that matches.
    pub compile_error: Option<String>,
    /// Compilation must give warnings that match.
    pub warnings: Vec<String>,
    /// The required counts of forms in the compiled program.
    pub structures: Vec<Structure>,
    /// Entry points that are properties, each with the line of its clause, from 1.
    pub properties: Vec<(String, usize)>,
    /// The cases, in order.
    pub cases: Vec<Case>,
}

/// The required counts of forms in the program after a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The stage; none for the optimised program.
    pub stage: Option<String>,
    /// The entry points, each of which is compiled alone; none for the whole program.
    pub entries: Vec<String>,
    /// The forms and their counts.
    pub counts: Vec<(String, usize)>,
    /// The line of the clause, from 1.
    pub line: usize,
}

/// One call of an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The entry point.
    pub entry: String,
    /// The name of the case: its own in quotes, or `#` and its number among the cases of the entry point.
    pub name: String,
    /// Its own tags, such as `nobench` and `compiled`.
    pub tags: Vec<String>,
    /// Its arguments.
    pub input: Input,
    /// Its expected outcome.
    pub expected: Expected,
    /// The line of the clause, from 1.
    pub line: usize,
}

/// The arguments of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// These values.
    Values(Values),
    /// Random values of the types in this text.
    Random(String),
    /// The value of the expression in this text.
    Script(Values),
}

/// The source of text or values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Written in the block.
    Text(String),
    /// In a file next to the program.
    File(String),
}

/// The expected outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Success with any result.
    Anything,
    /// These values.
    Output(Values),
    /// The result of another backend.
    Auto,
    /// A failure with a message that matches.
    Error(String),
}

/// A syntax error in a test block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The line, from 1.
    pub line: usize,
    /// The message.
    pub message: String,
}

/// The tests in a program's text; `None` if it has no test block.
///
/// # Errors
/// [`SpecError`] for an invalid clause.
pub fn parse(text: &str) -> Result<Option<Spec>, SpecError> {
    let mut spec = None;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((_, line)) = lines.next() {
        if line.strip_prefix("--").is_none_or(|comment| comment.trim() != "==") {
            continue;
        }
        let mut block = Block::default();
        while let Some((number, line)) = lines.peek() {
            let Some(rest) = line.strip_prefix("--") else { break };
            block.push(number + 1, rest);
            lines.next();
        }
        clauses(&mut block, spec.get_or_insert_with(Spec::default))?;
    }
    Ok(spec)
}

/// Reads one block, clause by clause.
fn clauses(block: &mut Block, spec: &mut Spec) -> Result<(), SpecError> {
    // Empty until an `entry:` is read: cases then belong to `main`.
    let mut entries = Vec::new();
    // The cases to which an `output` or `error:` applies.
    let mut open = 0..0;
    let mut number = 0;
    while let Some(word) = block.word() {
        let line = block.line();
        match word.as_str() {
            "entry:" => {
                entries = words(&block.rest_of_line());
                (open, number) = (0..0, 0);
            }
            "tags" => spec.tags.extend(words(&block.braces("tags")?)),
            "property:" => {
                spec.properties.extend(words(&block.rest_of_line()).into_iter().map(|name| (name, line)));
            }
            "warning:" => spec.warnings.push(block.rest_of_line().trim().to_owned()),
            "structure" => spec.structures.push(structure(block, &entries, line)?),
            "auto" => match block.word().as_deref() {
                Some("output") => expect(block, spec, open.clone(), "auto output", &Expected::Auto)?,
                _ => return Err(block.error("`auto` is followed by `output`")),
            },
            "output" => {
                let output = values(block, "output")?;
                expect(block, spec, open.clone(), "output", &Expected::Output(output))?;
            }
            "error:" => {
                let regex = block.rest_of_line().trim().to_owned();
                match open.is_empty() {
                    true => spec.compile_error = Some(regex),
                    false => expect(block, spec, open.clone(), "error:", &Expected::Error(regex))?,
                }
            }
            _ => {
                let (name, tags, input) = case(block, word)?;
                let name = name.map_or(format!("#{number}"), |name| format!("\"{name}\""));
                number += 1;
                let first = spec.cases.len();
                let main = ["main".to_owned()];
                let entries = if entries.is_empty() { &main[..] } else { &entries };
                spec.cases.extend(entries.iter().map(|entry| Case {
                    entry: entry.clone(),
                    name: name.clone(),
                    tags: tags.clone(),
                    input: input.clone(),
                    expected: Expected::Anything,
                    line,
                }));
                open = first..spec.cases.len();
            }
        }
    }
    Ok(())
}

/// Parses a case, given its first word: `["NAME"] TAG … input …`. The word `random` or `script` among the tags says
/// how the input is written.
fn case(block: &mut Block, first: String) -> Result<(Option<String>, Vec<String>, Input), SpecError> {
    let unknown = block.error(format!(
        "`{first}` does not begin a clause of a test block; a clause begins with one of \
         tags entry: input random script output auto error: warning: structure property:"
    ));
    let (mut name, mut tags, mut form, mut word) = (None, Vec::new(), None, first);
    loop {
        let is_tag = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        match word.as_str() {
            "input" => {
                let input = match form.as_deref() {
                    None => Input::Values(values(block, "input")?),
                    Some("random") => Input::Random(block.braces("random input")?),
                    Some(_) => Input::Script(values(block, "script input")?),
                };
                return Ok((name, tags, input));
            }
            "random" | "script" if form.is_none() => form = Some(word),
            _ if word.starts_with('"') && name.is_none() && tags.is_empty() && form.is_none() => {
                name = Some(block.rest_of_string(&word)?);
            }
            _ if is_tag => tags.push(word),
            _ => return Err(unknown),
        }
        word = block.word().ok_or(unknown.clone())?;
    }
}

/// Sets the expected outcome of these cases.
fn expect(
    block: &Block,
    spec: &mut Spec,
    cases: std::ops::Range<usize>,
    clause: &str,
    expected: &Expected,
) -> Result<(), SpecError> {
    if cases.is_empty() {
        return Err(block.error(format!("`{clause}` without an `input` before it")));
    }
    for case in &mut spec.cases[cases] {
        case.expected = expected.clone();
    }
    Ok(())
}

fn structure(block: &mut Block, entries: &[String], line: usize) -> Result<Structure, SpecError> {
    let stage = if block.at_brace() { None } else { block.word() };
    let text = words(&block.braces("structure")?);
    let count = |pair: &[String]| match pair {
        [form, count] => Some((form.clone(), count.parse().ok()?)),
        _ => None,
    };
    let counts = text.chunks(2).map(count).collect::<Option<_>>();
    let counts = counts.ok_or_else(|| block.error("`structure` lists forms, each with its number"))?;
    Ok(Structure { stage, entries: entries.to_vec(), counts, line })
}

fn values(block: &mut Block, clause: &str) -> Result<Values, SpecError> {
    if block.at_brace() {
        return block.braces(clause).map(Values::Text);
    }
    match block.word().as_deref() {
        Some("@") => block.word().map(Values::File).ok_or_else(|| block.error("`@` without a file name")),
        Some(word) if word.starts_with('@') => Ok(Values::File(word[1..].to_owned())),
        _ => Err(block.error(format!("`{clause}` is followed by `{{ … }}` or `@ FILE`"))),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
