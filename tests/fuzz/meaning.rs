//! Semantics: passes preserve results, for any amount of fuel; a second run of the optimiser changes nothing;
//! compiled code refines the interpreter.
//!
//! If a program fails, its optimised form may fail in another way or not at all: a failure whose
//! result is unused may be dropped. Otherwise the optimised form gives the same result, bit
//! for bit (but all NaNs are equal). The exception is a program with streams: the chunks and so the order of float
//! additions are not specified, and results agree up to rounding.

use std::sync::Arc;

use ravel_abi::plan::Plan;
use ravel_abi::{Failure, Value, approx_equal};
use ravel_core::visit::Visit;
use ravel_core::{Program, Stm, Stream, Var};
use ravel_driver::{Kind, Options, Passes, Source, run_core_passes, run_kernel_passes};
use ravel_kernel::{MemProgram, Target};
use ravel_random::ProgramOptions;
use ravel_random::property::{Counts, fires_again};
use ravel_random::search::{numbered, reading, search};
use ravel_random::test_calls::{self, Call};

use super::text;
use crate::snapshots;

/// The seed of the random programs of every test run.
pub(super) const SEED: u64 = 7;

/// The maximum number of steps of a call. Without the tuning file beside its program, which these tests do not read,
/// a call may run for ever.
const MAX_STEPS: u64 = 5_000_000;

/// The relative tolerance for sums of the same floats in different orders.
const ROUNDING: f64 = 1e-12;

/// A program and the calls in its test block.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) program: Program,
    pub(super) calls: Vec<Call>,
}

pub(super) fn case(path: &std::path::Path, source: &Source) -> Case {
    let program = ravel_driver::lowered_core(source, &Default::default()).expect("it compiles");
    let calls = test_calls::calls(path, source, &program).expect("calls that can be read");
    Case { name: snapshots::name(path), program, calls }
}

pub(super) fn run(program: &Program, entry: &str, args: &[Value]) -> Result<Vec<Value>, Failure> {
    run_within(u64::MAX, program, entry, args)
}

/// [`run`], stopped after this many steps.
fn run_within(max_steps: u64, program: &Program, entry: &str, args: &[Value]) -> Result<Vec<Value>, Failure> {
    let options = ravel_interp::Options { max_steps: Some(max_steps), ..Default::default() };
    ravel_interp::run(program, entry.into(), args, options, &|_| String::new())
}

/// Optimises with this fuel; the program is verified and printed and parsed back after every pass.
fn optimised(program: &Program, fuel: u64, target: &Target, name: &str) -> Program {
    let options = Options { fuel, ..Options::default() };
    let optimised = run_core_passes(
        program.clone(),
        &options,
        target,
        Some(&mut |done| {
            text::core_reads_back(&done.program, &format!("{name} after {}", done.pass.name));
        }),
    );
    optimised.unwrap_or_else(|bug| panic!("{name}, fuel {fuel}: {}", bug.message))
}

/// Whether a program has streams.
fn has_streams(program: &Program) -> bool {
    struct Streams(bool);
    impl Visit for Streams {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stream(&mut self, _: &Stream) {
            self.0 = true;
        }
    }
    let mut streams = Streams(false);
    program.functions.iter().for_each(|function| streams.function(function));
    streams.0
}

/// Whether points of the program are in bins, where reductions combine in another order.
fn has_bins(program: &Program) -> bool {
    struct Search(bool);
    impl Visit for Search {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            self.0 |= stm.origin.rules.contains(&"bins");
            self.exp(&stm.exp);
        }
    }
    let mut search = Search(false);
    program.functions.iter().for_each(|function| search.function(function));
    search.0
}

fn agree_but_for_rounding(expected: &[Value], found: &[Value]) -> bool {
    let pair = |(a, b)| approx_equal(a, b, ROUNDING).is_ok();
    expected.len() == found.len() && expected.iter().zip(found).all(pair)
}

/// Checks that the program `core`, made from that of the case, gives the same result. Returns whether there is a result.
pub(super) fn answers_as_before(case: &Case, core: &Program, entry: &str, args: &[Value]) -> bool {
    let Ok(expected) = run_within(MAX_STEPS, &case.program, entry, args) else { return false };
    let found = run(core, entry, args);
    let agree = |found: &Vec<Value>| agree_but_for_rounding(&expected, found);
    let may_round = has_streams(&case.program) || has_bins(core);
    if !(may_round && found.as_ref().is_ok_and(agree)) {
        // Compared as text, in which all NaNs are equal.
        let text = |values: Vec<Value>| ravel_abi::write_text(&values);
        assert_eq!(found.map(text), Ok(text(expected)), "{} {entry}", case.name);
    }
    true
}

#[test]
fn optimised_programs_answer_as_before() {
    ravel_driver::on_large_stack(|| {
        let mut answers = 0;
        for (path, source) in snapshots::programs() {
            let case = case(&path, &source);
            let core = optimised(&case.program, u64::MAX, &Target::CPU, &case.name);
            assert_eq!(fires_again(&case.program, &Target::CPU), Ok(Counts::new()), "{}", case.name);
            for (entry, args) in &case.calls {
                answers += usize::from(answers_as_before(&case, &core, entry, args));
            }
        }
        assert!(answers > 50, "only {answers} calls are answered");
    });
}

#[test]
fn wherever_the_fuel_ends_there_is_a_program_with_the_same_answers() {
    ravel_driver::on_large_stack(|| {
        for name in ["stages/scans/prefix-sums.dsl", "run/control/loops.dsl"] {
            let path = snapshots::root().join(name);
            let case = case(&path, &Source::new(name, snapshots::text(&path)));
            for fuel in 0..=30 {
                let core = optimised(&case.program, fuel, &Target::CPU, name);
                for (entry, args) in &case.calls {
                    let expected = run(&case.program, entry, args);
                    assert_eq!(run(&core, entry, args), expected, "{name} {entry}, fuel {fuel}");
                }
            }
        }
    });
}

/// The launch plan for a GPU; `None` for a limitation.
pub(super) fn plan(program: &Program) -> Option<Plan> {
    let kernel = kernel(program, &Target::GPU)?;
    Some(ravel_wgsl::compile(&kernel, &|_| String::new()).expect("a launch plan"))
}

/// The results on a GPU.
pub(super) fn on_gpu(gpu: &ravel_gpu::Gpu, plan: Plan, args: &[Value]) -> Result<Vec<Value>, Failure> {
    let code = gpu.load(plan).expect("a plan that loads");
    code.call("main", args, Arc::default(), None).map(|(results, _)| results)
}

/// An optimised program with its segments.
pub(super) fn flat(program: &Program, target: &Target) -> Program {
    let core = vec![&ravel_passes::bins::PASS, &ravel_passes::flatten::PASS, &ravel_passes::layout::PASS];
    let passes = Passes { core, ..Passes::default() };
    let options = Options { passes: Some(passes), ..Options::default() };
    let flat = run_core_passes(program.clone(), &options, target, None);
    flat.unwrap_or_else(|bug| panic!("{}\n{}", bug.message, ravel_core::print(program)))
}

/// The optimised kernel IR of a program, verified and parsed back after each pass; `None` for a limitation.
fn kernel(program: &Program, target: &Target) -> Option<MemProgram> {
    let flat = flat(program, target);
    text::core_reads_back(&flat, "a random program");
    match ravel_passes::to_kernel(&flat, target) {
        Ok(kernel) => {
            text::kernel_reads_back(&kernel, "a random program");
            let verified = MemProgram::verify(kernel, target);
            let kernel = verified.unwrap_or_else(|wrong| panic!("{wrong}\n{}", ravel_core::print(program)));
            let done = run_kernel_passes(
                kernel,
                &Options::default(),
                Some(&mut |done| {
                    text::kernel_reads_back(&done.program, done.pass.name);
                }),
            );
            Some(done.unwrap_or_else(|bug| panic!("{}\n{}", bug.message, ravel_core::print(program))))
        }
        Err(wrong) => {
            let limited = matches!(wrong.kind, Kind::Limitation(_));
            assert!(limited, "{}\n{}", wrong.message, ravel_core::print(program));
            None
        }
    }
}

/// Random programs of this seed whose results are the same on every machine.
pub(super) fn exact_cases(seed: u64, count: u64) -> impl Iterator<Item = ravel_random::Case> {
    let options = ProgramOptions { exact: true, ..ProgramOptions::default() };
    (0..count).map(move |index| ravel_random::Case::numbered(seed, index, options))
}

/// Random programs of this seed, without floats, whose points compute arrays.
pub(super) fn cases_with_arrays(seed: u64, count: u64) -> impl Iterator<Item = ravel_random::Case> {
    let options = ProgramOptions { exact: true, computes_arrays: true, ..ProgramOptions::default() };
    (0..count).map(move |index| ravel_random::Case::numbered(seed, index, options))
}

/// Random programs of this seed, without floats, whose points have arrays of their own width.
pub(super) fn cases_with_own_widths(seed: u64, count: u64) -> impl Iterator<Item = ravel_random::Case> {
    let options = ProgramOptions { exact: true, own_widths: true, ..ProgramOptions::default() };
    (0..count).map(move |index| ravel_random::Case::numbered(seed, index, options))
}

/// Fails the test with a wrong case.
pub(super) fn wrong(case: &ravel_random::Case, what: &str) -> ! {
    panic!("{}\n{:?}\n{what}", ravel_core::print(&case.program()), case.args());
}

#[test]
fn random_programs_keep_their_meaning() {
    ravel_driver::on_large_stack(|| {
        let found = search(numbered, SEED, 0..300, true, &mut |_| {}).err();
        assert!(found.is_none(), "{}", found.expect("a case"));
    });
}

#[test]
fn reads_out_of_bounds_fail_after_every_pass() {
    ravel_driver::on_large_stack(|| {
        let found = search(reading, SEED, 0..300, true, &mut |_| {}).err();
        assert!(found.is_none(), "{}", found.expect("a case"));
        let answers = |case: ravel_random::Case| run(&case.program(), "main", &case.args()).is_ok();
        let answering = (0..300).filter(|&index| answers(reading(SEED, index))).count();
        assert!((30..270).contains(&answering), "{answering} of 300 programs run");
    });
}

#[test]
fn random_programs_read_back() {
    ravel_driver::on_large_stack(|| {
        for index in 0..100 {
            let program = numbered(SEED, index).program();
            text::core_reads_back(&program, "a random program");
            let core = optimised(&program, u64::MAX, &Target::CPU, "a random program");
            if let Some(kernel) = kernel(&core, &Target::CPU) {
                text::kernel_reads_back(&kernel, "a random program");
            }
        }
    });
}

#[test]
fn random_programs_on_a_gpu_answer_as_the_interpreter() {
    ravel_driver::on_large_stack(|| {
        let gpu = ravel_gpu::Gpu::open().expect("a device");
        let mut answers = 0;
        for case in exact_cases(SEED, 40) {
            let (program, args) = (case.program(), case.args());
            let core = optimised(&program, u64::MAX, &Target::GPU, "a random program");
            let Ok(expected) = run(&program, "main", &args) else { continue };
            if let Some(plan) = plan(&core) {
                answers += 1;
                let found = on_gpu(&gpu, plan, &args);
                if found.as_ref() != Ok(&expected) {
                    wrong(&case, &format!("{expected:?}\n{found:?}"));
                }
            }
        }
        assert!(answers > 10, "only {answers} programs are answered");
    });
}
