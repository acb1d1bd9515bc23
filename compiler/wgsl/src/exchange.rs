//! What the threads of a workgroup do together: they leave the kernel, and combine their values in workgroup memory.
//!
//! A *member* is a thread that has a value. The members are the first threads of the workgroup. Their values are combined
//! in the order of their numbers.

use ravel_prim::PrimType;

use crate::kernel::Kernel;
use crate::shader::{self, Block, Exp};
use crate::statement::{current_point, stopped};
use crate::values::{ExchangeMemory, Values};

/// The memory in which the threads of a workgroup exchange values.
pub(crate) struct Exchange<'v> {
    values: &'v Values,
    shared: ExchangeMemory,
    /// The number of threads of the workgroup.
    width: Exp,
    /// Whether the operator can fail.
    fails: bool,
}

impl<'v> Exchange<'v> {
    /// Adds the memory to the module.
    pub(crate) fn declare(kernel: &mut Kernel, values: &'v Values) -> Exchange<'v> {
        let shared = values.exchange_memory(kernel);
        Exchange { values, shared, width: kernel.workgroup().into(), fails: values.combine.fails }
    }

    /// Combines the values of the members as a tree: neighbours first, then neighbouring pairs, and so on. Afterwards the
    /// variable `sum` of the first thread has the result.
    pub(crate) fn tree(&self, body: &mut Block, lane: &Exp, sum: &Exp, members: &Exp) {
        self.set_place(body, lane);
        body.run(self.shared.put.call([lane.clone(), sum.clone()]));
        body.double("stride", 1, &self.width, |body, stride| {
            body.barrier();
            let right = lane + stride;
            let is_left = (lane & (Exp::from(2) * stride - 1)).equals(0);
            body.when(is_left.and(right.lt(members)), |body| {
                body.assign(sum, self.values.combine.call([sum.clone(), self.shared.get.call([right])]));
                body.run(self.shared.put.call([lane.clone(), sum.clone()]));
            });
            leave_if_failed(body, self.fails);
        });
    }

    /// Scans the values of the members: in each step, every second group of 1, 2, 4, … threads combines the last value of
    /// the group before with its own values (Sklansky, *Conditional-sum addition logic*, 1960). Afterwards
    /// [`up_to`](Exchange::up_to) has the results. Changes the variable `sum`.
    pub(crate) fn scan(&self, body: &mut Block, lane: &Exp, sum: &Exp, members: &Exp) {
        self.set_place(body, lane);
        body.run(self.shared.put.call([lane.clone(), sum.clone()]));
        body.double("stride", 1, &self.width, |body, stride| {
            body.barrier();
            // In a step, no thread reads what another one stores.
            let is_right = (lane & stride).differs(0);
            body.when(is_right.and(lane.lt(members)), |body| {
                let left = self.shared.get.call([(lane & (stride - 1).complement()) - 1]);
                body.assign(sum, self.values.combine.call([left, sum.clone()]));
                body.run(self.shared.put.call([lane.clone(), sum.clone()]));
            });
            leave_if_failed(body, self.fails);
        });
        body.barrier();
    }

    /// If the operator can fail: sets the place of a failure to the number of the thread, so that no two threads have the
    /// same place.
    fn set_place(&self, body: &mut Block, lane: &Exp) {
        if self.fails {
            body.assign(&current_point(), lane.clone());
        }
    }

    /// After a scan: the combined value of the members up to this one.
    pub(crate) fn up_to(&self, member: Exp) -> Exp {
        self.shared.get.call([member])
    }
}

/// The variables of workgroup memory by which the threads leave the kernel together.
pub(crate) struct Status {
    /// Whether an earlier launch has failed.
    skip: Exp,
    /// The least place at which a thread has failed; `None` if threads cannot fail.
    least: Option<Exp>,
}

impl Status {
    /// Adds the variables to the module. The code of the threads must have been built before.
    pub(crate) fn declare(kernel: &mut Kernel) -> Status {
        let skip = kernel.workgroup_var("skip", shader::Type::Scalar(PrimType::U32), 4);
        let least = kernel
            .is_fallible()
            .then(|| kernel.workgroup_var("least_failure", shader::Type::Atomic(PrimType::U32), 4));
        Status { skip, least }
    }

    /// Begins the entry point: all threads leave if an earlier launch has failed.
    pub(crate) fn begin(&self, body: &mut Block, lane: &Exp) {
        let clear = self.least.as_ref().map(|least| (least, Exp::word("NO_FAILURE")));
        skip_if_stopped(body, &self.skip, lane, clear);
    }
}

/// All threads of the workgroup leave the kernel if an earlier launch has failed; `skip` is a variable in workgroup
/// memory. The first thread also stores a value to an atomic variable, if one is given.
pub(crate) fn skip_if_stopped(body: &mut Block, skip: &Exp, lane: &Exp, clear: Option<(&Exp, Exp)>) {
    body.when(lane.equals(0), |body| {
        body.assign(skip, Exp::select(stopped(), 1, 0));
        if let Some((atomic, value)) = clear {
            body.run(Exp::call("atomicStore", shader::Type::Nothing, [atomic.clone().address(), value]));
        }
    });
    body.when(uniform(skip.clone()).differs(0), Block::leave);
}

/// If threads can fail: all threads leave the workgroup if one of them has failed. The one that failed at the least place
/// reports its failure. All threads must execute this, since it is a barrier.
pub(crate) fn leave_if_failed(body: &mut Block, fallible: bool) {
    if !fallible {
        return;
    }
    body.braces(|body| {
        body.run(Exp::call("note_failure", shader::Type::Nothing, []));
        let least = body.bind("least", uniform(Exp::word("least_failure")));
        body.when(least.differs(Exp::word("NO_FAILURE")), |body| {
            body.run(report_failure(least.clone()));
            body.leave();
        });
    });
}

/// If threads can fail: all leave the workgroup if one of them has failed. In any case this is a barrier.
pub(crate) fn barrier_or_leave(body: &mut Block, fallible: bool) {
    if fallible { leave_if_failed(body, true) } else { body.barrier() }
}

/// Reports the failure of the workgroup if the thread failed at this place.
pub(crate) fn report_failure(place: Exp) -> Exp {
    Exp::call("report_failure", shader::Type::Nothing, [Exp::word("group"), place])
}

/// A load of a variable in workgroup memory that gives all threads the same value. All threads must execute it, since
/// it is a barrier before and after the load.
pub(crate) fn uniform(variable: Exp) -> Exp {
    Exp::call("workgroupUniformLoad", variable.ty, [variable.address()])
}
