//! Checks the prelude and writes it in serialised form, for `src/prelude.rs` to embed; lists the
//! files of the library, for `src/files.rs`, and the pages about error codes, for `src/explain.rs`.

use std::path::Path;

use ravel_base::FileId;
use ravel_types::{File, Mode, check};

const STDLIB: &str = "../../stdlib";
const PRELUDE: &str = "../../stdlib/prelude.dsl";
const PAGES: &str = "../../docs/errors";

fn main() {
    println!("cargo::rerun-if-changed={PRELUDE}");
    let text = std::fs::read_to_string(PRELUDE).expect("the prelude is in the repository");
    let parsed = ravel_syntax::parse(FileId(0), &text);
    let imports = Default::default();
    let file = File { program: &parsed.program, text: &text, imports: &imports };
    let checked = check(&[file], &Default::default(), Mode::Prelude);
    let mut wrong = false;
    for diagnostic in parsed.diagnostics.iter().chain(&checked.diagnostics) {
        let line = diagnostic.span.map_or(0, |span| text[..span.start as usize].matches('\n').count() + 1);
        println!("cargo::error=stdlib/prelude.dsl:{line}: {}", diagnostic.message);
        wrong = true;
    }
    if wrong {
        std::process::exit(1);
    }
    let definitions: Vec<_> = checked
        .program
        .definitions
        .iter()
        .map(|definition| (definition.id, postcard::to_stdvec(definition).expect("definitions serialise")))
        .collect();
    let image = postcard::to_stdvec(&(checked.env, definitions)).expect("the prelude serialises");
    let folder = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let folder = Path::new(&folder);
    std::fs::write(folder.join("prelude.bin"), image).expect("OUT_DIR can be written");
    let write = |name: &str, text: String| {
        std::fs::write(folder.join(name), text).expect("OUT_DIR can be written");
    };
    write("library.rs", table("The files of the library", "LIBRARY", STDLIB, "dsl"));
    write("pages.rs", table("The pages about error codes", "PAGES", PAGES, "md"));
}

/// A table of the files with this extension in a folder, but for the prelude: names and texts.
fn table(about: &str, table: &str, folder: &str, extension: &str) -> String {
    println!("cargo::rerun-if-changed={folder}");
    let folder = Path::new(folder).canonicalize().expect("the folder is in the repository");
    let files = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    let mut table = format!("/// {about}: names and texts.\nstatic {table}: &[(&str, &str)] = &[\n");
    for path in paths.iter().filter(|path| path.extension().is_some_and(|found| found == extension)) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if name != "prelude" {
            table += &format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string());
        }
    }
    table + "];\n"
}
