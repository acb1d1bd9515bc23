//! Values that the threads of a workgroup exchange while they combine them, and what happens if one of the threads fails.

use ravel_prim::PrimType;

use crate::kernel::Kernel;
use crate::shader::{self, Block, Exp};
use crate::statement::{current_point, failed, stopped};
use crate::values::{ExchangeMemory, Values};

/// The memory of a workgroup whose threads combine their values.
///
/// After a thread has failed, the others combine nothing more, but still reach every barrier.
pub(crate) struct Exchange {
    /// The memory through which the threads exchange values.
    pub shared: ExchangeMemory,
    /// Whether an earlier launch has failed. All threads see the same value.
    skip: Exp,
    /// Whether a thread has failed; `None` if threads cannot fail.
    broken: Option<Exp>,
    /// Whether an operator can fail.
    combine_fails: bool,
}

impl Exchange {
    /// Adds the memory to the module. The code of the threads must have been built before.
    pub(crate) fn declare(kernel: &mut Kernel, values: &Values) -> Exchange {
        let shared = values.exchange_memory(kernel);
        let skip = kernel.workgroup_var("skip", shader::Type::Scalar(PrimType::U32), 4);
        let broken = kernel.is_fallible().then(|| kernel.workgroup_var("broken", shader::Type::Atomic, 4));
        Exchange { shared, skip, broken, combine_fails: values.combine.fails }
    }

    /// Begins the entry point. All threads leave if an earlier launch has failed. Otherwise each of `count` threads
    /// stores the struct `start(number)` in the memory, where `number` is its own. Returns the number of the
    /// workgroup's first thread, and the thread's own number.
    pub(crate) fn enter(
        &self,
        body: &mut Block,
        [group, lane]: [&Exp; 2],
        width: &Exp,
        count: &Exp,
        start: impl FnOnce(&Exp) -> Exp,
    ) -> (Exp, Exp) {
        skip_if_stopped(body, &self.skip, lane, self.broken.as_ref().map(|broken| (broken, 0.into())));
        let base = body.bind("base", group * width);
        let thread = body.bind("thread", &base + lane);
        if self.broken.is_some() {
            body.assign(&current_point(), &thread);
        }
        body.when(thread.lt(count), |body| {
            body.run(self.shared.put.call([lane.clone(), start(&thread)]));
            if let Some(broken) = &self.broken {
                set_if_failed(body, broken);
            }
        });
        (base, thread)
    }

    /// To be called after a barrier. Returns the condition that no thread has failed; `None` if threads cannot fail.
    pub(crate) fn none_failed(&self, body: &mut Block) -> Option<Exp> {
        let broken = self.broken.clone()?;
        let sound = body.bind("sound", load(broken).equals(0));
        if self.combine_fails {
            // All threads must have read the flag before one of them sets it, so that all read the same value.
            body.barrier();
        }
        Some(sound)
    }

    /// The condition that no thread has failed, after all have combined their values; `None` if threads cannot fail.
    pub(crate) fn none_failed_at_end(&self) -> Option<Exp> {
        Some(load(self.broken.clone()?).equals(0))
    }

    /// To be called after an operator: sets the flag if the operator has failed.
    pub(crate) fn record_failure(&self, body: &mut Block) {
        if let (Some(broken), true) = (&self.broken, self.combine_fails) {
            set_if_failed(body, broken);
        }
    }
}

/// All threads of the workgroup leave the kernel if an earlier launch has failed; `skip` is a variable in workgroup
/// memory. The first thread also stores a value to an atomic variable, if one is given.
pub(crate) fn skip_if_stopped(body: &mut Block, skip: &Exp, lane: &Exp, clear: Option<(&Exp, Exp)>) {
    body.when(lane.equals(0), |body| {
        body.assign(skip, Exp::select(stopped(), 1, 0));
        if let Some((atomic, value)) = clear {
            body.run(store(atomic, value));
        }
    });
    body.when(uniform(skip.clone()).differs(0), Block::leave);
}

/// A load of a variable in workgroup memory that gives all threads the same value. All threads must execute it, since
/// it is a barrier before and after the load.
pub(crate) fn uniform(variable: Exp) -> Exp {
    Exp::call("workgroupUniformLoad", variable.ty, [variable.address()])
}

fn load(atomic: Exp) -> Exp {
    Exp::call("atomicLoad", shader::Type::Scalar(PrimType::U32), [atomic.address()])
}

fn store(atomic: &Exp, value: Exp) -> Exp {
    Exp::call("atomicStore", shader::Type::Nothing, [atomic.clone().address(), value])
}

fn set_if_failed(body: &mut Block, broken: &Exp) {
    body.when(failed(), |body| body.run(store(broken, 1.into())));
}
