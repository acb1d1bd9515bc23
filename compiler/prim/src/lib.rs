//! # prim: primitive types, values, scalar operators and their one evaluator
//!
//! This crate defines the meaning of scalar arithmetic: the interpreter and the constant folder call
//! the evaluator, and both code generators are tested against it.
//!
//! Operators are overloaded on the type of their operands, as WGSL's and Cranelift's are: an operator and a
//! [`PrimType`] together name one operation. The valid pairs are defined by [`BinOp::takes`], [`UnOp::takes`] and
//! [`CmpOp::takes`].
#![forbid(unsafe_code)]

pub mod elementary;
mod eval;
mod op;
mod text;
mod ty;
mod value;

pub use eval::{binary, compare, convert, unary};
pub use op::{BinOp, CmpOp, UnOp};
pub use text::hexadecimal;
pub use ty::PrimType;
pub use value::{PrimValue, nearest_f16};
