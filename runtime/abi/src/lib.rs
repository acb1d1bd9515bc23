//! # abi: what compilers and runtimes agree on
//!
//! Values and their data formats, signatures of entry points, failure messages, the launch plan
//! of a GPU program and the layout of a native blob.
//!
//! This room knows no compiler and no device.
#![forbid(unsafe_code)]

pub mod failure;
pub mod plan;
pub mod signature;
pub mod value;

pub use failure::{Failure, Message, MessagePart};
pub use plan::Plan;
pub use signature::{Dim, ParamType, ResultType, Signature};
pub use value::{Array, Data, Value};
