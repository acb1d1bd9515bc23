//! The checked prelude and library as they are embedded: `build.rs` writes an image in postcard's
//! format, and `library` reads it.

use ravel_base::FileId;
use ravel_types::tast::ValueId;
use ravel_types::{Env, Module, OnDemand};
use serde::{Deserialize, Serialize};

/// The prelude is the first file of every compilation; spans in the image say so.
pub const PRELUDE: FileId = FileId(0);

/// The files of the library come behind the program, in the order of [`Image::modules`]: so a
/// program's spans read the same however many there are.
pub const LIBRARY: FileId = FileId(2);

/// The checked prelude and library.
#[derive(Serialize, Deserialize)]
pub struct Image<'a> {
    /// What is known after their check.
    pub env: Env,
    /// What each file of the library defines.
    pub modules: Vec<OnDemand<Module>>,
    /// The definitions by their ids, in ascending order, and where they begin in `packed`.
    pub definitions: Vec<(ValueId, u32)>,
    /// The definitions, one behind the other.
    pub packed: &'a [u8],
}
