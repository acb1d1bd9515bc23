//! Tests of nested parallelism: the outermost constructs of random programs get an attribute that asks for workgroups, for
//! full flattening, or for bins. As native code, on the machine model and on the GPU, these programs must give the same results as in the
//! interpreter.
//!
//! `cargo xtask fuzz --blocks N`, `--full N` and `--bins N` run these tests with `N` programs, and with another seed if
//! `--seed S` follows.

use ravel_abi::plan::Worker;
use ravel_base::Symbol;
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Exp, Level, Program, Segment, Stm, Var};
use ravel_driver::{Options, Passes, run_core_passes};
use ravel_kernel::Target;
use ravel_random::Case;
use ravel_random::property::{self, Counts, Violation};

use super::meaning::{
    self, answers_as_before, case, cases_with_arrays, cases_with_own_widths, exact_cases, flat, on_gpu, plan,
    run, wrong,
};
use crate::snapshots;

/// The environment variable with the number of programs.
const PROGRAMS: &str = "RAVEL_NESTS";

/// The environment variable with the seed of the programs.
const SEED: &str = "RAVEL_NESTS_SEED";

/// The attribute that asks for bins.
const BINS: &str = "flattening(bins)";

/// The number of programs in a test run if the environment variable is not set.
const DEFAULT_PROGRAMS: u64 = 160;

/// After how many programs the progress is printed.
const INTERVAL: usize = 500;

/// Gives every outermost `screma` this attribute, also those in branches and loops.
fn asking_for(attribute: &str, mut program: Program) -> Program {
    struct Asking(Symbol);
    impl VisitMut for Asking {
        fn var(&mut self, _: &mut Var) {}
        fn binder(&mut self, _: &mut Var) {}
        fn stm(&mut self, stm: &mut Stm) {
            match &stm.exp {
                Exp::Screma(_) => stm.origin.attributes = vec![self.0],
                _ => self.exp(&mut stm.exp),
            }
        }
    }
    let mut asking = Asking(Symbol::new(attribute));
    program.functions.iter_mut().for_each(|function| asking.body(&mut function.body));
    program
}

/// Counts the segments, of a program with levels, that show how its nests have been flattened.
#[derive(Default)]
struct Nests {
    /// Inner segments of several dimensions.
    in_workgroups: usize,
    /// Segments of the grid that the rule `distribute` has made.
    distributed: usize,
    /// Those among them that reduce or scan rows.
    of_rows: usize,
    /// Constructs whose points are in bins.
    in_bins: usize,
}

impl Nests {
    fn of(program: &Program) -> Nests {
        let mut nests = Nests::default();
        program.functions.iter().for_each(|function| nests.function(function));
        nests
    }
}

impl Visit for Nests {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        self.in_bins += usize::from(stm.origin.rules.contains(&"bins"));
        if let Exp::Segment(segment) = &stm.exp {
            let is_distributed = stm.origin.rules.contains(&"distribute");
            let is_mapped = segment.screma.scans.is_empty()
                && segment.screma.sinks.iter().all(|sink| *sink == ravel_core::Sink::Map);
            self.distributed += usize::from(is_distributed);
            self.of_rows += usize::from(is_distributed && !segment.outer.is_empty() && !is_mapped);
        }
        self.exp(&stm.exp);
    }

    fn segment(&mut self, segment: &Segment) {
        self.in_workgroups += usize::from(segment.level == Level::Workgroup && !segment.outer.is_empty());
        self.screma(&segment.screma);
    }
}

/// Checks that for this case native code and the machine model refine the interpreter: where it gives a result, so
/// do they, and the same one. `core` is the program of the case, with the attribute.
fn runs_without_gpu(case: &Case, core: &Program) -> Result<(), Violation> {
    let Some(kernel) = property::kernel(case, core, &mut Counts::new())? else { return Ok(()) };
    let optimised = property::optimised_kernel(kernel.clone(), Passes::all().kernel, &mut Counts::new())?;
    property::native_refines(case, &kernel, &optimised)?;
    property::model_refines(case, &optimised)
}

/// Runs random programs with this attribute everywhere. `counts` says whether the attribute had an effect on a program, given
/// its segments and whether a kernel has workgroups for points; other programs are left out. Returns the number of those that
/// have a result, and their segments.
fn run_random_programs(
    attribute: &str,
    counts: impl Fn(&Nests, bool) -> bool + Send + 'static,
) -> (u64, Nests) {
    let attribute = attribute.to_owned();
    ravel_driver::on_large_stack(move || {
        let number = |name, default| {
            std::env::var(name).map_or(default, |text| text.parse::<u64>().expect("a number"))
        };
        let (programs, seed) = (number(PROGRAMS, DEFAULT_PROGRAMS), number(SEED, meaning::SEED));
        let gpu = ravel_gpu::Gpu::open().expect("a device");
        let (mut answers, mut all) = (0, Nests::default());
        // In three of eight programs, the points compute arrays.
        let with_arrays = programs * 3 / 8;
        let cases = exact_cases(seed, programs - with_arrays).chain(cases_with_arrays(seed, with_arrays));
        let cases: Box<dyn Iterator<Item = Case>> = match attribute.as_str() {
            BINS => Box::new(cases_with_own_widths(seed, programs)),
            _ => Box::new(cases),
        };
        let report =
            |tried, answers| eprintln!("{tried} programs; {answers} have the results of the interpreter");
        for (tried, case) in cases.enumerate() {
            if tried > 0 && tried % INTERVAL == 0 {
                report(tried, answers);
            }
            let (program, args) = (case.program(), case.args());
            // Only these passes run: they remove code that no result needs, which would test nothing. The other
            // passes would fuse away most of the inner constructs.
            let core = vec![&ravel_passes::inline::PASS, &ravel_passes::simplify::PASS];
            let options =
                Options { passes: Some(Passes { core, ..Passes::default() }), ..Options::default() };
            let asking = asking_for(&attribute, program.clone());
            let simple = run_core_passes(asking, &options, &Target::GPU, None);
            let simple = simple.unwrap_or_else(|bug| wrong(&case, &bug.message));
            let nests = Nests::of(&flat(&simple, &Target::GPU));
            let Some(plan) = plan(&simple) else { continue };
            if !counts(&nests, plan.kernels.iter().any(|kernel| kernel.worker != Worker::Thread)) {
                continue;
            }
            let Ok(expected) = run(&program, "main", &args) else { continue };
            answers += 1;
            all.in_workgroups += usize::from(nests.in_workgroups > 0);
            all.distributed += usize::from(nests.distributed > 1);
            all.of_rows += usize::from(nests.of_rows > 0);
            all.in_bins += usize::from(nests.in_bins > 0);
            let found = on_gpu(&gpu, plan, &args);
            if found.as_ref() != Ok(&expected) {
                wrong(&case, &format!("{expected:?}\n{found:?}"));
            }
            runs_without_gpu(&case, &simple)
                .unwrap_or_else(|violation| wrong(&case, &format!("{}: {}", violation.by, violation.what)));
        }
        report(usize::try_from(programs).unwrap_or(usize::MAX), answers);
        (answers, all)
    })
}

#[test]
fn random_workgroups_give_the_results_of_the_interpreter() {
    let (answers, nests) = run_random_programs("flattening(block)", |_, has_workgroups| has_workgroups);
    assert!(answers > 20, "only {answers} programs with workgroups gave a result");
    let inner = nests.in_workgroups;
    assert!(inner > 15, "only {inner} of {answers} have inner segments of several dimensions");
}

#[test]
fn random_distributed_nests_give_the_results_of_the_interpreter() {
    let (answers, nests) = run_random_programs("flattening(full)", |nests, _| nests.distributed > 0);
    assert!(answers > 20, "only {answers} programs with distributed nests gave a result");
    let Nests { distributed, of_rows, .. } = nests;
    assert!(distributed > 15, "only {distributed} of {answers} have several segments");
    assert!(of_rows > 0, "only {of_rows} of {answers} reduce or scan rows");
}

#[test]
fn random_nests_in_bins_give_the_results_of_the_interpreter() {
    let (answers, _) = run_random_programs(BINS, |nests, _| nests.in_bins > 0);
    assert!(answers > 20, "only {answers} programs with bins gave a result");
}

#[test]
fn programs_with_distributed_nests_answer_as_before() {
    let (answers, distributed) = answers_if_asked("flattening(full)", |nests| nests.distributed > 0);
    assert!(answers > 100, "only {answers} calls are answered");
    assert!(distributed > 60, "only {distributed} programs have distributed nests");
}

#[test]
fn programs_with_bins_answer_as_before() {
    let (answers, in_bins) = answers_if_asked(BINS, |nests| nests.in_bins > 0);
    assert!(answers > 20, "only {answers} calls are answered");
    assert!(in_bins > 4, "only {in_bins} programs have bins");
}

/// Runs the programs of the repository with this attribute in the interpreter. `counts` says whether it had an effect on the
/// segments of a program. Returns the number of calls that are answered as before, and of such programs.
fn answers_if_asked(attribute: &str, counts: impl Fn(&Nests) -> bool + Send + 'static) -> (usize, usize) {
    let attribute = attribute.to_owned();
    ravel_driver::on_large_stack(move || {
        let (mut answers, mut programs) = (0, 0);
        for (path, source) in snapshots::programs() {
            let case = case(&path, &source);
            let core = run_core_passes(case.program.clone(), &Options::default(), &Target::GPU, None);
            let core = core.unwrap_or_else(|bug| panic!("{}: {}", case.name, bug.message));
            let core = flat(&asking_for(&attribute, core), &Target::GPU);
            if counts(&Nests::of(&core)) {
                programs += 1;
                for (entry, args) in &case.calls {
                    answers += usize::from(answers_as_before(&case, &core, entry, args));
                }
            }
        }
        (answers, programs)
    })
}
