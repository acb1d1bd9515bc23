//! Tests of workgroups: the outermost constructs of random programs get the attribute `#[flattening(block)]`. As
//! native code, on the machine model and on the GPU, these programs must give the same results as in the
//! interpreter.
//!
//! `cargo xtask fuzz --blocks N` runs this test with `N` programs.

use ravel_abi::plan::Worker;
use ravel_base::Symbol;
use ravel_core::visit::Visit;
use ravel_core::{Exp, Level, Program, Segment, Var};
use ravel_driver::{Options, Passes, run_core_passes};
use ravel_kernel::Target;
use ravel_random::Case;
use ravel_random::property::{self, Counts, Violation};

use super::meaning::{cases_with_arrays, exact_cases, flat, on_gpu, plan, run, wrong};

/// The environment variable with the number of programs.
const PROGRAMS: &str = "RAVEL_BLOCKS";

/// The number of programs in a test run if the environment variable is not set.
const DEFAULT_PROGRAMS: u64 = 160;

/// After how many programs the progress is printed.
const INTERVAL: usize = 500;

/// Gives every `screma` that is directly in the body of a function the attribute that requests a workgroup.
fn asking_for_blocks(mut program: Program) -> Program {
    let bodies = program.functions.iter_mut().map(|function| &mut function.body);
    for stm in bodies.flat_map(|body| &mut body.stms) {
        if let Exp::Screma(_) = stm.exp {
            stm.origin.attributes = vec![Symbol::new("flattening(block)")];
        }
    }
    program
}

/// Whether a workgroup of the program has an inner segment of several dimensions.
fn has_inner_nest(program: &Program) -> bool {
    struct Search(bool);
    impl Visit for Search {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn segment(&mut self, segment: &Segment) {
            self.0 |= segment.level == Level::Workgroup && !segment.outer.is_empty();
            self.screma(&segment.screma);
        }
    }
    let mut search = Search(false);
    program.functions.iter().for_each(|function| search.function(function));
    search.0
}

/// Checks that for this case native code and the machine model refine the interpreter: where it gives a result, so
/// do they, and the same one. `core` is the program of the case, with workgroups.
fn runs_without_gpu(case: &Case, core: &Program) -> Result<(), Violation> {
    let Some(kernel) = property::kernel(case, core)? else { return Ok(()) };
    let optimised = property::optimised_kernel(kernel.clone(), Passes::all().kernel, &mut Counts::new())?;
    property::native_refines(case, &kernel, &optimised)?;
    property::model_refines(case, &optimised)
}

#[test]
fn random_workgroups_give_the_results_of_the_interpreter() {
    ravel_driver::on_large_stack(|| {
        let programs =
            std::env::var(PROGRAMS).map_or(DEFAULT_PROGRAMS, |number| number.parse().expect("a number"));
        let gpu = ravel_gpu::Gpu::open().expect("a device");
        let (mut answers, mut nests) = (0, 0);
        // In three of eight programs, the points compute arrays.
        let with_arrays = programs * 3 / 8;
        let cases = exact_cases(programs - with_arrays).chain(cases_with_arrays(with_arrays));
        for (tried, case) in cases.enumerate() {
            if tried > 0 && tried % INTERVAL == 0 {
                report(tried, answers);
            }
            let (program, args) = (case.program(), case.args());
            // Only these passes run: they remove code that no result needs, which would test nothing. The other
            // passes would fuse away most of the constructs inside workgroups.
            let core = vec![&ravel_passes::inline::PASS, &ravel_passes::simplify::PASS];
            let options =
                Options { passes: Some(Passes { core, ..Passes::default() }), ..Options::default() };
            let asking = asking_for_blocks(program.clone());
            let simple = run_core_passes(asking, &options, &Target::GPU, None);
            let simple = simple.unwrap_or_else(|bug| wrong(&case, &bug.message));
            let Some(plan) = plan(&simple) else { continue };
            if plan.kernels.iter().all(|kernel| kernel.worker == Worker::Thread) {
                continue;
            }
            let Ok(expected) = run(&program, "main", &args) else { continue };
            answers += 1;
            nests += usize::from(has_inner_nest(&flat(&simple, &Target::GPU)));
            let found = on_gpu(&gpu, plan, &args);
            if found.as_ref() != Ok(&expected) {
                wrong(&case, &format!("{expected:?}\n{found:?}"));
            }
            runs_without_gpu(&case, &simple)
                .unwrap_or_else(|violation| wrong(&case, &format!("{}: {}", violation.by, violation.what)));
        }
        report(usize::try_from(programs).unwrap_or(usize::MAX), answers);
        assert!(answers > 20, "only {answers} programs with workgroups gave a result");
        assert!(nests > 15, "only {nests} of {answers} have inner segments of several dimensions");
    });
}

/// Prints the progress, which only `--nocapture` shows.
fn report(tried: usize, answers: usize) {
    eprintln!("{tried} programs; {answers} have workgroups and the results of the interpreter");
}
