//! The pass manager: runs the passes over core IR and over kernel IR. It verifies the program after every pass that
//! changed it, times passes, limits them by fuel, and saves the last valid program when a pass fails.

use std::sync::Arc;
use std::time::Duration;

use ravel_abi::Machine;
use ravel_base::{Diagnostic, Symbol, most_similar};
use ravel_core::Program as CoreProgram;
use ravel_kernel::{MemProgram, Program as KernelProgram, Target};
use ravel_native::Processors;
use ravel_passes::{Event, FLATTEN, KERNEL, KernelPass, PIPELINE, Pass, Step, flatten, in_order};

use crate::guard::guard;
use crate::ir::Ir;
use crate::runner::run_steps;

/// The options of the pass manager.
#[derive(Clone, Debug)]
pub struct Options {
    /// The passes to run instead of all.
    pub passes: Option<Passes>,
    /// The pass with which the first round begins, instead of the first pass of the round.
    pub from: Option<String>,
    /// How often rules may fire in total. Firings over core IR and over kernel IR are counted separately.
    pub fuel: u64,
    /// The rules that are switched off.
    pub without: Vec<&'static str>,
    /// The entry point to compile; without it, or if the program has no such entry point, all of them.
    pub entry: Option<String>,
    /// The size in bits of the vectors of native code; 1: without vectors. By default, the setting of the target.
    pub vector_bits: Option<u32>,
    /// The processors for which native code is.
    pub processors: Processors,
    /// Whether the program counts how full its bins are.
    pub counts_bins: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            passes: None,
            from: None,
            fuel: u64::MAX,
            without: Vec::new(),
            entry: None,
            vector_bits: None,
            processors: Processors::This,
            counts_bins: false,
        }
    }
}

impl Options {
    /// The target for this machine. The options may switch off rewrites of strips (vector code); the target then
    /// does without them.
    pub fn target(&self, machine: Machine) -> Target {
        let mut target = Target::of(machine).clone();
        for rewrite in ravel_native::REWRITES.iter().filter(|rewrite| self.without.contains(&rewrite.name)) {
            (rewrite.switch_off)(&mut target);
        }
        target
    }
}

/// The rules that cannot be switched off, because later stages rely on them.
const NEEDED: [&str; 6] = [
    ravel_passes::inline::RULE,
    ravel_passes::flatten::FILL,
    ravel_passes::flatten::ONE_CHUNK,
    ravel_passes::flatten::SEQUENTIALISE,
    ravel_passes::machine::copies_in_segments::RULE,
    ravel_passes::machine::rows_in_workgroups::RULE,
];

/// The rewrite of strips (vector code) that has this name.
fn rewrite(name: &str) -> Option<&'static str> {
    ravel_native::REWRITES.iter().map(|rewrite| rewrite.name).find(|known| *known == name)
}

/// Says that there is no pass or rule of this name, and which one may be meant.
fn unknown_message(kind: &str, name: &str, known: impl Iterator<Item = &'static str>) -> String {
    if rewrite(name).is_some() {
        return format!("`{name}` is a rewrite of vector code, which only `--without` takes");
    }
    match most_similar(Symbol::new(name), known.map(Symbol::new)) {
        Some(similar) => format!("there is no {kind} `{name}`; did you mean `{similar}`?"),
        None => format!("there is no {kind} `{name}`; `ravel dev --list-passes` lists them"),
    }
}

/// Passes, separated by the IR that they rewrite.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    /// The passes over core IR.
    pub core: Vec<&'static Pass>,
    /// The passes over kernel IR.
    pub kernel: Vec<&'static KernelPass>,
}

impl Passes {
    /// Every pass once, in the order of the pipeline.
    pub fn all() -> Passes {
        let mut all = Passes { core: Vec::new(), kernel: KERNEL.iter().collect() };
        for pass in ravel_passes::passes(PIPELINE).into_iter().chain(ravel_passes::passes(FLATTEN)) {
            if all.core.iter().all(|known| known.name != pass.name) {
                all.core.push(pass);
            }
        }
        all
    }

    /// The passes with these names.
    ///
    /// # Errors
    /// A message about a name that no pass has.
    pub fn named(names: &[String]) -> Result<Passes, String> {
        let mut found = Passes::default();
        let core_passes = Passes::all().core;
        for name in names {
            let core = core_passes.iter().find(|pass| pass.name == *name);
            let kernel = KERNEL.iter().find(|pass| pass.name == *name);
            if core.is_none() && kernel.is_none() {
                let mut of_rule = Passes::all();
                of_rule.retain_rule(name);
                return Err(match of_rule.names().next() {
                    Some(pass) => format!("`{name}` is a rule; its pass is {pass}"),
                    None => unknown_message("pass", name, Passes::all().names()),
                });
            }
            found.core.extend(core);
            found.kernel.extend(kernel);
        }
        Ok(found)
    }

    /// The passes that have this rule.
    ///
    /// # Errors
    /// A message that says that no pass has this rule.
    pub fn with_rule(rule: &str) -> Result<Passes, String> {
        let mut found = Passes::all();
        let known: Vec<_> = ravel_lower::RULES.iter().copied().chain(found.rules()).collect();
        if !known.contains(&rule) {
            return Err(match Passes::named(&[rule.to_owned()]) {
                Ok(pass) => format!("`{rule}` is a pass; its rules are {}", pass.rules().join(", ")),
                Err(_) => unknown_message("rule", rule, known.into_iter()),
            });
        }
        found.retain_rule(rule);
        Ok(found)
    }

    /// Keeps the passes that have this rule.
    fn retain_rule(&mut self, rule: &str) {
        self.core.retain(|pass| pass.rules.contains(&rule));
        self.kernel.retain(|pass| pass.rules.contains(&rule));
    }

    /// The rule, or the rewrite of strips, that has this name, if it can be switched off.
    ///
    /// # Errors
    /// A message that there is no such rule, or that later stages rely on it.
    pub fn optional_rule(rule: &str) -> Result<&'static str, String> {
        let rule = rule.trim();
        if let Some(rewrite) = rewrite(rule) {
            return Ok(rewrite);
        }
        let rules = Passes::with_rule(rule)?.rules();
        match rules.into_iter().find(|known| *known == rule && !NEEDED.contains(known)) {
            Some(rule) => Ok(rule),
            None => Err(format!("the rule `{rule}` cannot be switched off: later stages rely on it")),
        }
    }

    /// The rules of these passes.
    fn rules(&self) -> Vec<&'static str> {
        let core = self.core.iter().flat_map(|pass| pass.rules);
        core.chain(self.kernel.iter().flat_map(|pass| pass.rules)).copied().collect()
    }

    /// The names of these passes.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.core.iter().map(|pass| pass.name).chain(self.kernel.iter().map(|pass| pass.name))
    }
}

/// The report of one run of a pass.
#[derive(Clone, Debug)]
pub struct PassReport<P: 'static = CoreProgram> {
    /// The pass.
    pub pass: &'static Pass<P>,
    /// Its time, without verification.
    pub time: Duration,
    /// Firings and refusals of its rules.
    pub events: Vec<Event>,
    /// The program before the pass.
    pub before: Arc<P>,
    /// The program after the pass.
    pub program: Arc<P>,
}

impl<P> PassReport<P> {
    /// The fuel that it used.
    pub fn fuel(&self) -> u64 {
        self.events.iter().map(|event| u64::from(event.costs_fuel)).sum()
    }
}

/// An optional callback that receives the report of each pass.
pub type Watch<'w, P> = Option<&'w mut dyn FnMut(PassReport<P>)>;

/// Runs the passes over core IR on a verified program.
///
/// # Errors
/// A bug in a pass: the pass panicked, or its result violates a rule of the IR. The diagnostic names the pass and
/// gives a command that reproduces the fault.
pub fn run_core_passes(
    program: CoreProgram,
    options: &Options,
    target: &Target,
    watch: Watch<CoreProgram>,
) -> Result<CoreProgram, Diagnostic> {
    let steps = match (&options.passes, &options.from) {
        (Some(passes), _) => in_order(passes.core.iter().copied()),
        (None, Some(from)) if crate::is_flattening(from) => Vec::new(),
        (None, _) => PIPELINE.to_vec(),
    };
    let verify = |program: CoreProgram| match program.fault(target) {
        None => Ok(program),
        Some(wrong) => Err(Diagnostic::bug(wrong)),
    };
    run_and_verify(program, &steps, options, target, watch, verify)
}

/// Runs the passes that add segments on an optimised program. If the options select certain passes, [`run_core_passes`]
/// has already run them.
///
/// If `flatten` is not among the passes that run, it runs here without fuel. Then only those of its rules fire that cost no
/// fuel, because later stages rely on them. They change nothing in a program with segments that was printed by a pass
/// after `flatten`.
///
/// # Errors
/// As [`run_core_passes`].
pub fn run_flattening(
    program: CoreProgram,
    options: &Options,
    target: &Target,
    watch: Watch<CoreProgram>,
) -> Result<CoreProgram, Diagnostic> {
    let verify = |program: CoreProgram| match program.fault(target) {
        None => Ok(program),
        Some(wrong) => Err(Diagnostic::bug(wrong)),
    };
    let without_fuel = Options { fuel: 0, from: None, ..options.clone() };
    let name = flatten::PASS.name;
    let begins_later = |from: &String| {
        let passes = FLATTEN.iter().flat_map(Step::passes);
        passes.skip_while(|pass| pass.name != name).skip(1).any(|pass| pass.name == from)
    };
    match (&options.passes, &options.from) {
        (Some(passes), _) if passes.core.iter().any(|pass| pass.name == name) => Ok(program),
        (Some(_), _) => run_and_verify(program, FLATTEN, &without_fuel, target, None, verify),
        (None, Some(from)) if begins_later(from) => {
            let first = [Step::Run(&flatten::PASS)];
            let program = run_and_verify(program, &first, &without_fuel, target, None, verify)?;
            run_and_verify(program, FLATTEN, options, target, watch, verify)
        }
        (None, _) => run_and_verify(program, FLATTEN, options, target, watch, verify),
    }
}

/// Runs the passes over kernel IR on a verified program, for its target.
///
/// # Errors
/// As [`run_core_passes`].
pub fn run_kernel_passes(
    program: MemProgram,
    options: &Options,
    watch: Watch<KernelProgram>,
) -> Result<MemProgram, Diagnostic> {
    let passes = options.passes.clone().unwrap_or_else(Passes::all);
    let steps = in_order(passes.kernel);
    let target = program.target().clone();
    run_and_verify(program.into_program(), &steps, options, &target, watch, |mut program| {
        program.renumber();
        MemProgram::verify(program, &target).map_err(|wrong| Diagnostic::bug(wrong.to_string()))
    })
}

/// Runs passes, and calls `verify` on the resulting program.
///
/// Without a callback, release builds verify only the result, since verification after every pass takes a tenth of the
/// compile time. If the result is invalid, the passes run again with verification after each, to find the one at fault.
fn run_and_verify<P: Ir, R>(
    program: P,
    steps: &[Step<P>],
    options: &Options,
    target: &Target,
    watch: Watch<P>,
    verify: impl Fn(P) -> Result<R, Diagnostic>,
) -> Result<R, Diagnostic> {
    match watch {
        None if !cfg!(debug_assertions) => run_without_reports(program, steps, options, target, verify),
        None => verify(run_steps(program, steps, options, target, Some(&mut |_| {}))?),
        Some(watch) => verify(run_steps(program, steps, options, target, Some(watch))?),
    }
}

/// Runs passes without reports; if that fails, runs them again with reports to find the pass at fault.
fn run_without_reports<P: Ir, R>(
    program: P,
    steps: &[Step<P>],
    options: &Options,
    target: &Target,
    verify: impl Fn(P) -> Result<R, Diagnostic>,
) -> Result<R, Diagnostic> {
    let end = run_steps(program.clone(), steps, options, target, None);
    match end.map(|end| guard("the verifier", || verify(end))) {
        Ok(Ok(Ok(result))) => Ok(result),
        _ => verify(run_steps(program, steps, options, target, Some(&mut |_| {}))?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_of_strips_are_switched_off_by_the_target() {
        let limits = |without: &[&'static str]| {
            let options = Options { without: without.to_vec(), ..Options::default() };
            let target = options.target(Machine::Cpu);
            (target.max_interior > 0, target.max_row_loop > 0)
        };
        assert_eq!(limits(&["map-map"]), (true, true));
        assert_eq!(limits(&["interior"]), (false, true));
        assert_eq!(limits(&["row-loops"]), (true, false));
    }

    #[test]
    fn passes_are_found_by_name_and_by_rule() {
        let found = Passes::named(&["double-buffer".to_owned(), "sink".to_owned()]).expect("two passes");
        assert_eq!(found.names().collect::<Vec<_>>(), ["sink", "double-buffer"]);
        assert!(
            Passes::named(&["fuse-source".to_owned()]).is_err_and(|wrong| wrong.contains("`fuse-sources`"))
        );
        let named = |rule| Passes::with_rule(rule).map(|passes| passes.names().collect::<Vec<_>>());
        assert_eq!(named("map-write"), Ok(vec!["fuse-vertical"]));
        assert_eq!(named("swap-allocated"), Ok(vec!["double-buffer"]));
        assert_eq!(Passes::optional_rule("map-write"), Ok("map-write"));
        assert_eq!(Passes::optional_rule("row-loops"), Ok("row-loops"));
        for needed in ["scatter-construct", "inline", "copies-in-segments"] {
            assert!(
                Passes::optional_rule(needed).is_err_and(|wrong| wrong.contains("cannot be switched off"))
            );
        }
        assert!(
            named("rule-nine")
                .is_err_and(|wrong| wrong.contains("`rule-nine`") && wrong.contains("--list-passes"))
        );
        assert!(named("map_write").is_err_and(|wrong| wrong.ends_with("did you mean `map-write`?")));
        assert!(
            named("fuse-vertical").is_err_and(|wrong| wrong.contains("is a pass; its rules are map-map, "))
        );
    }

    #[test]
    fn a_rule_that_is_switched_off_leaves_its_statements() {
        let constructs = |without: &[&'static str]| {
            let options = Options { without: without.to_vec(), ..Options::default() };
            let watched = run_core_passes(sum(), &options, &Target::CPU, Some(&mut |_| {})).expect("lawful");
            assert!(run_steps(sum(), PIPELINE, &options, &Target::CPU, None).as_ref() == Ok(&watched));
            watched.text().matches("= screma").count()
        };
        assert_eq!(constructs(&[]), 1);
        assert_eq!(constructs(&["map-reduce"]), 2);
    }

    /// A program in which rules of several passes fire.
    fn sum() -> CoreProgram {
        let text = "fun main (n: i64, xs: [n]i64) -> (r: i64) = {
            let ys: [n]i64 = screma n { from xs map \\(x: i64) -> { let y: i64 = add x 0 in y } to map }
            let s: i64 = screma n {
              from ys
              map \\(y2: i64) -> y2
              to reduce \\(a: i64, b: i64) -> { let c: i64 = add a b in c } (0)
            }
            in s
        } entry main = main (xs) -> (r)";
        ravel_core::parse(text).expect("a program")
    }

    #[test]
    fn results_without_reports_are_the_same() {
        let (options, target) = (Options::default(), Target::CPU);
        let mut reports = 0;
        let watched = run_core_passes(sum(), &options, &target, Some(&mut |_| reports += 1)).expect("lawful");
        assert!(watched != sum() && reports > ravel_passes::passes(PIPELINE).len());
        assert!(run_steps(sum(), PIPELINE, &options, &target, None).as_ref() == Ok(&watched));
        assert!(run_without_reports(sum(), PIPELINE, &options, &target, Ok) == Ok(watched.clone()));
        assert!(run_core_passes(sum(), &options, &target, None) == Ok(watched));
    }

    #[test]
    fn passes_on_parallel_parts_give_the_same_result() {
        // Some functions share a callee, and in some, one rewrite enables further fusion.
        let function = |at: usize| {
            let many = at % 5;
            let map = |k: usize| {
                format!(
                    "let ys{}: [n]i64 = screma n {{ from ys{k} map \\(x{k}: i64) -> {{ let y{k}: i64 = add x{k} {k} in y{k} }} to map }}",
                    k + 1
                )
            };
            let maps: String = (0..many).map(map).collect();
            let call = if at % 10 < 2 { "let m: i64 = call far (n)" } else { "let m: i64 = add n n" };
            let sum = format!(
                "let s: i64 = screma n {{ from ys{many} map \\(y: i64) -> y to reduce \\(a: i64, b: i64) -> {{ let d: i64 = add a b in d }} (m) }}"
            );
            let sum = if at.is_multiple_of(3) {
                format!("let t: i64 = if c then {{ {sum} in s }} else m in t")
            } else {
                sum + " in s"
            };
            format!(
                "fun f{at} (n: i64, c: bool, ys0: [n]i64) -> (r: i64) = {{ {maps} {call} {sum} }} entry f{at} = f{at} (c, ys0) -> (r)\n"
            )
        };
        let functions: String = (0..300).map(function).collect();
        let text =
            format!("noinline fun far (x: i64) -> (r: i64) = {{ let y: i64 = mul x x in y }} {functions}");
        let program = ravel_core::parse(&text).expect("a program");
        assert_eq!(program.clone().split().0.len(), 241);
        let (options, target) = (Options::default(), Target::CPU);
        let watched = run_core_passes(program.clone(), &options, &target, Some(&mut |_| {})).expect("lawful");
        let parallel = run_steps(program, PIPELINE, &options, &target, None);
        assert!(parallel.is_ok_and(|end| end == watched));
    }

    #[test]
    fn a_failing_pass_is_named_without_reports() {
        const NO_RULES: Pass<CoreProgram> =
            Pass { name: "", about: "", rules: &[], premises: &[], run: |_, _| () };
        static BREAKS: Pass<CoreProgram> =
            Pass { name: "breaks", run: |program, _| program.functions[0].body.stms.clear(), ..NO_RULES };
        static PANICS: Pass<CoreProgram> =
            Pass { name: "panics", run: |_, _| panic!("on purpose"), ..NO_RULES };
        let (options, target) = (Options::default(), Target::CPU);
        let verify = |program: CoreProgram| match program.fault(&target) {
            None => Ok(program),
            Some(wrong) => Err(Diagnostic::bug(wrong)),
        };
        for (pass, message) in [(&BREAKS, "the pass breaks made an invalid"), (&PANICS, "on purpose")] {
            let parallel = run_steps(sum(), &[Step::Run(pass)], &options, &target, None).map(verify);
            assert!(!matches!(parallel, Ok(Ok(_))), "{message}");
            let bug = run_without_reports(sum(), &[Step::Run(pass)], &options, &target, verify);
            let bug = bug.expect_err("a bug");
            assert!(bug.message.contains(message), "{}", bug.message);
        }
    }
}
