//! The embedded form of the checked prelude and library: `build.rs` writes the image in postcard's format, `library` reads it.

use ravel_base::FileId;
use ravel_types::tast::ValueId;
use ravel_types::{Env, Lazy, Module};
use serde::{Deserialize, Serialize};

/// The prelude is the first file of every compilation, and spans in the image refer to it by this number.
pub const PRELUDE: FileId = FileId(0);

/// The library files come after the program, in the order of [`Image::modules`], so that the program's file number does not
/// depend on their number.
pub const LIBRARY: FileId = FileId(2);

/// The checked prelude and library.
#[derive(Serialize, Deserialize)]
pub struct Image<'a> {
    /// The environment after checking them.
    pub env: Env,
    /// The module of each library file.
    pub modules: Vec<Lazy<Module>>,
    /// The ids of the definitions, ascending, with their offsets in `packed`.
    pub definitions: Vec<(ValueId, u32)>,
    /// The serialised definitions, concatenated.
    pub packed: &'a [u8],
}
