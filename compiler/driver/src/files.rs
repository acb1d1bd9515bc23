//! Loads the files of a program: its main file and its transitive imports.
//!
//! `import "a/b"` means the file `a/b.dsl` (or `a/b.fut`) next to the importing file. If there is none, it means the library file
//! of this name, which was checked when Ravel was built. Every other file is read and parsed once.
//!
//! In a session, each earlier text is a file that the next text opens.
#![allow(clippy::disallowed_methods, reason = "imports are files")]

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use ravel_base::{Code, Diagnostic, FileId, SourceMap, Span};
use ravel_syntax::Parsed;
use ravel_syntax::ast::{Dec, ModuleExp, Program};
use ravel_types::{Import, Module};

use crate::library::{self, Library};
use crate::source::{Form, History, read_program};

/// The name by which a text imports the previous one; no program can contain it.
const PREVIOUS: &str = "\n";

/// The files of a program, parsed.
#[derive(Debug)]
pub(crate) struct Files {
    /// The text of all files, the prelude's and the library's among them.
    pub(crate) sources: SourceMap,
    /// All files in dependency order: imports before importers, the main file last.
    pub(crate) parsed: Vec<File>,
    /// Syntax errors and failed imports.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A file of a program.
#[derive(Debug)]
pub(crate) struct File {
    /// Its text.
    pub(crate) file: FileId,
    /// Its syntax tree.
    pub(crate) program: Program,
    /// Its imports, by the names in the source.
    pub(crate) imports: HashMap<String, Import<'static>>,
}

/// The file that an import names.
enum ImportedFile {
    /// A file on disk; the canonical path identifies it.
    OnDisk { path: PathBuf, name: String, text: String },
    /// A library file: the module it defines.
    Library(&'static Module),
}

struct Loader<'a> {
    files: Files,
    /// The contents of files when the session loaded them.
    snapshots: &'a HashMap<PathBuf, String>,
    /// The numbers of the loaded files, by path.
    known: HashMap<PathBuf, usize>,
    /// The chain of files being loaded, each imported by the previous one: paths and names.
    open: Vec<(PathBuf, String)>,
}

impl Files {
    /// The files in the form that the checker takes.
    pub(crate) fn to_check(&self) -> Vec<ravel_types::File<'_>> {
        let mut files = Vec::new();
        for File { file, program, imports } in &self.parsed {
            files.push(ravel_types::File { program, text: &self.sources.file(*file).text, imports });
        }
        files
    }
}

/// Loads a program and its imports; the program sees the earlier texts of the session.
pub(crate) fn load(sources: SourceMap, file: FileId, form: Form, history: &History) -> Files {
    let files = Files { sources, parsed: Vec::new(), diagnostics: Vec::new() };
    let mut loader = Loader { files, snapshots: &history.snapshots, known: HashMap::new(), open: Vec::new() };
    let mut last = None;
    for text in &history.texts {
        let file = loader.files.sources.add(text.name.clone(), text.text.clone());
        last = Some(loader.text(file, text.form, last));
    }
    loader.text(file, form, last);
    loader.files
}

/// Replaces `import "a"` by `open import "a"`: a plain import is visible in its own text only.
fn with_open_imports(mut parsed: Parsed) -> Parsed {
    for mut dec in &mut parsed.program.decs {
        while let Dec::Attributed(_, inner, _) = dec {
            dec = inner;
        }
        if let Dec::Import(file, span) = dec {
            *dec = Dec::Open(ModuleExp::Import(std::mem::take(file), *span), *span);
        }
    }
    parsed
}

/// The canonical path of a file, or the path itself if there is no such file.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The text of a file.
fn text_of(path: &Path) -> io::Result<String> {
    let bytes = read_program(path)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

impl Loader<'_> {
    /// Loads a main file, which opens the file of number `before`; returns its number.
    fn text(&mut self, file: FileId, form: Form, before: Option<usize>) -> usize {
        let name = self.files.sources.file(file).name.clone();
        let text = &self.files.sources.file(file).text;
        let parsed = match form {
            Form::Program => ravel_syntax::parse(file, text),
            Form::Input => with_open_imports(ravel_syntax::parse(file, text)),
            Form::Expression { name, entry } => {
                ravel_syntax::parse_expression(name.into(), entry, file, text)
            }
        };
        self.load(file, canonical(Path::new(&name)), name, parsed, before)
    }

    /// Loads the imports of a parsed file, which also opens the file of number `before`; returns its number.
    fn load(
        &mut self,
        file: FileId,
        path: PathBuf,
        name: String,
        mut parsed: Parsed,
        before: Option<usize>,
    ) -> usize {
        self.files.diagnostics.append(&mut parsed.diagnostics);
        self.open.push((path.clone(), name));
        let mut imports = HashMap::new();
        for (written, span) in parsed.program.imports() {
            if let Some(import) = self.import(written, span) {
                imports.insert(written.to_owned(), import);
            }
        }
        self.open.pop();
        if let Some(before) = before {
            let nowhere = Span::new(file, 0, 0);
            let open = Dec::Open(ModuleExp::Import(PREVIOUS.to_owned(), nowhere), nowhere);
            parsed.program.decs.insert(0, open);
            imports.insert(PREVIOUS.to_owned(), Import::Earlier(before));
        }
        let number = self.files.parsed.len();
        self.files.parsed.push(File { file, program: parsed.program, imports });
        self.known.insert(path, number);
        number
    }

    /// Loads an imported file, unless it is already loaded.
    fn import(&mut self, written: &str, span: Span) -> Option<Import<'static>> {
        let (path, name, text) = match self.find(written) {
            Ok(ImportedFile::OnDisk { path, name, text }) => (path, name, text),
            Ok(ImportedFile::Library(module)) => return Some(Import::Checked(module)),
            Err(diagnostic) => {
                self.files.diagnostics.push(Diagnostic { span: Some(span), ..diagnostic });
                return None;
            }
        };
        if let Some(&number) = self.known.get(&path) {
            return Some(Import::File(number));
        }
        if let Some(at) = self.open.iter().position(|(open, _)| *open == path) {
            let names: Vec<&str> = self.open[at..].iter().map(|(_, name)| name.as_str()).collect();
            let diagnostic = Diagnostic::error(Code::BadImport, span, "Import cycle")
                .fact("Files", format!("{} -> {name}", names.join(" -> ")))
                .caret("this file is being imported already")
                .help("put what both need into a file of its own");
            self.files.diagnostics.push(diagnostic);
            return None;
        }
        let file = self.files.sources.add(name.clone(), text);
        let parsed = ravel_syntax::parse(file, &self.files.sources.file(file).text);
        Some(Import::File(self.load(file, path, name, parsed, None)))
    }

    /// The file that an import names. The diagnostic has no place yet.
    fn find(&self, written: &str) -> Result<ImportedFile, Diagnostic> {
        let nowhere = Span::new(FileId(0), 0, 0);
        let mut tried = Vec::new();
        if let Some((_, importing)) = self.open.last() {
            let folder = Path::new(importing).parent().unwrap_or(Path::new(""));
            for extension in ["dsl", "fut"] {
                let path = folder.join(format!("{written}.{extension}"));
                let name = path.display().to_string();
                let snapshot = self.snapshots.get(&canonical(&path)).cloned();
                match snapshot.map_or_else(|| text_of(&path), Ok) {
                    Ok(text) => return Ok(ImportedFile::OnDisk { path: canonical(&path), name, text }),
                    Err(trouble) if trouble.kind() == io::ErrorKind::NotFound => tried.push(name),
                    Err(trouble) => {
                        let message = format!("Could not read import \"{written}\": {name}: {trouble}");
                        return Err(Diagnostic::error(Code::BadImport, nowhere, message));
                    }
                }
            }
        }
        if let Some(module) = Library::get().module(written) {
            return Ok(ImportedFile::Library(module));
        }
        let message = format!("Could not find import \"{written}\"");
        let mut help = format!("there is no file {}", tried.join(" or "));
        if !written.contains('/') {
            help += &format!("; the library has {}", library::names().join(", "));
        }
        Err(Diagnostic::error(Code::BadImport, nowhere, message).help(help))
    }
}
