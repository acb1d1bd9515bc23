//! Checks the prelude and writes it in serialised form, for `src/prelude.rs` to embed.

use ravel_base::FileId;
use ravel_types::{Mode, check};

const PRELUDE: &str = "../../stdlib/prelude.dsl";

fn main() {
    println!("cargo::rerun-if-changed={PRELUDE}");
    let text = std::fs::read_to_string(PRELUDE).expect("the prelude is in the repository");
    let parsed = ravel_syntax::parse(FileId(0), &text);
    let checked = check(&parsed.program, &text, &Default::default(), Mode::Prelude);
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
    std::fs::write(std::path::Path::new(&folder).join("prelude.bin"), image).expect("OUT_DIR can be written");
}
