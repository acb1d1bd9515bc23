//! The property: optimisation refines. If the interpreter gives a result, the optimised program gives the same
//! result, bit for bit (all NaNs are equal). If the interpreter fails, the optimised program may fail in another
//! way or not at all, since a failure whose result is unused may be dropped. A program in which every check is
//! needed ([`crate::ProgramOptions::needs_checks`]) must fail as well.

use std::collections::BTreeMap;

use ravel_abi::{Failure, Hardware, Tuning, Value};
use ravel_core::Program;
use ravel_driver::{Kind, Options, Passes, run_core_passes, run_kernel_passes};
use ravel_kernel::{MemProgram, Target};
use ravel_model::{DEVICES, Device};
use ravel_native::Choice;
use ravel_passes::{Event, KernelPass, LAST, flatten, layout, to_kernel};

use crate::case::Case;

/// The entry point of random programs.
const MAIN: &str = "main";

/// Programs that take more steps are skipped: with nested loops some would run for years.
pub const MAX_STEPS: u64 = 100_000;

/// The factor by which an optimised program may take more steps than the original. Most take fewer, but chunk sizes
/// differ, and fused constructs may compute a value twice.
const MAX_STEP_RATIO: u64 = 20;

/// The limit in bytes on the private arrays of points: so low that points with arrays of their own run in batches.
const PRIVATE_LIMIT: i64 = 100;

/// A device on which a few points fill several subgroups.
pub const DEVICE: Device = Device { target: &SMALL, f64_slots: Some(2), ..DEVICES[0] };

const SMALL: Target = Target {
    subgroup: 4,
    workgroup: 8,
    hardware: Hardware { memory_bytes: Some(1 << 26), ..Hardware::UNKNOWN },
    ..Target::GPU
};

/// The number of firings of each rule.
pub type Counts = BTreeMap<&'static str, u64>;

/// A violation of the property.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The name of the pass, or `the pipeline`.
    pub by: String,
    /// A description.
    pub what: String,
}

/// The interpreter's result as text, in which all NaNs are equal.
pub fn run(
    program: &Program,
    entry: &str,
    args: &[Value],
    tuning: &Tuning,
    chunk: usize,
) -> Result<String, Failure> {
    run_within(None, program, entry, args, tuning, chunk)
}

/// [`run`] with a limit on the steps.
fn run_within(
    max_steps: Option<u64>,
    program: &Program,
    entry: &str,
    args: &[Value],
    tuning: &Tuning,
    chunk: usize,
) -> Result<String, Failure> {
    let tuning = Some(tuning);
    let mut options = ravel_interp::Options { max_steps, tuning, ..ravel_interp::Options::default() };
    options.chunks.usual = chunk;
    let values = ravel_interp::run(program, entry.into(), args, options, &|_| String::new())?;
    Ok(ravel_abi::write_text(&values))
}

/// Whether `found` refines `expected`.
pub fn refines(
    by: &str,
    expected: &Result<String, Failure>,
    found: Result<String, Failure>,
) -> Result<(), Violation> {
    match (expected, found) {
        (Ok(expected), Ok(found)) if *expected == found => Ok(()),
        (Ok(expected), found) => {
            let found = found.unwrap_or_else(|failure| failure.to_string());
            Err(Violation { by: by.to_owned(), what: format!("expected\n{expected}\nfound\n{found}") })
        }
        // A bug in the compiler is wrong even if the program may fail.
        (Err(_), Err(Failure::Bug(bug))) => Err(Violation { by: by.to_owned(), what: bug }),
        (Err(_), _) => Ok(()),
    }
}

/// Whether `found` refines `expected`, and also fails if the case needs every check.
fn follows(
    case: &Case,
    by: &str,
    expected: &Result<String, Failure>,
    found: Result<String, Failure>,
) -> Result<(), Violation> {
    match (expected, &found) {
        (Err(failure), Ok(found)) if case.options.needs_checks => {
            let what = format!("expected the failure\n{failure}\nfound\n{found}");
            Err(Violation { by: by.to_owned(), what })
        }
        _ => refines(by, expected, found),
    }
}

fn count(events: &[Event], counts: &mut Counts) {
    for event in events.iter().filter(|event| event.refused.is_none()) {
        *counts.entry(event.rule).or_default() += 1;
    }
}

/// Optimises the program and verifies it after every pass.
fn optimised(
    program: &Program,
    options: &Options,
    target: &Target,
    by: &str,
    counts: &mut Counts,
) -> Result<Program, Violation> {
    let done =
        run_core_passes(program.clone(), options, target, Some(&mut |done| count(&done.events, counts)));
    done.map_err(|bug| Violation { by: by.to_owned(), what: bug.message })
}

/// The rules that still fire when an optimised program is optimised again. The last pass is left out, because it
/// assumes that the others have finished.
///
/// # Errors
/// The message of a bug in the compiler.
pub fn fires_again(program: &Program, target: &Target) -> Result<Counts, String> {
    let (mut left, mut counts) = (None, Counts::new());
    let first = run_core_passes(
        program.clone(),
        &Options::default(),
        target,
        Some(&mut |done| {
            if done.pass.name == LAST {
                left = Some(done.before.clone());
            }
        }),
    );
    first.map_err(|bug| bug.message)?;
    let left = left.ok_or("the last pass did not run")?;
    let again = run_core_passes(
        Program::clone(&left),
        &Options::default(),
        target,
        Some(&mut |done| {
            if done.pass.name != LAST {
                count(&done.events, &mut counts);
            }
        }),
    );
    again.map_err(|bug| bug.message)?;
    Ok(counts)
}

/// Runs each pass alone, the pipeline with limited fuel, and the whole pipeline, which must change nothing when it runs
/// again. Returns `None` if the program takes too many steps, or if an optimised version does, which may have dropped
/// the failure that ended the program early.
pub fn passes_refine(case: &Case, counts: &mut Counts) -> Result<Option<Program>, Violation> {
    let (program, args, tuning, target) = (case.program(), case.args(), case.tuning(), target(case));
    let invalid = |what: String| Violation { by: "the generator".to_owned(), what };
    ravel_core::verify(&program).map_err(|wrong| invalid(wrong.to_string()))?;
    let expected = run_within(Some(MAX_STEPS), &program, MAIN, &args, &tuning, 5);
    match &expected {
        Err(Failure::Bug(bug)) => return Err(invalid(bug.clone())),
        Err(failure) if *failure == Failure::stopped() => return Ok(None),
        _ => {}
    }
    let max_steps = Some(MAX_STEPS * MAX_STEP_RATIO);
    let run = |core: &Program, chunk| run_within(max_steps, core, MAIN, &args, &tuning, chunk);
    let chunk = 1 + (case.seed % 4) as usize;
    for pass in Passes::all().core {
        let passes = Passes { core: vec![pass], ..Passes::default() };
        let options = Options { passes: Some(passes), ..Options::default() };
        let found = optimised(&program, &options, &target, pass.name, counts)?;
        follows(case, pass.name, &expected, run(&found, chunk))?;
    }
    let options = Options { fuel: case.seed % 61, ..Options::default() };
    let partly = optimised(&program, &options, &target, "the pipeline", &mut Counts::new())?;
    let by = format!("the pipeline with fuel {}", options.fuel);
    follows(case, &by, &expected, run(&partly, 5))?;
    let core = optimised(&program, &Options::default(), &target, "the pipeline", counts)?;
    let found = run(&core, chunk);
    let is_too_long = matches!(&found, Err(failure) if *failure == Failure::stopped());
    follows(case, "the pipeline", &expected, found)?;
    let again =
        fires_again(&program, &target).map_err(|what| Violation { by: "the pipeline".to_owned(), what })?;
    match again.is_empty() {
        true => Ok((!is_too_long).then_some(core)),
        false => {
            let what = format!("rules fire on what the pipeline has finished: {again:?}");
            Err(Violation { by: "the pipeline".to_owned(), what })
        }
    }
}

/// A target for which a few points are many. Every other one has the restrictions of GPUs, so that code for GPUs can be
/// run here, many times faster.
fn target(case: &Case) -> Target {
    let small = Target {
        min_chunk: 1,
        stream_chunk: 2,
        histogram_parts: 3,
        histogram_points: 1,
        histogram_spread: 8,
        // Both versions of a nest run.
        outer_points: if (case.seed >> 9).is_multiple_of(4) { 4 } else { 0 },
        inner_points: 3,
        // Some arrays are transposed, and smaller ones are not.
        transposed_bytes: 64,
        ..Target::CPU
    };
    match (case.seed >> 8).is_multiple_of(2) {
        true => small,
        false => Target {
            host_elements: false,
            coalesces: true,
            thread_allocation: false,
            calls: false,
            private_capacity: 8,
            histogram_passes: 2,
            workgroup_bytes: Some(1 << 16),
            ..small
        },
    }
}

/// The kernel IR of an optimised program; `None` if it meets a limitation.
pub fn kernel(case: &Case, core: &Program, counts: &mut Counts) -> Result<Option<MemProgram>, Violation> {
    let wrong = |what: String| Violation { by: "kernel IR".to_owned(), what };
    let target = target(case);
    let passes = Some(Passes { core: vec![&flatten::PASS, &layout::PASS], ..Passes::default() });
    let options = Options { passes, ..Options::default() };
    let flat = optimised(core, &options, &target, flatten::PASS.name, counts)?;
    match to_kernel(&flat, &target) {
        Ok(kernel) => MemProgram::verify(kernel, &target).map(Some).map_err(|fault| wrong(fault.to_string())),
        Err(limit) if matches!(limit.kind, Kind::Limitation(_)) => Ok(None),
        Err(bug) => Err(wrong(bug.message)),
    }
}

/// The kernel IR after these passes. It is verified after each.
pub fn optimised_kernel(
    kernel: MemProgram,
    passes: Vec<&'static KernelPass>,
    counts: &mut Counts,
) -> Result<MemProgram, Violation> {
    let passes = Some(Passes { kernel: passes, ..Passes::default() });
    let options = Options { passes, ..Options::default() };
    let done = run_kernel_passes(kernel, &options, Some(&mut |done| count(&done.events, counts)));
    done.map_err(|bug| Violation { by: "kernel IR".to_owned(), what: bug.message })
}

/// Native code refines the interpreter, after all passes over kernel IR and after each single pass that fires.
pub fn native_refines(case: &Case, kernel: &MemProgram, optimised: &MemProgram) -> Result<(), Violation> {
    let expected = run_within(Some(MAX_STEPS), &case.program(), MAIN, &case.args(), &case.tuning(), 5);
    code_refines(case, "native code", &expected, optimised, Choice::ByCost)?;
    code_refines(case, "native code in lanes", &expected, optimised, Choice::Always)?;
    for &pass in &Passes::all().kernel {
        let mut counts = Counts::new();
        let alone = optimised_kernel(kernel.clone(), vec![pass], &mut counts)?;
        if !counts.is_empty() {
            let by = format!("native code after {} alone", pass.name);
            code_refines(case, &by, &expected, &alone, Choice::ByCost)?;
        }
    }
    Ok(())
}

/// The machine model refines the interpreter, and finds no race and no read of what was never written.
pub fn model_refines(case: &Case, optimised: &MemProgram) -> Result<(), Violation> {
    let by = "the machine model";
    let wrong = |what: String| Violation { by: by.to_owned(), what };
    let expected = run_within(Some(MAX_STEPS), &case.program(), MAIN, &case.args(), &case.tuning(), 5);
    let entry = optimised.entries.iter().find(|entry| entry.name.as_str() == MAIN);
    let entry = entry.ok_or_else(|| wrong("there is no entry point".to_owned()))?;
    let sizes = optimised.signature(entry).bind_sizes(&case.args());
    let sizes = sizes.map_err(|failure| wrong(failure.to_string()))?;
    let tuning = case.tuning();
    let options =
        ravel_model::Options { device: &DEVICE, tuning: &tuning, stop: None, private_limit: PRIVATE_LIMIT };
    let found = ravel_model::run(optimised, entry.name, &sizes, &case.args(), options, &|_| String::new());
    follows(case, by, &expected, found.map(|outcome| ravel_abi::write_text(&outcome.results)))
}

fn code_refines(
    case: &Case,
    by: &str,
    expected: &Result<String, Failure>,
    kernel: &MemProgram,
    choice: Choice,
) -> Result<(), Violation> {
    let wrong = |what: String| Violation { by: by.to_owned(), what };
    let blob = ravel_native::compile(kernel, choice, &|_| String::new()).map_err(|bug| wrong(bug.message))?;
    let mut code = ravel_cpu::Program::load(blob).map_err(|failure| wrong(failure.to_string()))?;
    code.tune(&case.tuning());
    let options = ravel_cpu::Options { private_limit: PRIVATE_LIMIT as u64, ..ravel_cpu::Options::default() };
    let found = code.call(MAIN, &case.args(), &options).map(|(values, _)| ravel_abi::write_text(&values));
    follows(case, by, expected, found)
}
