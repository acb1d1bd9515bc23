use std::collections::HashMap;
use std::sync::LazyLock;

use ravel_abi::{read_values, write_text};
use ravel_base::{FileId, Kind, SourceMap, Symbol};
use ravel_core::{Program, print, renumber, verify};
use ravel_types::tast::{Definition, ValueId};
use ravel_types::{Env, Import, Mode};

mod calls;
mod conflicts;
mod limitations;
mod size_checks;
mod slices;
mod text;
mod values;

const PRELUDE: FileId = FileId(0);
const USER: FileId = FileId(1);

static CHECKED_PRELUDE: LazyLock<(Env, Vec<Definition>)> = LazyLock::new(|| {
    let text = include_str!("../../../stdlib/prelude.dsl");
    let parsed = ravel_syntax::parse(PRELUDE, text);
    assert_eq!(parsed.diagnostics, []);
    let checked = ravel_types::check(&[file_of(&parsed.program, text)], &Env::default(), Mode::Prelude);
    assert_eq!(checked.diagnostics, []);
    (Env::of_prelude(&checked), checked.program.definitions)
});

/// A file without imports.
fn file_of<'a>(program: &'a ravel_syntax::ast::Program, text: &'a str) -> ravel_types::File<'a> {
    static NONE: LazyLock<HashMap<String, Import>> = LazyLock::new(HashMap::new);
    ravel_types::File { program, text, imports: &NONE }
}

/// The typed tree of a source text without errors.
fn check(text: &str) -> ravel_types::tast::Program {
    let parsed = ravel_syntax::parse(USER, text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let checked = ravel_types::check(&[file_of(&parsed.program, text)], &CHECKED_PRELUDE.0, Mode::Program);
    assert_eq!(checked.diagnostics, [], "{text}");
    checked.program
}

/// The verified core IR of a source text, or the errors.
fn lower(text: &str) -> Result<Program, String> {
    let definitions = &CHECKED_PRELUDE.1;
    let program = check(text);
    let find = |id: ValueId| definitions.iter().find(|definition| definition.id == id);
    let program = match crate::lower(&program, &find, PRELUDE) {
        Ok((program, _)) => program,
        Err(diagnostics) => {
            assert!(diagnostics.iter().all(|diagnostic| matches!(diagnostic.kind, Kind::Limitation(_))));
            return Err(diagnostics[0].message.clone());
        }
    };
    verify(&program).unwrap_or_else(|error| panic!("{error}\n{}", print(&program)));
    Ok(program)
}

/// The core IR of a source text, printed.
fn core(text: &str) -> String {
    let mut program = lower(text).unwrap_or_else(|message| panic!("{message}"));
    renumber(&mut program);
    print(&program)
}

/// The result or failure of the entry point `main` of a source text.
fn run(text: &str, input: &str) -> String {
    prepare(text).run(input)
}

/// A program that can be run more than once.
struct PreparedProgram {
    program: Program,
    sources: SourceMap,
}

/// The source text, lowered.
fn prepare(text: &str) -> PreparedProgram {
    let program = lower(text).unwrap_or_else(|message| panic!("{message}"));
    let mut sources = SourceMap::new();
    sources.add("<prelude>", "");
    sources.add("test", text);
    PreparedProgram { program, sources }
}

impl PreparedProgram {
    /// The result or failure of the entry point `main`.
    fn run(&self, input: &str) -> String {
        let main = Symbol::new("main");
        let signature = ravel_interp::signature(&self.program, main).expect("an entry point `main`");
        let args = read_values(input.as_bytes(), &signature.expected()).expect("readable input");
        let options = ravel_interp::Options::default();
        match ravel_interp::run(&self.program, main, &args, options, &|span| self.sources.describe(span)) {
            Ok(values) => write_text(&values).trim_end().replace('\n', " "),
            Err(failure) => failure.to_string(),
        }
    }
}
