//! # engine: compile, load, call
//!
//! The Rust API of Ravel, used by the command line, tests and bindings: pick a [`Backend`], open
//! an [`Engine`], compile a [`Source`] to an [`Executable`], call its entry points with values.
//!
//! ```
//! use ravel_engine::{Backend, Engine, Options, Source, Value};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let text = "entry scale [n] (k: f64) (xs: [n]f64): ([n]f64, f64) =\n\
//!                   let ys = map (* k) xs in (ys, f64.sum ys)";
//!     let engine = Engine::open(Backend::Cpu, None)?;
//!     let program = engine.compile(&Source::new("scale.dsl", text), &Options::default())?;
//!
//!     let args = [Value::from(2.0f64), Value::from(&[1.0f64, 2.0, 3.5][..])];
//!     let (results, _cost) = program.call("scale", &args)?;
//!     assert_eq!(results[0].elements::<f64>(), Some(&[2.0, 4.0, 7.0][..]));
//!     assert_eq!(results[1].scalar(), Some(13.0f64));
//!
//!     // Errors have the same text as on the command line.
//!     let wrong = engine.compile(&Source::new("wrong.dsl", "entry main = redcue"), &Options::default());
//!     let said = wrong.err().ok_or("it does not compile")?.to_string();
//!     assert!(said.starts_with("error[E0101]: Unknown name \"redcue\""), "{said}");
//!     let refused = program.call("scale", &[Value::from(1i32)]).unwrap_err();
//!     assert_eq!(refused.to_string(), "`scale` takes 2 arguments, got 1");
//!     Ok(())
//! }
//! ```
//!
//! Composite values are passed as their leaves ([`ravel_abi::interface`]); [`Executable::signature`] lists the leaves
//! of an entry point. A deeply nested program needs more stack than a thread has by default: compile it inside
//! [`on_large_stack`].
//!
//! This crate uses every backend, and the compiler only through the driver.
#![forbid(unsafe_code)]

mod executable;
mod model;

use std::fmt;

use ravel_driver::{Style, render};
use ravel_program::{Code, CompiledProgram, LoadedProgram, Place};

use model::{DEFAULT_DEVICE, Model};

pub use executable::Executable;
pub use model::{CallCost, Cost, Counts, DEVICES, InnerCost, ModelDevice};
pub use ravel_abi::{Array, Data, Element, Failure, Machine, Signature, Tuning, Value};
pub use ravel_driver::{Options, Problems, Source, on_large_stack};
pub use ravel_interp::{BrokenPromise, CallOutcome};
pub use ravel_program::{Device, DeviceDescription, Stats, device_list, devices, processor, processors};

/// A backend, which runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backend {
    /// Native code on the processor's threads.
    Cpu,
    /// WGSL on a graphics processor.
    Gpu,
    /// The reference interpreter.
    Interp,
    /// The machine model of a GPU. It is slow, and counts the cost of programs on a GPU.
    Model,
}

impl Backend {
    /// All of them.
    pub const ALL: [Backend; 4] = [Backend::Cpu, Backend::Gpu, Backend::Interp, Backend::Model];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Cpu | Backend::Gpu => self.machine().name(),
            Backend::Interp => "interp",
            Backend::Model => "model",
        }
    }

    /// A description for help texts.
    pub fn about(self) -> &'static str {
        match self {
            Backend::Cpu => "Native code on the threads of the CPU",
            Backend::Gpu => "WGSL kernels on a GPU",
            Backend::Interp => "The reference interpreter: slow, and correct by definition",
            Backend::Model => "The machine model of a GPU: slow, and needs no GPU",
        }
    }

    /// The machine for which it compiles. The interpreter runs no compiled code; its programs are shown as for the CPU.
    pub fn machine(self) -> Machine {
        match self {
            Backend::Cpu | Backend::Interp => Machine::Cpu,
            Backend::Gpu | Backend::Model => Machine::Gpu,
        }
    }
}

impl From<Machine> for Backend {
    /// The backend that runs the machine's code.
    fn from(machine: Machine) -> Backend {
        match machine {
            Machine::Cpu => Backend::Cpu,
            Machine::Gpu => Backend::Gpu,
        }
    }
}

/// An open backend, which can load programs.
pub struct Engine {
    opened: OpenBackend,
}

enum OpenBackend {
    Place(Place),
    Interp,
    /// The device, and the limit in bytes on private arrays.
    Model(&'static ModelDevice, Option<u64>),
}

/// The error of a program that could not be compiled and loaded.
#[derive(Debug)]
pub enum Error {
    /// An error in the program, a limitation or a bug of the compiler.
    Compile(Problems),
    /// The device cannot load the program.
    Load(Failure),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Compile(problems) => {
                f.write_str(&render(&problems.sources, &problems.diagnostics, Style::Plain))
            }
            Error::Load(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl Engine {
    /// Opens a backend. The CPU backend uses this many threads (`None`: one for each processor).
    ///
    /// # Errors
    /// [`Failure::System`] if there is no such device.
    pub fn open(backend: Backend, threads: Option<usize>) -> Result<Engine, Failure> {
        let opened = match backend {
            Backend::Cpu => OpenBackend::Place(Place::Cpu(threads.unwrap_or_else(processors))),
            Backend::Gpu => OpenBackend::Place(Place::Gpu(ravel_gpu::Gpu::open()?)),
            Backend::Interp => OpenBackend::Interp,
            Backend::Model => return Ok(Engine::model(DEFAULT_DEVICE)),
        };
        Ok(Engine { opened })
    }

    /// Opens the machine model of a device.
    pub fn model(device: &'static ModelDevice) -> Engine {
        Engine { opened: OpenBackend::Model(device, None) }
    }

    /// Whether the device is idle. A kernel cannot be stopped, so it may still run after its call was abandoned. Using
    /// or dropping the engine then waits for the end of that kernel.
    pub fn is_idle(&self) -> bool {
        match &self.opened {
            OpenBackend::Place(Place::Gpu(gpu)) => gpu.is_idle(),
            OpenBackend::Place(Place::Cpu(_)) | OpenBackend::Interp | OpenBackend::Model(..) => true,
        }
    }

    /// Sets the limit in bytes on the private arrays of all threads of a program on a GPU or on the machine model. If
    /// all threads together need more, they run in batches, with the same results. A program fails if a single thread
    /// needs more. Results of threads do not count, even those stored only to be reduced or scanned after all
    /// batches. The default and upper limit is the largest array of the device, or half of the machine's memory if
    /// that is less. On the CPU and in the interpreter, threads allocate as they run, without a limit.
    #[must_use]
    pub fn with_max_memory(self, bytes: Option<u64>) -> Engine {
        match self.opened {
            OpenBackend::Place(Place::Gpu(gpu)) => {
                Engine { opened: OpenBackend::Place(Place::Gpu(gpu.with_max_memory(bytes))) }
            }
            OpenBackend::Model(device, _) => Engine { opened: OpenBackend::Model(device, bytes) },
            opened => Engine { opened },
        }
    }

    /// Compiles a program and loads it.
    ///
    /// # Errors
    /// [`Error::Compile`] for an incorrect program, [`Error::Load`] if the device cannot run it.
    pub fn compile(&self, source: &Source, options: &Options) -> Result<Executable, Error> {
        let core = ravel_driver::lowered_core(source, options).map_err(Error::Compile)?;
        match &self.opened {
            OpenBackend::Place(place) => {
                let code = match place {
                    Place::Cpu(_) => ravel_driver::compile_to_native(source, core, options).map(Code::Cpu),
                    Place::Gpu(_) => ravel_driver::compile_to_plan(source, core, options).map(Code::Gpu),
                };
                let loaded = LoadedProgram::new(code.map_err(Error::Compile)?, place).map_err(Error::Load)?;
                Ok(Executable::loaded(loaded))
            }
            OpenBackend::Interp => Ok(Executable::interp(core, source.clone())),
            OpenBackend::Model(device, most) => {
                let mut signatures = executable::signatures(&core);
                let program = ravel_driver::compile_to_kernel(source, core, options, device.target)
                    .map_err(Error::Compile)?;
                ravel_driver::add_tuning_parameters(&mut signatures, &program);
                Ok(Executable::model(Model::new(program, source.clone(), device, *most), signatures))
            }
        }
    }
}

/// Compiles a program for a machine, to data that can be loaded elsewhere.
///
/// # Errors
/// The errors in the program, or a bug in the compiler.
pub fn compiled(source: &Source, options: &Options, machine: Machine) -> Result<CompiledProgram, Problems> {
    let front = ravel_driver::front_end(source, options)?;
    let interface = ravel_driver::interface(source, &front);
    let code = match machine {
        Machine::Cpu => Code::Cpu(ravel_driver::compile_to_native(source, front.core, options)?),
        Machine::Gpu => Code::Gpu(ravel_driver::compile_to_plan(source, front.core, options)?),
    };
    Ok(CompiledProgram { name: source.name().to_owned(), code, interface, serves: false })
}
