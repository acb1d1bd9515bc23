//! A compiled program as data.

use ravel_abi::{Blob, Interface, Plan};
use serde::{Deserialize, Serialize};

/// A compiled program: all that is left of its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compiled {
    /// What it was compiled from, for messages.
    pub name: String,
    /// The code.
    pub code: Code,
    /// The types of its border.
    pub interface: Interface,
    /// As an executable it is a server, whether or not it is asked to.
    pub serves: bool,
}

/// Code for one kind of machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Code {
    /// Native code.
    Cpu(Blob),
    /// WGSL and a launch plan.
    Gpu(Plan),
}
