//! # fit: segments that fit the memory and the workers of the machine
//!
//! ## Rule
//!
//! Three numbers of a segment depend on memory, or on the finished code of a point. They are determined here, after the
//! translation to kernel IR has given each array a block.
//!
//! | number | depends on | file |
//! | --- | --- | --- |
//! | the points that run at the same time | the bytes of the arrays that a point allocates | [`expand`], [`batch`] |
//! | the elements that each array in workgroup memory may have | the bytes of all arrays of the workgroup | [`workgroups`], [`spill`] |
//! | the neighbouring points that one worker computes | the loops and the copies of a point | [`chunk`] |
//!
//! ## Requires
//! A program as `kernelise` leaves it: directly after it allocates a block, code names the whole block as an array.
//!
//! ## Ensures
//! The program passes [`ravel_kernel::MemProgram::verify`] for the target. None of the three numbers changes a result.
//! Counts of elements saturate instead of overflowing. The runtime reports a too large count as a lack of memory.
//!
//! ## Not a pass
//! This is the second half of the translation to kernel IR, and not a pass of the schedule:
//!
//! * Its input is not valid for the target. Threads of a GPU allocate arrays there, and arrays of workgroups have sizes that the
//!   machine cannot reserve. So the pass manager could not verify it, and no dump of it could be read back.
//! * Backends rely on the first two numbers. Neither fuel nor a switch may leave a segment without them.
//! * It may end with a limitation. A pass cannot fail.
//!
//! Only the third number is a choice: every chunk of at least one point is valid. But it is not a rule with premises. It is
//! determined for each segment, so an event for each would tell a reader of `ravel explain` nothing about a single one.
//!
//! ## Limitations
//! On a target whose threads cannot allocate memory: arrays whose size has no known upper bound before the segment, and
//! such arrays in operators, in functions of threads, and in the threads of a workgroup.

mod allocations;
mod batch;
mod bounds;
mod chunk;
mod expand;
mod spill;
mod workgroups;

use ravel_base::{Diagnostic, IdMap, Symbol};
use ravel_kernel::visit::Visit;
use ravel_kernel::*;
use ravel_prim::PrimType;

use self::expand::refuse_allocations;
pub use self::spill::SPILL;
use crate::arithmetic::{Known, ONE};
use crate::steps::Steps;

type Result<T = (), E = Diagnostic> = std::result::Result<T, E>;

/// Completes the segments of a program.
///
/// # Errors
/// A limitation (see above).
pub fn fit(mut program: Program, target: &Target) -> Result<Program> {
    let messages = std::mem::take(&mut program.messages);
    let mut fit = Fit { target, messages, known: Known::default() };
    for function in &program.thread_functions {
        if !target.thread_allocation {
            refuse_allocations(&function.vars, |finder| finder.body(&function.body))?;
        }
    }
    for function in &mut program.host_functions {
        fit.body(&mut function.body, &mut function.vars)?;
    }
    for entry in &mut program.entries {
        fit.body(&mut entry.body, &mut entry.vars)?;
    }
    program.messages = fit.messages;
    program.remove_dead_code();
    program.renumber();
    Ok(program)
}

/// The state of the stage.
struct Fit<'t> {
    target: &'t Target,
    messages: IdMap<MessageId, Message>,
    /// The results of host code in scope.
    known: Known,
}

/// A segment whose points are threads.
struct Threads {
    hint: Option<Symbol>,
    space: Vec<(Var, Atom)>,
    kind: SegmentKind,
    body: Body<Thread>,
}

impl Threads {
    fn sizes(&self) -> Vec<Atom> {
        self.space.iter().map(|&(_, size)| size).collect()
    }

    /// Whether there is certainly one point.
    fn is_single(&self) -> bool {
        self.space.iter().all(|&(_, size)| size == ONE)
    }
}

/// The arrays of one point: a block with this many elements for each array.
struct Memory {
    block: Var,
    elem: PrimType,
    /// The number of elements, known before the segment.
    count: Atom,
}

impl Fit<'_> {
    /// Completes the segments of host code.
    fn body(&mut self, body: &mut Body<Host>, vars: &mut VarTable) -> Result {
        let known = self.known.len();
        for Step { origin, mut stm } in std::mem::take(&mut body.stms) {
            match stm {
                Stm::Segment(segment) => {
                    let mut code = Steps::new(&origin, vars).with_known(std::mem::take(&mut self.known));
                    self.segment(&mut code, segment)?;
                    let (steps, known) = code.finish_with_known();
                    body.stms.extend(steps);
                    self.known = known;
                    continue;
                }
                Stm::If { ref mut then, ref mut otherwise, .. } => {
                    self.body(then, vars)?;
                    self.body(otherwise, vars)?;
                }
                Stm::Loop { ref mut body, .. } => self.body(body, vars)?,
                Stm::Let { var, ref exp } => self.known.record(exp.clone(), Atom::Var(var)),
                stm_without_bodies!() => (),
            }
            body.stms.push(Step { origin, stm });
        }
        self.known.truncate(known);
        Ok(())
    }

    /// Adds a completed segment, and what it needs before it.
    fn segment(&mut self, code: &mut Steps<'_, Host>, segment: GridSegment) -> Result {
        let GridSegment { hint, space, points, chunk: _, lanes: _ } = segment;
        match points {
            Points::Threads { kind, body } => self.threads(code, Threads { hint, space, kind, body }),
            Points::Workgroups(body) => self.workgroups(code, hint, space, body),
        }
    }

    /// The number of a message.
    fn message(&mut self, message: Message) -> MessageId {
        let known = self.messages.iter().find(|(_, known)| **known == message).map(|(id, _)| id);
        known.unwrap_or_else(|| self.messages.push(message))
    }
}
