//! Random thread bodies: without vectors and in vectors of every size that this processor has, they compute what the machine
//! model computes from kernel IR, bit for bit, and fail with the same messages.
//!
//! `cargo xtask fuzz --lanes N` runs this test with optimisation on `N` bodies. Variables of the environment tell it which.

#![expect(clippy::disallowed_types, reason = "says how many bodies run in a second")]

use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ravel_abi::{Array, Blob, Data, Failure, Value};
use ravel_cpu::Program;
use ravel_kernel::{MemProgram, Target, parse};
use ravel_native::Choice;
use ravel_vector::random;
use ravel_x86::Extension;

use crate::{bits, options, vector};

/// The environment variables with the number of bodies, the number of the first one, and the seed.
const VARIABLES: [&str; 3] = ["RAVEL_BODIES", "RAVEL_BODIES_FIRST", "RAVEL_BODIES_SEED"];

/// Their values in an ordinary test run.
const DEFAULTS: [u64; 3] = [320, 0, 1];

/// The generators, which take turns.
const GENERATORS: [(&str, fn(u64) -> String); 5] = [
    ("program", random::program),
    ("reduction", random::reduction),
    ("scan", random::scan),
    ("borders", random::borders),
    ("alike", random::alike),
];

/// The time between two reports of the progress.
const PAUSE: Duration = Duration::from_secs(10);

/// What some bodies did.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    bodies: usize,
    failed: usize,
    /// The bodies that the machine model ran.
    interpreted: usize,
    /// The bodies with vectors of 128, 256 and 512 bits.
    in_vectors: [usize; 3],
    /// The bodies that compute a NaN whose bits depend on the size of vectors.
    other_nans: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.bodies += other.bodies;
        self.failed += other.failed;
        self.interpreted += other.interpreted;
        self.other_nans += other.other_nans;
        for (count, more) in self.in_vectors.iter_mut().zip(other.in_vectors) {
            *count += more;
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { bodies, failed, interpreted, in_vectors: [small, medium, large], other_nans } = self;
        write!(
            f,
            "{bodies} bodies: {small} ran in vectors of 128 bits, {medium} of 256, {large} of 512; \
             {interpreted} on the machine model; {failed} failed as they should; \
             in {other_nans}, the bits of a NaN depend on the vectors"
        )
    }
}

/// The vectors of this processor for which there is an emitter.
fn sizes(features: &[String]) -> impl Iterator<Item = u32> {
    let has = |extension: Extension| {
        extension.features().iter().all(|name| features.iter().any(|feature| feature == name))
    };
    let extensions = [Extension::Avx2, Extension::Avx512];
    std::iter::once(128).chain(extensions.map(|extension| if has(extension) { extension.bits() } else { 0 }))
}

fn verified(text: &str, vector_bits: u32) -> Result<MemProgram, String> {
    let program = parse(text).map_err(|error| error.to_string())?;
    MemProgram::verify(program, &Target { vector_bits, ..Target::CPU }).map_err(|error| error.to_string())
}

fn compile(text: &str, vector_bits: u32) -> Result<Blob, String> {
    let program = verified(text, vector_bits)?;
    ravel_native::compile(&program, Choice::Always, &|_| String::new()).map_err(|bug| bug.message)
}

fn call(blob: Blob, xs: &Value) -> Result<Result<Vec<Value>, Failure>, String> {
    let program = Program::load(blob).map_err(|failure| failure.to_string())?;
    Ok(program.call("f", std::slice::from_ref(xs), &options(2)).map(|(values, _)| values))
}

/// The result on the machine model, which interprets kernel IR.
fn interpret(text: &str, xs: &Value) -> Result<Result<Vec<Value>, Failure>, String> {
    let program = verified(text, 1)?;
    let device = ravel_model::Device { f64_slots: Some(2), ..ravel_model::DEVICES[0] };
    let tuning = ravel_abi::Tuning::default();
    let options =
        ravel_model::Options { device: &device, tuning: &tuning, stop: None, private_limit: 1 << 30 };
    let entry = program.entries[0].name;
    let args = std::slice::from_ref(xs);
    let found = ravel_model::run(&program, entry, &[random::POINTS], args, options, &|_| String::new());
    Ok(found.map(|outcome| outcome.results))
}

/// The same result with one NaN for all, since the language does not say which bits a NaN has.
fn with_one_nan(mut result: Result<Vec<Value>, Failure>) -> Result<Vec<Value>, Failure> {
    for value in result.iter_mut().flatten() {
        match value {
            Value::Array(Array { data: Data::F64(elements), .. }) => {
                elements.iter_mut().filter(|element| element.is_nan()).for_each(|nan| *nan = f64::NAN);
            }
            Value::Array(Array { data: Data::F32(elements), .. }) => {
                elements.iter_mut().filter(|element| element.is_nan()).for_each(|nan| *nan = f32::NAN);
            }
            _ => {}
        }
    }
    result
}

/// Runs a body in vectors of all sizes.
fn check(name: &str, text: &str, xs: &Value) -> Result<Counts, String> {
    let scalar = compile(text, 1)?;
    let (code, features) = (scalar.code.clone(), scalar.features.clone());
    let points = call(scalar, xs)?;
    let mut counts = Counts { bodies: 1, failed: usize::from(points.is_err()), ..Counts::default() };
    let exact = bits(&points);
    let points = with_one_nan(points);
    let expected = bits(&points);
    for (place, size) in sizes(&features).enumerate().filter(|&(_, size)| size > 0) {
        let blob = compile(text, size)?;
        let in_functions = blob.strips.iter().flat_map(|strip| &strip.versions).any(|version| match size {
            512 => version.features.iter().any(|feature| feature == "has_avx512f"),
            _ => true,
        });
        let in_vectors = if size == 128 { blob.code != code } else { in_functions };
        counts.in_vectors[place] += usize::from(in_vectors);
        let found = call(blob, xs)?;
        counts.other_nans |= usize::from(bits(&found) != exact);
        if bits(&with_one_nan(found)) != expected {
            return Err(format!("vectors of {size} bits compute something else than single points"));
        }
    }
    if depends_on_order(text) {
        return Ok(counts);
    }
    counts.interpreted = 1;
    let (mut points, mut interpreted) = (points, with_one_nan(interpret(text, xs)?));
    if ["reduction", "scan"].contains(&name) {
        // The model combines points in another order, and with other numbers of neutral elements, which are any constants.
        [&mut points, &mut interpreted].into_iter().flatten().for_each(|values| values.truncate(1));
    }
    match (&interpreted, &points) {
        (Err(Failure::Program { .. }), Err(Failure::Program { .. })) => Ok(counts),
        (Ok(_), Ok(_)) if bits(&interpreted) == bits(&points) => Ok(counts),
        (Err(failure), _) => Err(format!("the machine model fails: {failure}")),
        (Ok(_), Err(failure)) => Err(format!("native code fails, and the machine model does not: {failure}")),
        (Ok(_), Ok(_)) => Err("single points compute something else than the machine model".to_owned()),
    }
}

/// Whether all results depend on an order that the model does not have: that of strands in the loops of points which reduce
/// floats, or that of the chunks whose prefixes are taken.
fn depends_on_order(text: &str) -> bool {
    [") reduce at: i64", " finish ("].iter().any(|form| text.contains(form))
}

/// The text of a body, and the name of its generator. The numbers of the seeds are far apart.
fn body(number: u64, seed: u64) -> (&'static str, String) {
    let (name, generate) = GENERATORS[(number % GENERATORS.len() as u64) as usize];
    let place = number / GENERATORS.len() as u64;
    (name, generate(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(place)))
}

#[test]
#[expect(clippy::disallowed_macros, reason = "shows the progress, and what ran")]
#[expect(clippy::disallowed_methods, reason = "the command sets the number of bodies in the environment")]
fn random_bodies_compute_the_same_in_lanes() {
    let mut settings = VARIABLES.iter().zip(DEFAULTS).map(|(name, default)| {
        std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
    });
    let [number, first, seed] = [(); 3].map(|()| settings.next().expect("three"));
    let end = first.saturating_add(number);
    let elements = (0..random::POINTS).map(|at| (at * 37 % 23) as f64 - 11.5).collect();
    let xs = vector(Data::F64(elements));
    let (next, last) = (AtomicU64::new(first), AtomicU64::new(end));
    let start = Instant::now();
    let state = Mutex::new((Counts::default(), start, None::<(u64, String)>));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last.load(Ordering::Relaxed) {
                return;
            }
            let (name, text) = body(number, seed);
            let outcome = check(name, &text, &xs);
            let (counts, shown, wrong) = &mut *state.lock().unwrap_or_else(PoisonError::into_inner);
            match outcome {
                Ok(more) => *counts += more,
                Err(what) if wrong.as_ref().is_none_or(|(known, _)| number < *known) => {
                    // Bodies before this one may still be wrong.
                    last.fetch_min(number, Ordering::Relaxed);
                    *wrong = Some((number, format!("{what}:\n{text}")));
                }
                Err(_) => {}
            }
            if shown.elapsed() > PAUSE {
                *shown = Instant::now();
                println!("{counts}, {:.0} in a second", rate(counts, start.elapsed()));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let (counts, _, wrong) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{counts}, {:.0} in a second", rate(&counts, start.elapsed()));
    if let Some((number, what)) = wrong {
        panic!(
            "body {number} is wrong: {what}\n\
             to see it again: cargo xtask fuzz --lanes 1 --first {number} --seed {seed}"
        );
    }
    for (size, in_vectors) in [128, 256, 512].into_iter().zip(counts.in_vectors) {
        match in_vectors {
            0 => println!("vectors of {size} bits did not run: this processor lacks them"),
            _ => assert!(in_vectors * 2 > counts.bodies || number < 100, "too few in {size} bits: {counts}"),
        }
    }
    assert!(counts.failed * 5 < counts.bodies || number < 100, "too many fail: {counts}");
}

fn rate(counts: &Counts, time: Duration) -> f64 {
    counts.bodies as f64 / time.as_secs_f64().max(1e-9)
}
