//! The attributes by which a program decides how much of a nest runs in parallel.
//!
//! This is not a rule, since it decides nothing: `block-level`, `distribute` and `choose` follow the attributes.
//!
//! | attribute | version |
//! | --- | --- |
//! | `flattening(block)`, `incremental_flattening(only_intra)` | workgroups compute the points |
//! | `flattening(full)`, `incremental_flattening(no_outer)` and `(only_inner)` | inner constructs run in parallel over all points |
//! | `sequential_inner`, `sequential`, `flattening(no)` | inner constructs are loops |
//!
//! If there are several, the first one counts. Without one, the target and the sizes decide.

use ravel_base::Symbol;
use ravel_core::Stm;

/// The version of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// Only the outermost construct runs in parallel.
    Outer,
    /// Each point is computed by a workgroup.
    Block,
    /// All levels run in parallel.
    Full,
}

/// The attribute that stands for the version in which all levels run in parallel.
pub(super) const FULL: &str = "flattening(full)";

/// The version for which the attributes of a construct ask.
pub(super) fn version(stm: &Stm) -> Option<Version> {
    stm.origin.attributes.iter().find_map(of_attribute)
}

/// Whether the attributes of a construct ask for a version.
pub(crate) fn asks_for_version(stm: &Stm) -> bool {
    version(stm).is_some()
}

/// Removes the attributes that ask for a version: the statement is a part of that version.
pub(super) fn remove(stm: &mut Stm) {
    stm.origin.attributes.retain(|attribute| of_attribute(attribute).is_none());
}

fn of_attribute(attribute: &Symbol) -> Option<Version> {
    match attribute.as_str() {
        "flattening(block)" | "incremental_flattening(only_intra)" => Some(Version::Block),
        FULL | "incremental_flattening(no_outer)" | "incremental_flattening(only_inner)" => {
            Some(Version::Full)
        }
        "sequential_inner" | "sequential" | "flattening(no)" => Some(Version::Outer),
        _ => None,
    }
}
