//! # abi: the interface between compiler and runtimes
//!
//! Values and their data formats, signatures and source types of entry points, failure messages and backtraces, traces, versions, bins,
//! the machines that code is compiled for, the launch plan of a GPU program and the layout of a native blob.
//!
//! This crate depends on no compiler and no device.
#![forbid(unsafe_code)]

pub mod backtrace;
pub mod bins;
pub mod compare;
pub mod data;
pub mod device_limitation;
pub mod elements;
pub mod failure;
pub mod hardware;
pub mod interface;
pub mod machine;
pub mod memory;
pub mod native;
pub mod plan;
pub mod profile;
pub mod random;
pub mod signature;
pub mod trace;
pub mod tuning;
pub mod value;
pub mod versions;

pub use backtrace::Backtrace;
pub use bins::BinCounts;
pub use compare::{Mismatch, approx_equal};
pub use data::{
    Bounds, DataError, Expected, InputError, ValueRequest, generate, read_any, read_npy, read_requests,
    read_values, read_values_from, write_binary, write_binary_to, write_npy, write_text, write_text_to,
};
pub use device_limitation::DeviceLimitation;
pub use elements::Elements;
pub use failure::{Cause, Failure, MAX_CALLS, MessagePart, Messages, fill};
pub use hardware::{Figure, Hardware};
pub use interface::{Form, Interface, TypeNumber};
pub use machine::Machine;
pub use memory::memory_limit;
pub use native::{Blob, EntryPoint};
pub use plan::Plan;
pub use profile::{Profile, SegmentName, SegmentTime};
pub use signature::{Dim, ParamType, ResultType, Signature};
pub use trace::{Listener, Trace, TraceKind};
pub use tuning::Tuning;
pub use value::{Array, Data, Element, Value};
pub use versions::{VersionCounter, VersionCounts, Versions};

#[doc(hidden)]
pub use {half::f16, ravel_prim::PrimType};
