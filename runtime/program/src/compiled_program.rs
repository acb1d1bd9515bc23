//! A compiled program as data.

use ravel_abi::{Blob, Interface, Machine, Plan};
use serde::{Deserialize, Serialize};

/// A compiled program. It needs no source to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompiledProgram {
    /// The name of the source file, for messages.
    pub name: String,
    /// The code.
    pub code: Code,
    /// The types of its entry points.
    pub interface: Interface,
    /// Whether its executable is always a server.
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

impl Code {
    /// The machine on which it runs.
    pub fn machine(&self) -> Machine {
        match self {
            Code::Cpu(_) => Machine::Cpu,
            Code::Gpu(_) => Machine::Gpu,
        }
    }
}
