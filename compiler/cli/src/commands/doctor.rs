//! `ravel doctor`: what works on this machine, within which limits, and what is to be installed.

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

/// What it is given.
const POINTS: i64 = 100_000;

/// Tries every backend and tells what became of it, and what the machine has.
pub fn doctor(args: &Doctor) -> Result<(), Exit> {
    let mut text = format!("ravel {}\n\n", *args::VERSION);
    let right = answer(Backend::Interp);
    let mut broken = false;
    for backend in [Backend::Interp, Backend::Cpu, Backend::Gpu] {
        let asked = args.backend.iter().any(|&named| Backend::from(named) == backend);
        let needed = asked || args.backend.is_empty() && backend != Backend::Gpu;
        let said = match (answer(backend), &right) {
            (Ok(values), Ok(right)) if &values == right => "works".to_owned(),
            (Ok(_), _) => {
                broken |= needed;
                "computes something wrong: please report this".to_owned()
            }
            (Err(why), _) => {
                broken |= needed;
                format!("does not work: {}", why.trim_end())
            }
        };
        let _ = writeln!(text, "{:7} {said}", format!("{}:", backend.name()));
    }
    let memory = ravel_abi::memory_limit() >> 20;
    let _ = write!(text, "\nprocessor: {} threads, arrays up to {memory} MiB\n", ravel_engine::processors());
    let found = ravel_engine::devices();
    for device in &found {
        let _ = writeln!(text, "adapter: {device}");
    }
    if !found.iter().any(|device| device.usable()) {
        let _ = writeln!(text, "\nto install, if programs shall run on a GPU: {DRIVER}");
    }
    terminal::output(text.as_bytes())?;
    if broken { Err(Exit::User) } else { Ok(()) }
}

/// What a backend answers, or why it does not.
fn answer(backend: Backend) -> Result<Vec<Value>, String> {
    let engine = Engine::open(backend, None).map_err(|failure| failure.to_string())?;
    let source = Source::new("doctor.dsl", PROGRAM);
    let executable = engine.compile(&source, &Options::default()).map_err(|error| error.to_string())?;
    let (values, _) = executable
        .call("main", &[Value::Scalar(PrimValue::I64(POINTS))])
        .map_err(|failure| failure.to_string())?;
    Ok(values)
}
