//! # engine: compile, load, call
//!
//! The Rust API of Ravel, used by the command line, tests and bindings: pick a [`Backend`], open
//! an [`Engine`], compile a [`Source`] to an [`Executable`], call its entry points with values.
//!
//! This room knows every backend, and no stage of the compiler.
#![forbid(unsafe_code)]

mod devices;
mod executable;
mod stats;

use ravel_abi::Failure;
use ravel_driver::{Options, Problems, Source};

pub use devices::{Device, devices, processors};
pub use executable::Executable;
pub use ravel_interp::{BrokenPromise, Called};
pub use stats::Stats;

/// Where programs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backend {
    /// Native code on the processor's threads.
    Cpu,
    /// WGSL on a graphics processor.
    Gpu,
    /// The reference interpreter.
    Interp,
}

impl Backend {
    /// All of them.
    pub const ALL: [Backend; 3] = [Backend::Cpu, Backend::Gpu, Backend::Interp];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Cpu => "cpu",
            Backend::Gpu => "gpu",
            Backend::Interp => "interp",
        }
    }
}

/// A backend that is ready to load programs.
pub struct Engine {
    opened: Opened,
}

enum Opened {
    Cpu { threads: usize },
    Gpu(ravel_gpu::Gpu),
    Interp,
}

/// Why a program could not be compiled and loaded.
#[derive(Debug)]
pub enum Error {
    /// Something is wrong with the program, or the compiler.
    Compile(Problems),
    /// The device cannot load it.
    Load(Failure),
}

impl Engine {
    /// Opens a backend. The CPU backend uses so many threads (all processors, if `None`).
    ///
    /// # Errors
    /// [`Failure::System`] when there is no such device.
    pub fn open(backend: Backend, threads: Option<usize>) -> Result<Engine, Failure> {
        let opened = match backend {
            Backend::Cpu => Opened::Cpu { threads: threads.unwrap_or_else(processors) },
            Backend::Gpu => Opened::Gpu(ravel_gpu::Gpu::open()?),
            Backend::Interp => Opened::Interp,
        };
        Ok(Engine { opened })
    }

    /// Compiles a program and loads it.
    ///
    /// # Errors
    /// [`Error::Compile`] for a wrong program, [`Error::Load`] when the device cannot take it.
    pub fn compile(&self, source: &Source, options: &Options) -> Result<Executable, Error> {
        Ok(match &self.opened {
            Opened::Cpu { threads } => {
                let blob = ravel_driver::native(source, options).map_err(Error::Compile)?;
                Executable::cpu(ravel_cpu::Program::load(blob).map_err(Error::Load)?, *threads)
            }
            Opened::Gpu(gpu) => {
                let plan = ravel_driver::gpu(source, options).map_err(Error::Compile)?;
                Executable::gpu(gpu.load(plan).map_err(Error::Load)?)
            }
            Opened::Interp => {
                let core = ravel_driver::unoptimised(source, options).map_err(Error::Compile)?;
                Executable::interp(core, source.clone())
            }
        })
    }
}
