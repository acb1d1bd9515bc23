//! The main function of an executable: runs an entry point, or serves the protocol.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ravel_abi::tuning::parameters;
use ravel_abi::{Listener, Profile, Value};
use ravel_gpu::Gpu;

use crate::devices::{device_list, devices, processors};
use crate::exit::{self, Exit};
use crate::job::{self, Input, Job, Output};
use crate::loaded_program::{LoadedProgram, Place};
use crate::options::Options;
use crate::server::Server;
use crate::{Code, CompiledProgram, Stats, profile, terminal};

/// Runs a program with the options of the command line.
///
/// # Errors
/// The exit code, after the message was printed.
pub fn standalone(program: CompiledProgram) -> Result<(), Exit> {
    let mut options: Options = terminal::arguments()?;
    options.server |= program.serves;
    if options.list_devices {
        return terminal::output(device_list(&devices()).as_bytes());
    }
    let tuning = options.tuning.read()?;
    if options.npy_in.len() + options.npy_out.len() > 0 && options.server {
        return Err(exit::usage("--server takes and gives values by its commands"));
    }
    let before = Instant::now();
    let CompiledProgram { name, code, interface, .. } = program;
    let place = place(&code, &options)?;
    let loaded = LoadedProgram::new(code, &place).map_err(|failed| exit::failure(&failed))?;
    let mut loaded = loaded.with_listener(Listener::new(terminal::error));
    loaded.tune(&tuning).map_err(exit::user)?;
    if options.print_params {
        let names = parameters(loaded.signatures()).into_iter();
        return terminal::output(
            names.map(|name| format!("{name} ({})\n", parameter_class(name))).collect::<String>().as_bytes(),
        );
    }
    if options.debugging {
        let place = match &place {
            Place::Cpu(threads) => format!("{threads} threads"),
            Place::Gpu(gpu) => gpu.info().name.clone(),
        };
        let took = before.elapsed().as_micros();
        terminal::error(&format!("{name} is loaded on {place} in {took} us\n"));
    }
    if options.server {
        return Server::new(loaded, interface, tuning, &options).serve();
    }
    run(&loaded, &options)
}

/// Runs the entry point.
fn run(loaded: &LoadedProgram, options: &Options) -> Result<(), Exit> {
    let entry = &options.entry_point;
    let signature = job::entry(loaded.signatures(), entry)?;
    let job = Job {
        input: if options.npy_in.is_empty() { Input::Standard } else { Input::Npy(options.npy_in.clone()) },
        output: match options {
            Options { no_print_result: true, .. } => Output::Nowhere,
            Options { binary_output: true, .. } => Output::Binary,
            Options { npy_out, .. } if !npy_out.is_empty() => Output::Npy(npy_out.clone()),
            _ => Output::Text,
        },
        runs: options.runs,
        timing: options.write_runtime_to.clone(),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let profile = options.profile.then(Arc::<Profile>::default);
    let all = Cell::new((0, Duration::ZERO));
    let call = |args: &[Value]| {
        let before = Instant::now();
        let outcome = loaded.run(entry, args, &stop, profile.as_ref())?;
        let took = before.elapsed();
        all.set((all.get().0 + 1, all.get().1 + took));
        if options.log || options.debugging {
            terminal::error(&log_line(entry, took.as_micros(), &outcome.1));
        }
        Ok(outcome)
    };
    let done = job.run(signature, &call)?;
    if let Some(profile) = profile {
        let (calls, took) = all.get();
        let head = format!("run (median): {} us\ncalls: {calls}\n", done.median().as_micros());
        let table = profile::table(&profile.segment_times(), took, &|_| None);
        terminal::error(&(done.stats.text() + &head + &table));
    }
    Ok(())
}

/// The class of a tuning parameter: `user` if the program declares it, `threshold` if it is a limit by which the compiler chooses
/// a version of a nest. The names of limits have dots, and those of a program have none.
pub fn parameter_class(name: &str) -> &'static str {
    if name.contains('.') { "threshold" } else { "user" }
}

/// The cost of a call, on one line.
pub fn log_line(entry: &str, micros: u128, stats: &Stats) -> String {
    let counts = stats.counts().into_iter().filter(|(_, count)| *count > 0);
    let counts: String = counts.map(|(name, count)| format!(", {name}: {count}")).collect();
    format!("{entry}: {micros} us{counts}\n")
}

/// The device for the code.
fn place(code: &Code, options: &Options) -> Result<Place, Exit> {
    match (code, &options.device) {
        (Code::Cpu(_), Some(_)) => {
            Err(exit::usage("--device is for executables that were built with `--backend gpu`"))
        }
        (Code::Cpu(_), None) if options.max_memory.is_some() => {
            Err(exit::usage("--max-memory is for executables that were built with `--backend gpu`"))
        }
        (Code::Cpu(_), None) => Ok(Place::Cpu(options.num_threads.map_or_else(processors, usize::from))),
        (Code::Gpu(_), _) if options.num_threads.is_some() => {
            Err(exit::usage("--num-threads is for executables that were built with `--backend cpu`"))
        }
        (Code::Gpu(_), name) => {
            let gpu = name.as_deref().map_or_else(Gpu::open, Gpu::open_named);
            let gpu = gpu.map_err(|failed| exit::failure(&failed))?;
            Ok(Place::Gpu(gpu.with_max_memory(options.max_memory)))
        }
    }
}
