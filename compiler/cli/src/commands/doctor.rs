//! `ravel doctor`: tests every backend on this machine, prints its limits, and says what to install.

use std::fmt::Write as _;

use ravel_abi::Value;
use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine};
use ravel_prim::PrimValue;
use ravel_program::DRIVER;

use crate::args::{self, Doctor};
use crate::exit::Exit;
use crate::terminal;

/// A program that needs every part of a backend: segments, arrays, a scan, a histogram, 64-bit numbers.
const PROGRAM: &str = "\
entry main (n: i64): (i64, f64, []i64) =
  let xs = map (\\i -> (i * i) % 1000) (iota n)
  let sums = scan (+) 0 xs
  in (sums[n - 1], f64.sum (map f64.i64 xs), hist (+) 0 4 (map (% 4) xs) xs)
";

/// The argument of the program.
const POINTS: i64 = 100_000;

/// Tests every backend and prints the result, with the devices of the machine.
pub fn doctor(args: &Doctor) -> Result<(), Exit> {
    let mut text = format!("ravel {}\n\n", *args::VERSION);
    let right = answer(Backend::Interp);
    let mut broken = false;
    for backend in [Backend::Interp, Backend::Cpu, Backend::Gpu] {
        let named = args.backend.contains(&backend);
        let needed = named || args.backend.is_empty() && backend != Backend::Gpu;
        let status = match (answer(backend), &right) {
            (Ok(values), Ok(right)) if &values == right => "works".to_owned(),
            (Ok(_), _) => {
                broken |= needed;
                "computes a wrong result: please report this".to_owned()
            }
            (Err(why), _) => {
                broken |= needed;
                format!("does not work: {}", why.trim_end())
            }
        };
        let _ = writeln!(text, "{:7} {status}", format!("{}:", backend.name()));
    }
    let memory = ravel_abi::memory_limit() >> 20;
    let _ = write!(text, "\nprocessor: {} threads, arrays up to {memory} MiB\n", ravel_engine::processors());
    let devices = ravel_engine::devices();
    for device in &devices {
        let _ = writeln!(text, "adapter: {device}");
    }
    if !devices.iter().any(|device| device.usable()) {
        let _ = writeln!(text, "\nto run programs on a GPU, install {DRIVER}");
    }
    terminal::output(text.as_bytes())?;
    if broken { Err(Exit::User) } else { Ok(()) }
}

/// The result on a backend, or its failure.
fn answer(backend: Backend) -> Result<Vec<Value>, String> {
    let engine = Engine::open(backend, None).map_err(|failure| failure.to_string())?;
    let source = Source::new("doctor.dsl", PROGRAM);
    let executable = engine.compile(&source, &Options::default()).map_err(|error| error.to_string())?;
    let (values, _) = executable
        .call("main", &[Value::Scalar(PrimValue::I64(POINTS))])
        .map_err(|failure| failure.to_string())?;
    Ok(values)
}
