//! # types: names, types, sizes and consumption
//!
//! The type checker turns the syntax tree into the typed tree: name resolution, modules, type
//! and size inference, uniqueness.
//!
//! A definition is checked in three steps. Inference (`exp`, `pattern`, `function`) builds
//! its typed tree; unknown types and sizes are *flexible* parameters, which `unify` binds.
//! `finish` substitutes all of them. `consumption` reports uses of consumed values.
//!
//! This crate does not know core IR or any backend. For a program that it accepts, later stages report only limitations
//! and bugs of the compiler; all other failures happen at run time.
#![forbid(unsafe_code)]

mod abbreviation;
mod abstract_sizes;
mod advice;
mod application;
mod attribute;
mod causality;
mod checker;
mod class;
mod composite;
mod consumption;
mod definition;
mod definition_order;
mod desugar;
mod env;
mod exhaustiveness;
mod existential_sizes;
mod exp;
mod function;
mod function_type;
mod general_sizes;
mod higher_order_recursion;
mod hole;
mod lazy;
mod lifting;
mod matching;
mod methods;
mod module;
mod names;
mod pattern;
mod print;
mod recurrence;
mod recursion;
mod report;
mod resolution;
mod show;
mod signature;
mod size_definition;
mod size_exp;
mod size_text;
mod substitute;
pub mod tast;
mod type_dec;
mod type_exp;
mod unify;
mod uniqueness;
mod unknown_names;
pub mod visit;
mod walk;

pub use application::application_order;
pub use attribute::parameter;
pub use checker::{Checked, File, Import, Mode, check};
pub use env::{
    AbstractDefinition, Application, Env, Functor, FunctorBody, Ids, Item, Module, ModuleEntry, Scheme,
    Signature, TypeEntry, TypeParam, ValueEntry,
};
pub use lazy::Lazy;
pub use print::{TypeNames, definitions_text, program_text, value_type_text};
pub use substitute::instance;
pub use uniqueness::Uniqueness;

#[cfg(test)]
mod tests;
