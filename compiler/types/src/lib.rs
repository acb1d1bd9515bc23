//! # types: names, types, sizes and consumption
//!
//! From the abstract syntax tree to the typed tree: name resolution and modules, inference,
//! sizes, uniqueness.
//!
//! This room knows nothing of core IR or of how anything is run. After it, no error of the
//! user's may arise except at run time.
#![forbid(unsafe_code)]

pub mod tast;
