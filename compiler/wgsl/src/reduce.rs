//! Reductions.
//!
//! A thread folds the points of its chunk, and a workgroup combines the values of its threads as a tree, in order. If
//! there is one workgroup, it stores the result. Otherwise each workgroup stores a *partial* result, and a second
//! kernel, of one workgroup, reduces these: its points are the partial results. If there are no points there is still
//! one thread, whose value is the neutral element.

use ravel_abi::plan::{Body, Operand, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::Combiner;
use ravel_prim::{BinOp, CmpOp, PrimType};

use crate::exchange::Exchange;
use crate::function::Callee;
use crate::host::{HostBuilder, Kernels, i64_operand};
use crate::kernel::Kernel;
use crate::segment::{Segment, groups, main, threads};
use crate::shader::{Block, Exp};
use crate::values::Values;

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
    let count = host.binary(BinOp::Max, count, i64_operand(1));
    let partial_count = groups(host, count, width);
    let partials: Vec<Slot> = types.iter().map(|&ty| host.alloc(ty, partial_count)).collect();

    let mut kernel = segment.kernel("", width);
    let values = Values::declare(&mut kernel, None, combiners)?;
    let point = values.point(&mut kernel, segment)?;
    let partial_put = values.scratch_put(&mut kernel, "partial", &partials);
    build(&mut kernel, &values, &point, combiners, [n, chunk, count], Some(&partial_put), host)?;
    kernels.launch(kernel, vec![count], i64_operand(1), host);

    let many = host.compare(CmpOp::Lt, i64_operand(1), partial_count);
    let mut inner = host.nested();
    let chunk = groups(&mut inner, partial_count, width);
    let count = threads(&mut inner, partial_count, chunk);
    let mut kernel = segment.kernel("_partials", width);
    let values = Values::declare(&mut kernel, None, combiners)?;
    let partial_get = values.scratch_get(&mut kernel, "partial", &partials);
    let point = values.point_of(&mut kernel, &partial_get)?;
    build(&mut kernel, &values, &point, combiners, [partial_count, chunk, count], None, &mut inner)?;
    kernels.launch(kernel, vec![count], i64_operand(1), &mut inner);
    let then = host.join(inner, vec![]);
    host.step(Step::If { binders: vec![], cond: many, then, otherwise: Body::default() });
    Ok(())
}

/// Builds the kernel, in which `count` threads fold `n` points in chunks. If there are several workgroups,
/// `partial_put` stores the combined value of each.
fn build(
    kernel: &mut Kernel,
    values: &Values,
    point: &Callee,
    combiners: &[Combiner],
    [n, chunk, count]: [Operand; 3],
    partial_put: Option<&Callee>,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    let fold = values.fold(kernel, "fold", point, [n, chunk], |_, _, _| ());
    let finish = values.finish(kernel, combiners, &[])?;
    let count = host.convert(PrimType::U32, count);
    let count = kernel.param("count", PrimType::U32, count);
    let exchange = Exchange::declare(kernel, values);
    let width = Exp::from(kernel.workgroup());
    main(kernel, |body, group, lane| {
        let (base, thread) = exchange.enter(body, [group, lane], &width, &count, |thread| {
            fold.call([thread.clone(), values.neutral.call([])])
        });
        tree(body, values, &exchange, [&base, lane], &width, &count);
        body.when(lane.equals(0).and(thread.lt(&count)), |body| {
            let combined = exchange.shared.get.call([0.into()]);
            let finished = finish.call([combined.clone()]);
            match partial_put {
                None => body.run(finished),
                Some(put) => body.branch(
                    count.le(&width),
                    Block::new(|body| body.run(finished)),
                    Block::new(|body| body.run(put.call([group.clone(), combined]))),
                ),
            }
        });
    });
    Ok(())
}

/// Combines the values of a workgroup's threads. Neighbouring threads combine first, then neighbouring pairs, and so
/// on; the result is in the place of the first thread.
fn tree(
    body: &mut Block,
    values: &Values,
    exchange: &Exchange,
    [base, lane]: [&Exp; 2],
    width: &Exp,
    count: &Exp,
) {
    let shared = &exchange.shared;
    body.double("stride", 1, width, |body, stride| {
        body.barrier();
        let sound = exchange.none_failed(body);
        let left = body.bind("at", Exp::from(2) * stride * lane);
        let right = &left + stride;
        let both = [right.lt(width), (base + &left + stride).lt(count)];
        body.when(Exp::all(sound.into_iter().chain(both)), |body| {
            let operands = [&left, &right].map(|at| shared.get.call([at.clone()]));
            body.run(shared.put.call([left.clone(), values.combine.call(operands)]));
            exchange.record_failure(body);
        });
    });
}
