//! A compiled program that is ready to be called.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Failure, Listener, Profile, Signature, Tuning, Value};
use ravel_gpu::DeviceKind;

use crate::{Code, Stats};

/// Where a program is loaded to.
#[derive(Clone)]
pub enum Place {
    /// So many threads of the processor.
    Cpu(usize),
    /// A graphics adapter.
    Gpu(ravel_gpu::Gpu),
}

/// What a call gives: its results and what it cost, or why there are none.
pub type Outcome = Result<(Vec<Value>, Stats), Failure>;

/// A program that is ready to be called.
pub struct Loaded {
    code: Ready,
    signatures: Vec<Signature>,
}

enum Ready {
    Cpu { program: ravel_cpu::Program, threads: usize },
    Gpu(ravel_gpu::Program),
}

impl Loaded {
    /// Loads code.
    ///
    /// # Errors
    /// When the machine cannot take it, or it is code for another kind of machine.
    pub fn new(code: Code, place: &Place) -> Result<Loaded, Failure> {
        match (code, place) {
            (Code::Cpu(blob), &Place::Cpu(threads)) => {
                let program = ravel_cpu::Program::load(blob)?;
                let signatures = program.signatures().cloned().collect();
                Ok(Loaded { code: Ready::Cpu { program, threads }, signatures })
            }
            (Code::Gpu(plan), Place::Gpu(gpu)) => {
                let program = gpu.load(plan)?;
                let signatures = program.signatures().cloned().collect();
                Ok(Loaded { code: Ready::Gpu(program), signatures })
            }
            _ => Err(Failure::Bug("code was brought to a machine of the other kind".to_owned())),
        }
    }

    /// The same, with somebody who is told what it traces.
    #[must_use]
    pub fn telling(self, listener: Listener) -> Loaded {
        let code = match self.code {
            Ready::Cpu { program, threads } => Ready::Cpu { program: program.telling(listener), threads },
            Ready::Gpu(program) => Ready::Gpu(program.telling(listener)),
        };
        Loaded { code, ..self }
    }

    /// Sets tuning parameters so, and no others.
    ///
    /// # Errors
    /// When it has no such parameter; then nothing is changed.
    pub fn tune(&mut self, tuning: &Tuning) -> Result<(), String> {
        tuning.check(&self.signatures)?;
        match &mut self.code {
            Ready::Cpu { program, .. } => program.tune(tuning),
            Ready::Gpu(program) => program.tune(tuning),
        }
        Ok(())
    }

    /// Does it run on a graphics adapter?
    pub fn is_on_gpu(&self) -> bool {
        matches!(self.code, Ready::Gpu(_))
    }

    /// Does the processor do all of its work? So it does also for a driver that computes there.
    pub fn is_on_processor(&self) -> bool {
        match &self.code {
            Ready::Cpu { .. } => true,
            Ready::Gpu(program) => program.device().kind == DeviceKind::Software,
        }
    }

    /// The entry points.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Calls an entry point. When `stop` becomes true the call ends soon.
    ///
    /// # Errors
    /// The [`Failure`] that ended it: wrong arguments, a failed assertion, too little memory, ….
    pub fn call(&self, entry: &str, args: &[Value], stop: &Arc<AtomicBool>) -> Outcome {
        self.run(entry, args, stop, None)
    }

    /// Calls an entry point, and notes what its parallel parts take, if there is something to note it in. On a GPU
    /// the host then waits for each kernel, so that the call as a whole takes longer than without.
    ///
    /// # Errors
    /// As [`Loaded::call`].
    pub fn run(
        &self,
        entry: &str,
        args: &[Value],
        stop: &Arc<AtomicBool>,
        profile: Option<&Arc<Profile>>,
    ) -> Outcome {
        match &self.code {
            Ready::Cpu { program, threads } => {
                let options = ravel_cpu::Options {
                    threads: *threads,
                    stop: stop.clone(),
                    profile: profile.cloned(),
                    ..ravel_cpu::Options::default()
                };
                let (results, stats) = program.call(entry, args, &options)?;
                Ok((results, Stats::from(stats)))
            }
            Ready::Gpu(program) => {
                let (results, stats) =
                    program.call(entry, args, stop.clone(), profile.map(|profile| &**profile))?;
                Ok((results, Stats::from(stats)))
            }
        }
    }
}
