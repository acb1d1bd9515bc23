//! What the threads of a workgroup do together: they leave the kernel, and combine their values in workgroup memory.
//!
//! A *member* is a thread that has a value. The members are the first threads of the workgroup. Their values are combined
//! in the order of their numbers. First each *raker*, one of the first threads, combines the values of a few neighbouring
//! members. So there are few rakers, all in one or two subgroups, and the other subgroups do nothing. If all members combined
//! pairs of values, each step would occupy every subgroup, with half of its lanes idle or more. (Merrill and Grimshaw, *Parallel
//! scan for stream architectures*, 2009.)

use ravel_kernel::RAKED;
use ravel_prim::PrimType;

use crate::kernel::Kernel;
use crate::shader::{self, Block, Exp};
use crate::statement::{current_point, stopped};
use crate::values::{ExchangeMemory, Values, stop_if_failed};

/// The memory in which the threads of a workgroup exchange values.
pub(crate) struct Exchange<'v> {
    values: &'v Values,
    shared: ExchangeMemory,
    /// The largest number of rakers.
    rakers: Exp,
    /// Whether the operator can fail.
    fails: bool,
}

/// The first members, each of which has combined the values of neighbouring members.
struct Rakers {
    /// The number of rakers.
    count: Exp,
    /// The number of members.
    members: Exp,
    /// The thread's members: the first and the last one.
    first: Exp,
    last: Exp,
}

impl<'v> Exchange<'v> {
    /// Adds the memory to the module.
    pub(crate) fn declare(kernel: &mut Kernel, values: &'v Values) -> Exchange<'v> {
        let shared = values.exchange_memory(kernel);
        let rakers = kernel.workgroup().div_ceil(RAKED).into();
        Exchange { values, shared, rakers, fails: values.combine.fails }
    }

    /// Combines the values of the members. The rakers combine theirs as a tree: neighbours first, then neighbouring pairs, and
    /// so on. Afterwards the variable `sum` of the first thread has the result.
    pub(crate) fn tree(&self, body: &mut Block, lane: &Exp, sum: &Exp, members: &Exp) {
        let rakers = self.rake(body, lane, sum, members);
        body.double("stride", 1, &self.rakers, |body, stride| {
            body.barrier();
            let right = lane + stride;
            let is_left = (lane & (Exp::from(2) * stride - 1)).equals(0);
            body.when(is_left.and(right.lt(&rakers.count)), |body| {
                let right = self.shared.get.call([rakers.last_of(&right)]);
                body.assign(sum, self.values.combine.call([sum.clone(), right]));
                body.run(self.shared.put.call([rakers.last.clone(), sum.clone()]));
            });
            leave_if_failed(body, self.fails);
        });
    }

    /// Scans the values of the members. The rakers scan theirs: in each step, every second group of 1, 2, 4, … rakers combines
    /// the last value of the group before with its own values (Sklansky, *Conditional-sum addition logic*, 1960). Then each
    /// raker goes through its members again. Afterwards [`up_to`](Exchange::up_to) has the results. Changes the variable
    /// `sum`.
    pub(crate) fn scan(&self, body: &mut Block, lane: &Exp, sum: &Exp, members: &Exp) {
        let rakers = self.rake(body, lane, sum, members);
        body.double("stride", 1, &self.rakers, |body, stride| {
            body.barrier();
            // In a step, no thread reads what another one stores.
            let is_right = (lane & stride).differs(0);
            body.when(is_right.and(lane.lt(&rakers.count)), |body| {
                let left = (lane & (stride - 1).complement()) - 1;
                let left = self.shared.get.call([rakers.last_of(&left)]);
                body.assign(sum, self.values.combine.call([left, sum.clone()]));
                body.run(self.shared.put.call([rakers.last.clone(), sum.clone()]));
            });
            leave_if_failed(body, self.fails);
        });
        body.barrier();
        // The last member has its result. That of the raker before is the value to begin with.
        body.when(lane.lt(&rakers.count), |body| {
            let first = body.bind("next_raked", Exp::select(lane.equals(0), 1, &rakers.first));
            body.assign(sum, self.shared.get.call([&first - 1]));
            self.sweep(body, sum, [first, rakers.last.clone()], |body, at| {
                body.run(self.shared.put.call([at.clone(), sum.clone()]));
            });
        });
        barrier_or_leave(body, self.fails);
    }

    /// Each raker combines the values of its members, in order, and stores the result in the place of the last one. The
    /// variable `sum` is the value of the thread; that of a raker becomes the result.
    fn rake(&self, body: &mut Block, lane: &Exp, sum: &Exp, members: &Exp) -> Rakers {
        if self.fails {
            // The place of a failure is the number of the thread, so that no two threads have the same place.
            body.assign(&current_point(), lane.clone());
        }
        body.run(self.shared.put.call([lane.clone(), sum.clone()]));
        body.barrier();
        let count = body.bind("rakers", (members + (RAKED - 1)) / RAKED);
        let first = body.bind("first_raked", lane * RAKED);
        let mut rakers = Rakers { count, members: members.clone(), first, last: lane.clone() };
        rakers.last = body.bind("last_raked", rakers.last_of(lane));
        body.when(lane.lt(&rakers.count), |body| {
            body.assign(sum, self.shared.get.call([rakers.first.clone()]));
            self.sweep(body, sum, [&rakers.first + 1, &rakers.last + 1], |_, _| ());
            body.run(self.shared.put.call([rakers.last.clone(), sum.clone()]));
        });
        leave_if_failed(body, self.fails);
        rakers
    }

    /// Adds a loop that combines the variable `sum` with the values of the members between two numbers. After each one come the
    /// statements `visit`.
    fn sweep(
        &self,
        body: &mut Block,
        sum: &Exp,
        [first, end]: [Exp; 2],
        visit: impl FnOnce(&mut Block, &Exp),
    ) {
        body.count(
            "raked",
            first,
            |at| at.lt(&end),
            |at| at + 1,
            |body, at| {
                let next = self.shared.get.call([at.clone()]);
                body.assign(sum, self.values.combine.call([sum.clone(), next]));
                stop_if_failed(body, self.fails);
                visit(body, at);
            },
        );
    }

    /// After a scan: the combined value of the members up to this one.
    pub(crate) fn up_to(&self, member: Exp) -> Exp {
        self.shared.get.call([member])
    }
}

impl Rakers {
    /// The last member of a raker.
    fn last_of(&self, raker: &Exp) -> Exp {
        let end = raker * RAKED + RAKED;
        Exp::select(end.lt(&self.members), end, &self.members) - 1
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
