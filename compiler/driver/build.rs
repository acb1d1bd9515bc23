//! Checks the prelude and the library and serialises them for `src/library.rs`; lists the pages about error codes for
//! `src/pages.rs`.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a build script reads and writes files"
)]

use std::collections::HashMap;
use std::path::Path;

use ravel_base::FileId;
use ravel_types::tast::Definition;
use ravel_types::{Checked, Env, File, Import, Lazy, Mode, Module, check};

#[path = "src/image.rs"]
mod image;

const STDLIB: &str = "../../stdlib";
const PRELUDE: &str = "prelude";
const PAGES: &str = "../../docs/errors";

fn main() {
    let mut texts = files(STDLIB, "dsl");
    let prelude = texts.iter().position(|text| text.name == PRELUDE).expect("there is a prelude");
    let mut library = Library::of_prelude(texts.remove(prelude));
    // Each file is checked after its imports.
    while !texts.is_empty() {
        let ready = texts.iter().position(|text| library.has_imports_of(text));
        let Some(ready) = ready else {
            let names: Vec<&str> = texts.iter().map(|text| text.name.as_str()).collect();
            fail(&format!("stdlib: {} import each other, or a file that does not exist", names.join(", ")));
        };
        library.add(texts.remove(ready));
    }
    write("library.bin", &library.image());
    write(
        "library.rs",
        table("The prelude and the files of the library", "FILES", &library.texts).as_bytes(),
    );
    write("pages.rs", table("The pages about error codes", "PAGES", &files(PAGES, "md")).as_bytes());
}

/// A file of the repository.
struct Text {
    name: String,
    path: String,
    text: String,
}

/// The files checked so far.
struct Library {
    texts: Vec<Text>,
    env: Env,
    modules: HashMap<String, Module>,
    definitions: Vec<Definition>,
}

impl Library {
    fn of_prelude(prelude: Text) -> Library {
        let checked = checked(&prelude, image::PRELUDE, &HashMap::new(), &Env::default(), Mode::Prelude);
        Library {
            texts: vec![prelude],
            env: Env::of_prelude(&checked),
            modules: HashMap::new(),
            definitions: checked.program.definitions,
        }
    }

    fn has_imports_of(&self, text: &Text) -> bool {
        let parsed = ravel_syntax::parse(image::PRELUDE, &text.text);
        parsed.program.imports().iter().all(|(name, _)| self.modules.contains_key(*name))
    }

    fn add(&mut self, text: Text) {
        let file =
            FileId(image::LIBRARY.0 + u32::try_from(self.modules.len()).expect("the library is small"));
        let imports = self.modules.iter().map(|(name, module)| (name.clone(), Import::Checked(module)));
        let checked = checked(&text, file, &imports.collect(), &self.env, Mode::Program);
        self.env.extend(&checked);
        self.modules.insert(text.name.clone(), checked.exports);
        self.definitions.extend(checked.program.definitions);
        self.texts.push(text);
    }

    /// The serialised image.
    fn image(&mut self) -> Vec<u8> {
        self.definitions.sort_by_key(|definition| definition.id);
        let (mut starts, mut packed) = (Vec::new(), Vec::new());
        for definition in &self.definitions {
            starts.push((definition.id, u32::try_from(packed.len()).expect("the library is small")));
            packed.extend(postcard::to_stdvec(definition).expect("definitions serialise"));
        }
        let modules = self.texts[1..].iter().map(|text| Lazy::from(self.modules[&text.name].clone()));
        let image = image::Image {
            env: self.env.clone(),
            modules: modules.collect(),
            definitions: starts,
            packed: &packed,
        };
        postcard::to_stdvec(&image).expect("the library serialises")
    }
}

/// Checks a file; diagnostics in it fail the build.
fn checked(text: &Text, file: FileId, imports: &HashMap<String, Import>, env: &Env, mode: Mode) -> Checked {
    let parsed = ravel_syntax::parse(file, &text.text);
    let checked = check(&[File { program: &parsed.program, text: &text.text, imports }], env, mode);
    let wrong: Vec<String> = (parsed.diagnostics.iter().chain(&checked.diagnostics))
        .map(|diagnostic| {
            let start = diagnostic.span.map_or(0, |span| span.start as usize);
            let line = text.text[..start].matches('\n').count() + 1;
            format!("stdlib/{}.dsl:{line}: {}", text.name, diagnostic.message)
        })
        .collect();
    if !wrong.is_empty() {
        fail(&wrong.join("\n"));
    }
    checked
}

/// The files with this extension in a folder, sorted by name.
fn files(folder: &str, extension: &str) -> Vec<Text> {
    println!("cargo::rerun-if-changed={folder}");
    let folder = Path::new(folder).canonicalize().expect("the folder is in the repository");
    let files = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    let paths = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    let read = |path: std::path::PathBuf| Text {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        path: path.display().to_string(),
        text: std::fs::read_to_string(&path).expect("the file can be read"),
    };
    let mut texts: Vec<Text> = paths.map(read).collect();
    texts.sort_by(|a, b| a.name.cmp(&b.name));
    texts
}

/// A table of files: names and texts.
fn table(about: &str, table: &str, files: &[Text]) -> String {
    let mut lines = format!("/// {about}: names and texts.\nstatic {table}: &[(&str, &str)] = &[\n");
    for Text { name, path, .. } in files {
        lines += &format!("    ({name:?}, include_str!({path:?})),\n");
    }
    lines + "];\n"
}

fn write(name: &str, bytes: &[u8]) {
    let folder = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&folder).join(name), bytes).expect("OUT_DIR can be written");
}

fn fail(messages: &str) -> ! {
    for message in messages.lines() {
        println!("cargo::error={message}");
    }
    std::process::exit(1);
}
