//! Scans: reduce, then scan.
//!
//! The first kernel folds every chunk, scans the values of the chunks within each workgroup, and stores the combined
//! value (the *sum*) of each workgroup. The second kernel, of one workgroup, scans the sums. The last kernel traverses
//! the points again; each thread begins with the combined values of the chunks before its own.

use ravel_abi::plan::{Body, Operand, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::Combiner;
use ravel_prim::{CmpOp, PrimType};

use crate::exchange::Exchange;
use crate::function::Callee;
use crate::host::{HostBuilder, Kernels, i64_operand};
use crate::kernel::Kernel;
use crate::segment::{Segment, groups, main, threads};
use crate::shader::{Block, Exp};
use crate::statement::{current_point, failed, stopped};
use crate::values::{ExchangeMemory, Values, index};

pub(crate) fn compile(
    segment: &Segment,
    combiners: &[Combiner],
    kernels: &mut Kernels,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    let (n, chunk) = segment.size_and_chunk()?;
    let types = Values::types(segment.vars, combiners);
    let width = Values::width(&types, segment.target);
    let count = threads(host, n, chunk);
    let sum_count = groups(host, count, width);
    let mut blocks = |count| types.iter().map(|&ty| host.alloc(ty, count)).collect::<Vec<Slot>>();
    let scratch = Scratch { prefixes: blocks(count), sums: blocks(sum_count), offsets: blocks(sum_count) };
    let scan = Scan { segment, combiners, scratch };
    scan.chunks([n, chunk, count], kernels, host)?;

    let many = host.compare(CmpOp::Lt, i64_operand(1), sum_count);
    let mut inner = host.nested();
    let sum_chunk = groups(&mut inner, sum_count, width);
    let sum_threads = threads(&mut inner, sum_count, sum_chunk);
    scan.sums([sum_count, sum_chunk, sum_threads], kernels, &mut inner)?;
    let then = host.join(inner, vec![]);
    host.step(Step::If { binders: vec![], cond: many, then, otherwise: Body::default() });

    scan.points([n, chunk, count], kernels, host)
}

struct Scan<'s, 'a> {
    segment: &'s Segment<'s, 'a>,
    combiners: &'s [Combiner],
    scratch: Scratch,
}

/// Blocks that pass values between the kernels, one for each member.
struct Scratch {
    /// For each thread, the combined values of its workgroup's threads up to this one.
    prefixes: Vec<Slot>,
    /// For each workgroup, its combined value.
    sums: Vec<Slot>,
    /// For each workgroup, the combined value of the workgroups up to this one. Not used if there is only one
    /// workgroup.
    offsets: Vec<Slot>,
}

/// The number of points, the number of points of a thread, and the number of threads.
type Sizes = [Operand; 3];

impl Scan<'_, '_> {
    fn kernel(&self, suffix: &str) -> Kernel<'_> {
        let types = Values::types(self.segment.vars, self.combiners);
        self.segment.kernel(suffix, Values::width(&types, self.segment.target))
    }

    /// The first kernel.
    fn chunks(
        &self,
        [n, chunk, count]: Sizes,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let mut kernel = self.kernel("_chunks");
        let values = Values::declare(&mut kernel, None, self.combiners)?;
        let point = values.point(&mut kernel, self.segment)?;
        let prefix_put = values.scratch_put(&mut kernel, "prefix", &self.scratch.prefixes);
        let sum_put = values.scratch_put(&mut kernel, "sum", &self.scratch.sums);
        let scan = WorkgroupScan::declare(&mut kernel, &values, &point, [n, chunk, count], host);
        main(&mut kernel, |body, group, lane| {
            let thread = scan.build(body, [group, lane]);
            body.when(thread.lt(&scan.count), |body| {
                let prefix = scan.exchange.shared.get.call([lane.clone()]);
                body.run(prefix_put.call([thread.clone(), prefix.clone()]));
                let is_last = (lane + 1).equals(&scan.width).or((&thread + 1).equals(&scan.count));
                body.when(is_last, |body| body.run(sum_put.call([group.clone(), prefix])));
            });
        });
        kernels.launch(kernel, vec![count], i64_operand(1), host);
        Ok(())
    }

    /// The second kernel, of one workgroup. Its points are the sums.
    fn sums(
        &self,
        [n, chunk, count]: Sizes,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let mut kernel = self.kernel("_sums");
        let values = Values::declare(&mut kernel, None, self.combiners)?;
        let sum_get = values.scratch_get(&mut kernel, "sum", &self.scratch.sums);
        let point = values.point_of(&mut kernel, &sum_get)?;
        let offset_put = values.scratch_put(&mut kernel, "offset", &self.scratch.offsets);
        let spread = values.fold(&mut kernel, "spread", &point, [n, chunk], |body, i, sum| {
            body.run(offset_put.call([i.clone().convert(PrimType::U32), sum.clone()]));
        });
        let scan = WorkgroupScan::declare(&mut kernel, &values, &point, [n, chunk, count], host);
        main(&mut kernel, |body, group, lane| {
            let thread = scan.build(body, [group, lane]);
            body.barrier();
            let is_sound = scan.exchange.none_failed_at_end();
            body.when(Exp::all([thread.lt(&scan.count)].into_iter().chain(is_sound)), |body| {
                let start = body.var("start", values.neutral.call([]));
                body.when(lane.gt(0), |body| {
                    body.assign(&start, scan.exchange.shared.get.call([lane - 1]));
                });
                body.run(spread.call([thread.clone(), start]));
            });
        });
        kernels.launch(kernel, vec![count], i64_operand(1), host);
        Ok(())
    }

    /// The last kernel.
    fn points(
        &self,
        [n, chunk, count]: Sizes,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let mut kernel = self.kernel("");
        let values = Values::declare(&mut kernel, None, self.combiners)?;
        let width = Exp::from(kernel.workgroup());
        let point = values.point(&mut kernel, self.segment)?;
        let finish = values.finish(&mut kernel, self.combiners, &[index()])?;
        let spread = values.fold(&mut kernel, "spread", &point, [n, chunk], |body, i, sum| {
            body.run(finish.call([i.clone(), sum.clone()]));
        });
        let before = self.before(&mut kernel, &values, &width);
        let count_word = host.convert(PrimType::U32, count);
        let count_word = kernel.param("count", PrimType::U32, count_word);
        let fallible = kernel.is_fallible();
        main(&mut kernel, |body, group, lane| {
            body.when(stopped(), Block::leave);
            let thread = body.bind("thread", group * &width + lane);
            body.when(thread.ge(count_word), Block::leave);
            if fallible {
                body.assign(&current_point(), &thread);
            }
            let start = body.bind("start", before.call([thread.clone()]));
            if fallible {
                body.when(failed(), Block::leave);
            }
            body.run(spread.call([thread, start]));
        });
        kernels.launch(kernel, vec![count], i64_operand(1), host);
        Ok(())
    }

    /// Adds `before(thread)`, the combined value of the chunks before the thread's chunk.
    fn before(&self, kernel: &mut Kernel, values: &Values, width: &Exp) -> Callee {
        let prefix_get = values.scratch_get(kernel, "prefix", &self.scratch.prefixes);
        let offset_get = values.scratch_get(kernel, "offset", &self.scratch.offsets);
        let thread = Exp::word("thread");
        let body = Block::new(|body| {
            body.when(thread.equals(0), |body| body.return_value(values.neutral.call([])));
            let group = body.bind("group", &thread / width);
            let offset = offset_get.call([&group - 1]);
            let prefix = prefix_get.call([&thread - 1]);
            body.when((&thread % width).equals(0), |body| body.return_value(offset.clone()));
            body.when(group.equals(0), |body| body.return_value(prefix.clone()));
            body.return_value(values.combine.call([offset, prefix]));
        });
        let params = thread.variable().into_iter().collect();
        Callee::new(kernel.function("before", params, values.ty, body), values.ty)
    }
}

/// Scans the values of the threads of each workgroup.
struct WorkgroupScan<'v> {
    values: &'v Values,
    fold: Callee,
    exchange: Exchange,
    /// The number of all threads, and the number of threads of a workgroup.
    count: Exp,
    width: Exp,
}

impl WorkgroupScan<'_> {
    /// Adds the functions and the memory of the scan to the module. Each thread folds its chunk of the points.
    fn declare<'v>(
        kernel: &mut Kernel,
        values: &'v Values,
        point: &Callee,
        [n, chunk, count]: Sizes,
        host: &mut HostBuilder,
    ) -> WorkgroupScan<'v> {
        let fold = values.fold(kernel, "fold", point, [n, chunk], |_, _, _| ());
        let count = host.convert(PrimType::U32, count);
        let count = kernel.param("count", PrimType::U32, count);
        let exchange = Exchange::declare(kernel, values);
        WorkgroupScan { values, fold, exchange, count, width: kernel.workgroup().into() }
    }

    /// Begins the entry point. Afterwards the place of each thread holds the combined value of the workgroup's threads
    /// up to this one. Returns the number of the thread.
    fn build(&self, body: &mut Block, [group, lane]: [&Exp; 2]) -> Exp {
        let WorkgroupScan { values, fold, exchange, count, width } = self;
        let start = |thread: &Exp| fold.call([thread.clone(), values.neutral.call([])]);
        let (_, thread) = exchange.enter(body, [group, lane], width, count, start);
        let ExchangeMemory { put, get } = &exchange.shared;
        body.double("stride", 1, width, |body, stride| {
            body.barrier();
            let sound = exchange.none_failed(body);
            let has_left = [lane.ge(stride), thread.lt(count)];
            let combines = body.bind("combines", Exp::all(sound.into_iter().chain(has_left)));
            let sum = body.declare("sum", values.ty);
            body.when(&combines, |body| {
                let operands = [get.call([lane - stride]), get.call([lane.clone()])];
                body.assign(&sum, values.combine.call(operands));
                exchange.record_failure(body);
            });
            body.barrier();
            body.when(combines, |body| body.run(put.call([lane.clone(), sum])));
        });
        thread
    }
}
