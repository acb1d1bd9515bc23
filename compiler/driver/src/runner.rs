//! Runs the steps of a schedule on a program: the only runner of passes.
//!
//! With a callback, the verifier checks the program after each pass that changed it, and the callback gets a report.
//! Without one, the result is not verified, and the connected components of the call graph go through the passes in
//! parallel. All parts finish a pass before the next one starts, so both ways lead to the same result, bit for bit.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reports have the times of passes; a program that shows a bug is saved"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use ravel_base::{Diagnostic, Workers};
use ravel_kernel::Target;
use ravel_passes::{Cx, Event, Pass, Step};

use crate::guard::guard;
use crate::ir::Ir;
use crate::pipeline::{Options, PassReport, Watch};
use crate::replay::Replay;

/// Runs the steps on a valid program.
pub(crate) fn run_steps<P: Ir>(
    program: P,
    steps: &[Step<P>],
    options: &Options,
    target: &Target,
    watch: Watch<P>,
) -> Result<P, Diagnostic> {
    let first = options.from.as_deref().filter(|_| options.passes.is_none());
    match watch {
        Some(watch) => {
            let mut lawful = Arc::new(program);
            let mut part = Part::new(P::clone(&lawful), options, target);
            ravel_passes::run_steps(steps, first, &mut |pass| {
                let report = part.run_verified(pass, &lawful, options, target)?;
                lawful = report.program.clone();
                let fired = has_fired(&report.events);
                watch(report);
                Ok(fired)
            })?;
            Ok(part.program)
        }
        None => {
            let mut parts = Parts::new(program, options, target);
            ravel_passes::run_steps(steps, first, &mut |pass| parts.run(pass, options, target))?;
            Ok(parts.join())
        }
    }
}

fn has_fired(events: &[Event]) -> bool {
    events.iter().any(|event| event.refused.is_none())
}

/// The parts of a program. All parts finish a pass before the next one starts.
struct Parts<P: Ir> {
    parts: Vec<Part<P>>,
    /// The order in which to join them, once the program has been split.
    order: Option<P::Order>,
    workers: Workers,
}

impl<P: Ir> Parts<P> {
    fn new(program: P, options: &Options, target: &Target) -> Parts<P> {
        let parts = vec![Part::new(program, options, target)];
        Parts { parts, order: None, workers: Workers::new(1) }
    }

    /// Runs a pass on all parts; returns whether it fired in any.
    fn run(&mut self, pass: &Pass<P>, options: &Options, target: &Target) -> Result<bool, Diagnostic> {
        let each = self.workers.each(&mut self.parts, |part: &mut Part<P>| part.run_if_changed(pass));
        let fired = each.into_iter().collect::<Result<Vec<bool>, Diagnostic>>()?.contains(&true);
        // Passes after the first remove no calls, so the parts stay independent. With limited fuel there is one part,
        // since the order of functions decides which rule gets the last fuel.
        if self.order.is_none() && options.fuel == u64::MAX {
            let whole = self.parts.swap_remove(0);
            let (programs, order) = whole.program.split();
            self.parts = programs.into_iter().map(|program| Part::new(program, options, target)).collect();
            self.order = Some(order);
            self.workers = Workers::new(self.parts.len());
        }
        Ok(fired)
    }

    fn join(self) -> P {
        let programs = self.parts.into_iter().map(|part| part.program).collect();
        P::join(programs, &self.order.unwrap_or_default())
    }
}

/// A program or a part of one, between passes.
struct Part<P> {
    program: P,
    cx: Cx,
    /// The passes that did not fire since the last change.
    idle: Vec<&'static str>,
}

impl<P: Ir> Part<P> {
    fn new(program: P, options: &Options, target: &Target) -> Part<P> {
        let mut cx = Cx::new(target, options.fuel).without(&options.without);
        cx.counts_bins = options.counts_bins;
        Part { program, cx, idle: Vec::new() }
    }

    /// Runs a pass; returns its events and its time.
    fn run(&mut self, pass: &Pass<P>) -> Result<(Vec<Event>, Duration), Diagnostic> {
        let start = Instant::now();
        guard(&format!("the pass {}", pass.name), || (pass.run)(&mut self.program, &mut self.cx))?;
        Ok((self.cx.take_events(), start.elapsed()))
    }

    /// Runs a pass unless the program has not changed since the pass last found nothing to do; returns whether it
    /// fired.
    fn run_if_changed(&mut self, pass: &Pass<P>) -> Result<bool, Diagnostic> {
        if self.idle.contains(&pass.name) {
            return Ok(false);
        }
        let fired = has_fired(&self.run(pass)?.0);
        match fired {
            true => self.idle.clear(),
            false => self.idle.push(pass.name),
        }
        Ok(fired)
    }

    /// Runs a pass, and verifies the program if it changed; `before` is the program so far.
    fn run_verified(
        &mut self,
        pass: &'static Pass<P>,
        before: &Arc<P>,
        options: &Options,
        target: &Target,
    ) -> Result<PassReport<P>, Diagnostic> {
        let fuel = (options.fuel != u64::MAX).then(|| self.cx.fuel());
        let fault = |bug: Diagnostic| bug.help(replay(&**before, pass, fuel, &options.without, target));
        let (events, time) = self.run(pass).map_err(fault)?;
        // Most passes change nothing in most rounds, and a comparison takes a fraction of the time of verification.
        let changed = has_fired(&events) || self.program != **before;
        if let Some(wrong) = changed.then(|| self.program.fault(target)).flatten() {
            let bug = format!("the pass {} made an invalid program: {wrong}", pass.name);
            return Err(fault(Diagnostic::bug(bug)));
        }
        let program = if changed { Arc::new(self.program.clone()) } else { before.clone() };
        Ok(PassReport { pass, time, events, before: before.clone(), program })
    }
}

/// Saves the last valid program in a file, and returns the command that runs the pass on it.
fn replay<P: Ir>(
    before: &P,
    pass: &Pass<P>,
    fuel: Option<u64>,
    without: &[&'static str],
    target: &Target,
) -> String {
    let file = std::env::temp_dir().join(format!("ravel-bug-{}.{}", std::process::id(), P::NAME));
    match std::fs::write(&file, before.text()) {
        Ok(()) => {
            let machine = target.machine;
            let (from, file) = (pass.name, file.as_path());
            format!(
                "to reproduce it: {}",
                Replay { from, passes: Some(&[from]), fuel, without, machine, file }
            )
        }
        Err(trouble) => format!("the program before it could not be saved: {trouble}"),
    }
}
