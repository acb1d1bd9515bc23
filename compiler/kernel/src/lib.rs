//! # kernel: the kernel IR
//!
//! A host program and parallel segments, with explicit memory. Backends compile this IR. The crate has its syntax,
//! printer, parser and verifier, and the analyses that backends share.
//!
//! It does not depend on core IR, from which passes translate, or on WGSL or Cranelift. `interface` describes the
//! signatures, messages and traces of a program in the types of `abi`, once for all backends.
#![forbid(unsafe_code)]

mod dead_code;
mod distinct;
mod interface;
mod literal;
mod memory_sites;
mod parameters;
pub mod parse;
pub mod print;
mod products;
mod renumber;
#[cfg(test)]
mod sample;
pub mod syntax;
pub mod target;
mod teams;
pub mod uses;
pub mod verify;
pub mod visit;
mod workgroup_memory;

pub use dead_code::needed_by;
pub use distinct::Distinct;
pub use memory_sites::MemorySites;
pub use parse::parse;
pub use print::name_of;
pub use products::Products;
pub use syntax::*;
pub use target::{RAKED, Setting, SettingValue, Target, Tile};
pub use teams::team_size;
pub use uses::{BlockUse, Uses};
pub use verify::{MemProgram, VerifyError, check, fault_in_text};
pub use visit::{Visit, VisitMut};
pub use workgroup_memory::{WorkgroupMemory, combined_blocks};
