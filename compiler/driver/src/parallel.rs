//! Runs the passes on the parts of a program in parallel, without reports.
//!
//! All parts go through the passes in lockstep, so the result equals bit for bit that of running the passes on the whole
//! program.

use ravel_base::Workers;
use ravel_kernel::Target;
use ravel_passes::{Cx, Pass, Schedule};

use crate::guard::guard;
use crate::pipeline::{Ir, Options};

/// Runs passes without reports or verification; none if one of them panicked.
pub(crate) fn run_in_parallel<P: Ir>(
    program: P,
    mut schedule: Schedule<P>,
    options: &Options,
    target: &Target,
) -> Option<P> {
    let cx = || Cx::new(target, options.fuel).without(&options.without);
    let part = |program| Part { program, cx: cx(), quiet: Vec::new() };
    let mut whole = part(program);
    let Some(first) = schedule.next(false) else { return Some(whole.program) };
    let mut fired = whole.run(first)?;
    // Later passes remove no calls, so the parts stay independent. With limited fuel there is one part, since the order of
    // functions decides which rule gets the last fuel.
    let (mut parts, order) = match options.fuel {
        u64::MAX => {
            let (programs, order) = whole.program.split();
            (programs.into_iter().map(part).collect(), order)
        }
        _ => (vec![whole], P::Order::default()),
    };
    let workers = Workers::new(parts.len());
    while let Some(pass) = schedule.next(fired) {
        let each = workers.each(&mut parts, |part: &mut Part<P>| part.run(pass));
        fired = each.into_iter().collect::<Option<Vec<bool>>>()?.contains(&true);
    }
    Some(P::join(parts.into_iter().map(|part| part.program).collect(), &order))
}

/// A part of a program between passes.
struct Part<P> {
    program: P,
    cx: Cx,
    /// The passes that did not fire since the last change.
    quiet: Vec<&'static str>,
}

impl<P: Ir> Part<P> {
    /// Runs a pass; gives whether it fired, or none if it panicked.
    fn run(&mut self, pass: &Pass<P>) -> Option<bool> {
        if self.quiet.contains(&pass.name) {
            return Some(false);
        }
        guard(pass.name, || (pass.run)(&mut self.program, &mut self.cx)).ok()?;
        let fired = self.cx.fired() > 0;
        self.cx.take_events();
        match fired {
            true => self.quiet.clear(),
            false => self.quiet.push(pass.name),
        }
        Some(fired)
    }
}
