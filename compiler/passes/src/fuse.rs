//! # fuse: fewer traversals, fewer arrays
//!
//! One construct, one engine: a [`ravel_core::Screma`] reads sources and fills sinks, so fusion is
//! the composition of what stands between, whatever the sinks are. A [`ravel_core::Stream`] takes in
//! what stands around it chunk by chunk.

pub mod chunks;
pub mod compose;
pub mod engine;
pub mod graph;
pub mod horizontal;
pub mod sources;
pub mod streams;
pub mod vertical;
pub mod views;
