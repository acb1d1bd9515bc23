//! # syntax: from text to tree
//!
//! Lexer (logos), grammar (lalrpop), abstract syntax tree and its printer.
//!
//! This crate does not know types or name resolution. The parser is total: it returns a tree and
//! diagnostics for any text.
#![forbid(unsafe_code)]

mod actions;
pub mod ast;
mod class;
mod expected_tokens;
pub mod foreign;
mod import;
mod lexer;
mod literal;
mod mistake;
mod nesting;
mod parse;
pub mod print;
mod syntax_error;
mod token;

pub use class::{Class, classes};
pub use parse::{Parsed, continuation, parse, parse_expression};

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, missing_docs, unused_imports, reason = "generated code")]
    grammar
);
