//! The machines for which code is compiled.

/// A machine for which code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// A CPU with its threads.
    Cpu,
    /// A GPU.
    Gpu,
}

impl Machine {
    /// All of them.
    pub const ALL: [Machine; 2] = [Machine::Cpu, Machine::Gpu];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Machine::Cpu => "cpu",
            Machine::Gpu => "gpu",
        }
    }

    /// What its code is, in the words of help texts.
    pub fn about(self) -> &'static str {
        match self {
            Machine::Cpu => "Native code for the threads of the CPU",
            Machine::Gpu => "WGSL kernels for a GPU",
        }
    }

    /// The machine of this name.
    pub fn named(name: &str) -> Option<Machine> {
        Machine::ALL.into_iter().find(|machine| machine.name() == name)
    }
}
