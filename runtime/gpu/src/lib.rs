//! # gpu: executes launch plans on a GPU
//!
//! ```text
//! Gpu::open() -> Gpu          the best adapter that passes the probe
//! gpu.load(plan) -> Program   kernels are compiled when first launched
//! program.call(entry, args, stop, profile) -> values and what the call cost
//! ```
//!
//! * `adapter`: lists and opens adapters; `probe`: whether one computes correctly
//! * `shader`: kernels as shader modules; `spirv`: WGSL to SPIR-V with IEEE 754 semantics
//! * `memory`: buffers, pooled and counted
//! * `recorder`: batches launches into one submit, with the read-back after it
//! * `call`: the host program; `transfer`: values to bytes and back
//!
//! All waiting is asynchronous, so that a browser can run it too; only the functions above
//! block. Errors of a device never panic: they become a [`Failure`].
#![deny(unsafe_code)]

mod adapter;
mod call;
mod memory;
mod probe;
mod program;
mod recorder;
mod shader;
mod spirv;
mod stopwatch;
mod transfer;
mod wait;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Failure, Plan, Profile, Value};

pub use adapter::{DRIVER, DeviceInfo, DeviceKind, devices};
pub use program::Program;
pub use recorder::Stats;
pub use spirv::compile as spirv;

/// An open device.
#[derive(Clone)]
pub struct Gpu {
    device: Arc<adapter::Device>,
    max_memory: Option<u64>,
    subgroups: bool,
}

impl Gpu {
    /// Opens the best adapter that computes correctly: a GPU before a software driver. The
    /// environment variable `RAVEL_ADAPTER` restricts the choice to names that contain its value.
    #[allow(
        clippy::disallowed_methods,
        reason = "the user restricts the adapters by an environment variable"
    )]
    pub fn open() -> Result<Gpu, Failure> {
        Gpu::open_named(&std::env::var("RAVEL_ADAPTER").unwrap_or_default())
    }

    /// The same among the adapters whose names contain this text; case is ignored.
    pub fn open_named(name: &str) -> Result<Gpu, Failure> {
        let device = pollster::block_on(adapter::open(name))?;
        Ok(Gpu { device: Arc::new(device), max_memory: None, subgroups: true })
    }

    /// Sets the limit in bytes on the private arrays of all threads, for programs loaded from now on. The default and
    /// upper limit is the largest array of the device, or half of the machine's memory if that is less. If all threads
    /// together need more, they run in batches. A program fails if a single thread needs more.
    pub fn with_max_memory(self, bytes: Option<u64>) -> Gpu {
        Gpu { max_memory: bytes, ..self }
    }

    /// Sets whether the kernels of programs loaded from now on use subgroups, if the device has them and passes their
    /// probe. By default they do. Results are the same, bit for bit.
    pub fn with_subgroups(self, subgroups: bool) -> Gpu {
        Gpu { subgroups, ..self }
    }

    /// The properties of the device.
    pub fn info(&self) -> &DeviceInfo {
        &self.device.info
    }

    /// Whether the device is idle. A kernel may still run after its call was stopped.
    pub fn is_idle(&self) -> bool {
        let Ok(_lock) = self.device.call_lock.try_lock() else { return false };
        self.device.device.poll(wgpu::PollType::Poll).is_ok_and(|status| status.is_queue_empty())
    }

    /// Prepares a plan for calls, with the memory limit and the use of subgroups of `self`. A kernel is compiled when it is
    /// first launched.
    pub fn load(&self, plan: Plan) -> Result<Program, Failure> {
        Program::new(self.device.clone(), plan, self.max_memory, self.subgroups)
    }
}

impl Program {
    /// Calls an entry point. After `stop` becomes true the call ends as soon as possible. With a `profile` the host
    /// waits for each kernel and records its time.
    pub fn call(
        &self,
        entry: &str,
        args: &[Value],
        stop: Arc<AtomicBool>,
        profile: Option<&Profile>,
    ) -> Result<(Vec<Value>, Stats), Failure> {
        let _lock = self.device.call_lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        pollster::block_on(self.run(entry, args, stop, profile))
    }
}
