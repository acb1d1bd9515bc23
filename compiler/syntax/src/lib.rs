//! # syntax: from text to tree
//!
//! Lexer (logos), grammar (lalrpop), abstract syntax tree and its printer.
//!
//! This room knows nothing of types or of name resolution. The parser is total: it returns a
//! tree and diagnostics, whatever the text.
#![forbid(unsafe_code)]

pub mod ast;
