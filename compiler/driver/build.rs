//! Checks the prelude and writes it in serialised form, for `src/prelude.rs` to embed; lists the
//! files of the library, for `src/files.rs`.

use std::path::Path;

use ravel_base::FileId;
use ravel_types::{File, Mode, check};

const STDLIB: &str = "../../stdlib";
const PRELUDE: &str = "../../stdlib/prelude.dsl";

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
    std::fs::write(folder.join("library.rs"), library()).expect("OUT_DIR can be written");
}

/// The table of the library's files: every file beside the prelude, by name, with its text.
fn library() -> String {
    println!("cargo::rerun-if-changed={STDLIB}");
    let folder = Path::new(STDLIB).canonicalize().expect("the library is in the repository");
    let files = std::fs::read_dir(folder).expect("the library can be read");
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    let mut table = String::from("/// The files of the library: names and texts.\n");
    table += "static LIBRARY: &[(&str, &str)] = &[\n";
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "dsl")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if name != "prelude" {
            table += &format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string());
        }
    }
    table + "];\n"
}
