//! Runs passes that nobody watches, on the parts of a program side by side.
//!
//! All parts are led through the passes in step, so that what comes out is what watched passes make of the whole program,
//! bit for bit.

use ravel_base::Workers;
use ravel_kernel::Target;
use ravel_passes::{Cx, Pass, Schedule};

use crate::guard::guard;
use crate::pipeline::{Ir, Options};

/// Runs passes of which none is watched or verified; nothing if one of them panicked.
pub(crate) fn at_once<P: Ir>(
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
    // What the first pass leaves of calls stays. Which rule takes the last of the fuel depends on the order of functions.
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

/// A part of a program on its way through the passes.
struct Part<P> {
    program: P,
    cx: Cx,
    /// The passes that have nothing to do in it, as it is.
    quiet: Vec<&'static str>,
}

impl<P: Ir> Part<P> {
    /// Runs a pass, and says whether it fired; nothing if it panicked.
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
