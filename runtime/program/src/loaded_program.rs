//! A loaded program.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Failure, Listener, Machine, Profile, Signature, Tuning, Value};
use ravel_gpu::DeviceKind;

use crate::{Code, Stats};

/// The device to which a program is loaded.
#[derive(Clone)]
pub enum Place {
    /// The CPU, with this many threads.
    Cpu(usize),
    /// A graphics adapter.
    Gpu(ravel_gpu::Gpu),
}

/// The results and the cost of a call, or its failure.
pub type Outcome = Result<(Vec<Value>, Stats), Failure>;

/// A loaded program.
pub struct LoadedProgram {
    code: LoadedCode,
    signatures: Vec<Signature>,
}

enum LoadedCode {
    Cpu { program: ravel_cpu::Program, threads: usize },
    Gpu(ravel_gpu::Program),
}

impl LoadedProgram {
    /// Loads code.
    ///
    /// # Errors
    /// If the machine cannot run it, or it is code for another kind of machine.
    pub fn new(code: Code, place: &Place) -> Result<LoadedProgram, Failure> {
        match (code, place) {
            (Code::Cpu(blob), &Place::Cpu(threads)) => {
                let program = ravel_cpu::Program::load(blob)?;
                let signatures = program.signatures().cloned().collect();
                Ok(LoadedProgram { code: LoadedCode::Cpu { program, threads }, signatures })
            }
            (Code::Gpu(plan), Place::Gpu(gpu)) => {
                let program = gpu.load(plan)?;
                let signatures = program.signatures().cloned().collect();
                Ok(LoadedProgram { code: LoadedCode::Gpu(program), signatures })
            }
            _ => Err(Failure::Bug("code for one kind of machine was loaded on the other kind".to_owned())),
        }
    }

    /// The same program, with a listener for its traces.
    #[must_use]
    pub fn with_listener(self, listener: Listener) -> LoadedProgram {
        let code = match self.code {
            LoadedCode::Cpu { program, threads } => {
                LoadedCode::Cpu { program: program.with_listener(listener), threads }
            }
            LoadedCode::Gpu(program) => LoadedCode::Gpu(program.with_listener(listener)),
        };
        LoadedProgram { code, ..self }
    }

    /// Sets these tuning parameters; all others get their defaults.
    ///
    /// # Errors
    /// If the program has no such parameter; then nothing changes.
    pub fn tune(&mut self, tuning: &Tuning) -> Result<(), String> {
        tuning.check(&self.signatures)?;
        match &mut self.code {
            LoadedCode::Cpu { program, .. } => program.tune(tuning),
            LoadedCode::Gpu(program) => program.tune(tuning),
        }
        Ok(())
    }

    /// The machine on which it runs.
    pub fn machine(&self) -> Machine {
        match self.code {
            LoadedCode::Cpu { .. } => Machine::Cpu,
            LoadedCode::Gpu(_) => Machine::Gpu,
        }
    }

    /// Whether all its work runs on the CPU, as it also does with a software graphics driver.
    pub fn is_on_processor(&self) -> bool {
        match &self.code {
            LoadedCode::Cpu { .. } => true,
            LoadedCode::Gpu(program) => program.device().kind == DeviceKind::Software,
        }
    }

    /// The entry points.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Calls an entry point. After `stop` becomes true the call ends soon.
    ///
    /// # Errors
    /// The [`Failure`] that ended it: wrong arguments, a failed assertion, too little memory, ….
    pub fn call(&self, entry: &str, args: &[Value], stop: &Arc<AtomicBool>) -> Outcome {
        self.run(entry, args, stop, None)
    }

    /// Calls an entry point, and records the times of its parallel segments in the profile if there is one. On a GPU the
    /// host then waits for each kernel, so the whole call takes longer.
    ///
    /// # Errors
    /// As [`LoadedProgram::call`].
    pub fn run(
        &self,
        entry: &str,
        args: &[Value],
        stop: &Arc<AtomicBool>,
        profile: Option<&Arc<Profile>>,
    ) -> Outcome {
        match &self.code {
            LoadedCode::Cpu { program, threads } => {
                let options = ravel_cpu::Options {
                    threads: *threads,
                    stop: stop.clone(),
                    profile: profile.cloned(),
                    ..ravel_cpu::Options::default()
                };
                let (results, stats) = program.call(entry, args, &options)?;
                Ok((results, Stats::from(stats)))
            }
            LoadedCode::Gpu(program) => {
                let (results, stats) =
                    program.call(entry, args, stop.clone(), profile.map(|profile| &**profile))?;
                Ok((results, Stats::from(stats)))
            }
        }
    }
}
