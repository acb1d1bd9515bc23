//! The prelude: checked when Ravel is built, embedded, and loaded piece by piece.
//!
//! `build.rs` writes [`Image`] in postcard's format. The names and types are read at every
//! start; a definition is read when lowering first asks for it, so a small program pays only for
//! what it uses.

use std::collections::HashMap;
use std::sync::OnceLock;

use ravel_base::FileId;
use ravel_types::Env;
use ravel_types::tast::{Definition, ValueId};

/// The text, for messages that point into it.
pub const TEXT: &str = include_str!("../../../stdlib/prelude.dsl");

/// The prelude is the first file of every compilation.
pub const FILE: FileId = FileId(0);

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/prelude.bin"));

/// The checked prelude as it is embedded: this, as a pair, is what `build.rs` serialises.
type Image = (Env, Vec<(ValueId, Vec<u8>)>);

/// The checked prelude, its definitions still packed.
pub struct Prelude {
    /// Names and types.
    pub env: Env,
    definitions: HashMap<ValueId, Packed>,
}

/// A definition, unpacked when it is first asked for.
struct Packed {
    bytes: Vec<u8>,
    unpacked: OnceLock<Definition>,
}

impl Prelude {
    /// The embedded prelude.
    pub fn get() -> &'static Prelude {
        static PRELUDE: OnceLock<Prelude> = OnceLock::new();
        PRELUDE.get_or_init(|| {
            let (env, definitions): Image = postcard::from_bytes(IMAGE).expect("build.rs wrote this image");
            let pack = |(id, bytes)| (id, Packed { bytes, unpacked: OnceLock::new() });
            Prelude { env, definitions: definitions.into_iter().map(pack).collect() }
        })
    }

    /// A definition.
    pub fn definition(&self, id: ValueId) -> Option<&Definition> {
        let packed = self.definitions.get(&id)?;
        let unpack = || postcard::from_bytes(&packed.bytes).expect("build.rs wrote this definition");
        Some(packed.unpacked.get_or_init(unpack))
    }
}
