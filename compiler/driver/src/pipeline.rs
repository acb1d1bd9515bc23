//! Runs pipelines of passes: the only place that does. Verifies after every pass, times, spends
//! fuel, and keeps the last good program to show when a pass goes wrong.

use std::time::{Duration, Instant};

use ravel_base::Diagnostic;
use ravel_core::{Program, print, verify};
use ravel_kernel::{MemProgram, Target};
use ravel_passes::{Cx, Event, Pass, Schedule};

use crate::guard::guard;

/// What to run, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// The passes to run instead of the pipeline.
    pub passes: Option<Vec<&'static Pass>>,
    /// The name of the pass with which the pipeline's first round begins; without it, its first.
    pub from: Option<String>,
    /// How often rules may fire.
    pub fuel: u64,
    /// The one entry point to compile; without it, all of them. A name that the program does not
    /// have counts as none.
    pub entry: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options { passes: None, from: None, fuel: u64::MAX, entry: None }
    }
}

/// What one pass did.
#[derive(Clone, Debug)]
pub struct PassReport {
    /// The pass.
    pub pass: &'static Pass,
    /// How long it took, without verification.
    pub time: Duration,
    /// What its rules did.
    pub events: Vec<Event>,
    /// The program before it.
    pub before: Program,
    /// The program behind it.
    pub program: Program,
}

/// Every pass once, in the order of the pipeline.
pub fn all_passes() -> Vec<&'static Pass> {
    let mut passes: Vec<&'static Pass> = Vec::new();
    for pass in ravel_passes::PIPELINE {
        if passes.iter().all(|known| known.name != pass.name) {
            passes.push(pass);
        }
    }
    passes
}

/// The passes with these names.
///
/// # Errors
/// The name that no pass has.
pub fn passes_named(names: &[String]) -> Result<Vec<&'static Pass>, String> {
    names
        .iter()
        .map(|name| {
            ravel_passes::find(name).ok_or_else(|| {
                let known: Vec<_> = all_passes().iter().map(|pass| pass.name).collect();
                format!("there is no pass `{name}`; there is {}", known.join(", "))
            })
        })
        .collect()
}

/// Runs the passes on a verified program. `watch` sees what each of them did.
///
/// # Errors
/// A bug: the pass that panicked or broke the program, with the line that replays it.
pub fn run(
    mut program: Program,
    options: &Options,
    target: &Target,
    watch: &mut dyn FnMut(PassReport),
) -> Result<Program, Diagnostic> {
    let mut cx = Cx::new(target, options.fuel);
    let mut schedule = match (&options.passes, &options.from) {
        (Some(passes), _) => Schedule::once(passes.clone()),
        (None, Some(first)) => Schedule::rounds_from(ravel_passes::PIPELINE, first),
        (None, None) => Schedule::rounds(ravel_passes::PIPELINE),
    };
    let mut fired = false;
    while let Some(pass) = schedule.next(fired) {
        let before = program.clone();
        let start = Instant::now();
        let ran = guard(&format!("the pass {}", pass.name), || (pass.run)(&mut program, &mut cx));
        let time = start.elapsed();
        let verified = ran.and_then(|()| {
            verify(&program).map_err(|wrong| {
                Diagnostic::bug(format!("the pass {} made an unlawful program: {wrong}", pass.name))
            })
        });
        if let Err(bug) = verified {
            return Err(bug.help(replay(&before, pass)));
        }
        fired = cx.fired() > 0;
        watch(PassReport { pass, time, events: cx.take_events(), before, program: program.clone() });
    }
    Ok(program)
}

/// Runs the passes over kernel IR, each of which leaves a lawful program. `watch` sees the program
/// behind each.
///
/// # Errors
/// A bug: the pass that panicked or broke the program.
pub fn memory(
    mut lawful: MemProgram,
    target: &Target,
    watch: &mut dyn FnMut(&'static str, &MemProgram),
) -> Result<MemProgram, Diagnostic> {
    let mut cx = Cx::new(target, u64::MAX);
    for pass in ravel_passes::MEMORY {
        let mut program = lawful.into_program();
        guard(&format!("the pass {}", pass.name), || (pass.run)(&mut program, &mut cx))?;
        lawful = MemProgram::verify(program, target).map_err(|wrong| {
            Diagnostic::bug(format!("the pass {} made an unlawful program: {wrong}", pass.name))
        })?;
        watch(pass.name, &lawful);
    }
    Ok(lawful)
}

/// Keeps the last good program in a file, and says how to run the pass on it again.
fn replay(before: &Program, pass: &Pass) -> String {
    let file = std::env::temp_dir().join(format!("ravel-bug-{}.core", std::process::id()));
    match std::fs::write(&file, print(before)) {
        Ok(()) => {
            format!("to see it again: ravel dev --from {0} --passes {0} {1}", pass.name, file.display())
        }
        Err(trouble) => format!("the program before it could not be kept: {trouble}"),
    }
}
