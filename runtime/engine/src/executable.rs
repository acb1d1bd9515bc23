//! A compiled and loaded program on any backend.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Failure, Listener, SegmentTime, Signature, Tuning, Value, trace};
use ravel_driver::{Problems, Promises, Source};
use ravel_interp::{BrokenPromise, CallOutcome, Trace as Traced};

use crate::model::{CallCost, Model};
use crate::{Backend, LoadedProgram, Stats};

/// A loaded program.
pub struct Executable {
    code: Code,
    signatures: Vec<Signature>,
    stop: Arc<AtomicBool>,
}

enum Code {
    Loaded(Box<LoadedProgram>),
    Interp { program: ravel_driver::CoreProgram, source: Source, listener: Listener, tuning: Tuning },
    Model(Box<Model>),
}

/// The signatures of a program's entry points.
pub(crate) fn signatures(program: &ravel_driver::CoreProgram) -> Vec<Signature> {
    let entries = program.entries.iter();
    entries.filter_map(|entry| ravel_interp::signature(program, entry.name)).collect()
}

impl Executable {
    fn new(code: Code, signatures: Vec<Signature>) -> Executable {
        Executable { code, signatures, stop: Arc::default() }
    }

    pub(crate) fn loaded(program: LoadedProgram) -> Executable {
        let signatures = program.signatures().to_vec();
        Executable::new(Code::Loaded(Box::new(program)), signatures)
    }

    pub(crate) fn interp(program: ravel_driver::CoreProgram, source: Source) -> Executable {
        let signatures = signatures(&program);
        let (listener, tuning) = (Listener::default(), Tuning::default());
        Executable::new(Code::Interp { program, source, listener, tuning }, signatures)
    }

    pub(crate) fn model(program: Model, signatures: Vec<Signature>) -> Executable {
        Executable::new(Code::Model(Box::new(program)), signatures)
    }

    /// The promises that the program makes with `#[recurrence]`, each testable one as an entry point: the first half
    /// of its results must equal the second half.
    ///
    /// # Errors
    /// An error in the program, or a limitation.
    pub fn of_promises(source: &Source) -> Result<(Executable, Promises), Problems> {
        let promises = ravel_driver::promises(source)?;
        Ok((Executable::interp(promises.program.clone(), source.clone()), promises))
    }

    /// The backend on which it runs.
    pub fn backend(&self) -> Backend {
        match &self.code {
            Code::Loaded(program) => program.machine().into(),
            Code::Interp { .. } => Backend::Interp,
            Code::Model(_) => Backend::Model,
        }
    }

    /// Whether all its work runs on the CPU.
    pub fn is_on_processor(&self) -> bool {
        match &self.code {
            Code::Loaded(program) => program.is_on_processor(),
            Code::Interp { .. } | Code::Model(_) => true,
        }
    }

    /// The names of the entry points.
    pub fn entries(&self) -> Vec<&str> {
        self.signatures.iter().map(|signature| signature.name.as_str()).collect()
    }

    /// The signatures of all entry points.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// The signature of an entry point.
    pub fn signature(&self, entry: &str) -> Option<&Signature> {
        self.signatures.iter().find(|signature| signature.name == entry)
    }

    /// A flag that stops a running call soon after it is set.
    pub fn stop(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// The same program, with this flag, which several programs may share.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Executable {
        Executable { stop, ..self }
    }

    /// The same program, with a listener for its traces: lines of text with the place and the value. Compiled code does
    /// not trace inside its parallel segments.
    #[must_use]
    pub fn with_trace_listener(self, callback: impl Fn(&str) + Send + Sync + 'static) -> Executable {
        let listener = Listener::new(callback);
        let code = match self.code {
            Code::Loaded(program) => Code::Loaded(Box::new(program.with_listener(listener))),
            Code::Interp { program, source, tuning, .. } => {
                Code::Interp { program, source, listener, tuning }
            }
            // The model does not trace: points run in lockstep, and the points of a scan run twice.
            Code::Model(program) => Code::Model(program),
        };
        Executable { code, ..self }
    }

    /// Sets these tuning parameters; all others get their defaults.
    ///
    /// # Errors
    /// If the program has no such parameter; then nothing changes.
    pub fn tune(&mut self, tuning: &Tuning) -> Result<(), String> {
        tuning.check(&self.signatures)?;
        match &mut self.code {
            Code::Loaded(program) => program.tune(tuning)?,
            Code::Interp { tuning: own, .. } => *own = tuning.clone(),
            Code::Model(program) => program.tuning = tuning.clone(),
        }
        Ok(())
    }

    /// Whether the program has streams, whose promises `broken_promise` can test. Always false except on the
    /// interpreter.
    pub fn makes_promises(&self) -> bool {
        matches!(&self.code, Code::Interp { program, .. } if ravel_interp::makes_promises(program))
    }

    /// Calls an entry point with other chunk sizes of its streams until a result differs. Only the interpreter supports
    /// this.
    pub fn broken_promise(
        &self,
        entry: &str,
        args: &[Value],
        agrees: &dyn Fn(&CallOutcome) -> bool,
    ) -> Option<BrokenPromise> {
        let Code::Interp { program, source, .. } = &self.code else { return None };
        let describe = |span| source.sources().describe(span);
        ravel_interp::broken_promise(program, entry.into(), args, Some(&self.stop), &describe, agrees)
    }

    /// Calls an entry point and returns the times of its parallel segments, the longest first. The interpreter and the
    /// machine model return none.
    ///
    /// # Errors
    /// As [`Executable::call`].
    pub fn profile(&self, entry: &str, args: &[Value]) -> Result<Vec<SegmentTime>, Failure> {
        match &self.code {
            Code::Loaded(program) if self.signature(entry).is_some() => {
                let profile = Arc::default();
                program.run(entry, args, &self.stop, Some(&profile))?;
                Ok(profile.segment_times())
            }
            _ => self.call(entry, args).map(|_| Vec::new()),
        }
    }

    /// Calls an entry point on the machine model, and returns the cost; on other backends it has no segments.
    ///
    /// # Errors
    /// As [`Executable::call`].
    pub fn cost(&self, entry: &str, args: &[Value]) -> Result<(Vec<Value>, CallCost), Failure> {
        match &self.code {
            Code::Model(program) => {
                let sizes = self.bind_sizes(entry, args)?;
                program.call(entry, &sizes, args, &self.stop)
            }
            _ => self.call(entry, args).map(|(results, _)| (results, CallCost::default())),
        }
    }

    /// Checks the arguments of an entry point, and returns their sizes.
    fn bind_sizes(&self, entry: &str, args: &[Value]) -> Result<Vec<i64>, Failure> {
        let unknown = || Failure::Arguments(format!("there is no entry point `{entry}`"));
        self.signature(entry).ok_or_else(unknown)?.bind_sizes(args)
    }

    /// Calls an entry point.
    ///
    /// # Errors
    /// The [`Failure`] that ended it: wrong arguments, a failed assertion, too little memory, ….
    pub fn call(&self, entry: &str, args: &[Value]) -> Result<(Vec<Value>, Stats), Failure> {
        if self.signature(entry).is_none() {
            return Err(Failure::Arguments(format!("there is no entry point `{entry}`")));
        }
        match &self.code {
            Code::Loaded(program) => program.call(entry, args, &self.stop),
            Code::Model(program) => {
                let sizes = self.bind_sizes(entry, args)?;
                let (results, cost) = program.call(entry, &sizes, args, &self.stop)?;
                let launches = cost.segments.iter().map(|segment| segment.counts.launches).sum();
                let stats = Stats {
                    launches,
                    bytes_up: args.iter().map(Value::array_bytes).sum(),
                    bytes_down: results.iter().map(Value::array_bytes).sum(),
                    versions: cost.versions,
                    bins: cost.bins,
                    ..Stats::default()
                };
                Ok((results, stats))
            }
            Code::Interp { program, source, listener, tuning } => {
                let describe = |span| source.sources().describe(span);
                let listen = |trace: &Traced<'_>| {
                    let place = trace.span.map(describe);
                    listener.send(&trace::line(trace.label, place.as_deref(), &trace.values));
                };
                let options = ravel_interp::Options {
                    trace: Some(&listen),
                    stop: Some(&self.stop),
                    tuning: Some(tuning),
                    ..Default::default()
                };
                let results = ravel_interp::run(program, entry.into(), args, options, &describe)?;
                Ok((results, Stats::default()))
            }
        }
    }
}
