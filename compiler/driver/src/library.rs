//! The prelude and the library: checked when Ravel is built, embedded, and deserialised lazily.
//!
//! At the start only the names of the prelude are read. A module is read when a program names or imports it, a
//! definition when lowering first asks for it. So compiling a small program costs only the definitions that it uses.

use std::sync::OnceLock;

use ravel_base::{FileId, SourceMap};
use ravel_types::tast::{Definition, ValueId};
use ravel_types::{Env, Module};

use crate::image::{Image, LIBRARY, PRELUDE};

include!(concat!(env!("OUT_DIR"), "/library.rs"));

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.bin"));

/// The checked prelude and library.
pub(crate) struct Library {
    image: Image<'static>,
    /// The definitions read so far, in the order of the image.
    definitions: Vec<OnceLock<Box<Definition>>>,
}

/// The files of Futhark's prelude.
const PRELUDE_FILES: [&str; 6] = ["prelude", "soacs", "array", "zip", "functional", "math"];

/// The main file is the second file, between prelude and library.
pub(crate) const PROGRAM: FileId = FileId(1);

impl Library {
    /// The embedded library.
    pub(crate) fn get() -> &'static Library {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        LIBRARY.get_or_init(|| {
            let image: Image = postcard::from_bytes(IMAGE).expect("build.rs wrote this image");
            let definitions = image.definitions.iter().map(|_| OnceLock::new()).collect();
            Library { image, definitions }
        })
    }

    /// The environment of every program.
    pub(crate) fn env(&self) -> &Env {
        &self.image.env
    }

    /// The module of the library file of this name. The prelude can be imported by the names of Futhark's prelude files; each
    /// gives the whole prelude.
    pub(crate) fn module(&self, name: &str) -> Option<&Module> {
        if name.strip_prefix("/prelude/").is_some_and(|file| PRELUDE_FILES.contains(&file)) {
            return Some(&self.env().root);
        }
        let at = FILES.iter().skip(1).position(|(file, _)| *file == name)?;
        self.image.modules.get(at).map(|module| &**module)
    }

    /// A definition.
    pub(crate) fn definition(&self, id: ValueId) -> Option<&Definition> {
        let at = self.image.definitions.binary_search_by_key(&id, |(known, _)| *known).ok()?;
        let unpack = || {
            let (_, start) = self.image.definitions[at];
            let packed = &self.image.packed[start as usize..];
            Box::new(postcard::from_bytes(packed).expect("build.rs wrote this definition"))
        };
        Some(self.definitions[at].get_or_init(unpack))
    }
}

/// The names of the library's files, in order.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = FILES.iter().skip(1).map(|(name, _)| *name).collect();
    names.sort_unstable();
    names
}

/// The texts that diagnostics may point into: prelude, program and library.
pub(crate) fn sources(name: String, text: String) -> SourceMap {
    let mut sources = SourceMap::new();
    let embed = |sources: &mut SourceMap, (name, text): (&str, _)| sources.embed(format!("<{name}>"), text);
    let prelude = embed(&mut sources, FILES[0]);
    let program = sources.add(name, text);
    let library: Vec<_> = FILES[1..].iter().map(|&file| embed(&mut sources, file)).collect();
    debug_assert_eq!((prelude, program, library.first()), (PRELUDE, PROGRAM, Some(&LIBRARY)));
    sources
}
