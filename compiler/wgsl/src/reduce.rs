//! Reductions.
//!
//! A thread folds the points of its chunk; a workgroup combines its threads' values as a tree, in
//! order. One workgroup stores the result at once. Several leave one *partial* each, and a second
//! kernel, of one workgroup, reduces these: for it the partials are the points. Over no points one
//! thread remains, whose value is the neutral element.

use ravel_abi::plan::{Body, Operand, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::Combiner;
use ravel_prim::{BinOp, CmpOp, PrimType};

use crate::host::{HostBuilder, Kernels, i64_operand};
use crate::module::Module;
use crate::segment::{Segment, groups, main, threads};
use crate::values::{Access, Guard, Values};

pub(crate) fn compile(
    segment: &Segment,
    combiners: &[Combiner],
    kernels: &mut Kernels,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    let (n, chunk) = segment.size_and_chunk();
    let types = Values::types(segment.vars, combiners);
    let width = Values::width(&types, segment.target);
    let count = threads(host, n, chunk);
    let count = host.binary(BinOp::Max, count, i64_operand(1));
    let partial_count = groups(host, count, width);
    let partials: Vec<Slot> = types.iter().map(|&ty| host.alloc(ty, partial_count)).collect();

    let mut module = segment.module("", width);
    let values = Values::declare(&mut module, "", None, combiners)?;
    Values::point(&mut module, segment)?;
    values.scratch(&mut module, "partial", &partials, Access::Write);
    let store = format!(
        "if (params.count <= {width}u) {{ finish(shared_get(0u)); }} else {{ partial_put(group, shared_get(0u)); }}"
    );
    kernel(&mut module, &values, combiners, [n, chunk, count], &store, host)?;
    kernels.launch(module, vec![count], i64_operand(1), host);

    let many = host.compare(CmpOp::Lt, i64_operand(1), partial_count);
    let mut inner = host.nested();
    let chunk = groups(&mut inner, partial_count, width);
    let count = threads(&mut inner, partial_count, chunk);
    let mut module = segment.module("_partials", width);
    let values = Values::declare(&mut module, "", None, combiners)?;
    values.scratch(&mut module, "partial", &partials, Access::Read);
    values.point_of_scratch(&mut module, "partial");
    let sizes = [partial_count, chunk, count];
    kernel(&mut module, &values, combiners, sizes, "finish(shared_get(0u));", &mut inner)?;
    kernels.launch(module, vec![count], i64_operand(1), &mut inner);
    let then = host.join(inner, vec![]);
    host.step(Step::If { binders: vec![], cond: many, then, otherwise: Body::default() });
    Ok(())
}

/// Adds the entry point, for `n` points in chunks by `count` threads. The statement `store` gets the value
/// of a workgroup, which is that of its first thread.
fn kernel(
    module: &mut Module,
    values: &Values,
    combiners: &[Combiner],
    [n, chunk, count]: [Operand; 3],
    store: &str,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    values.fold(module, "fold", [n, chunk], "")?;
    Values::finish(module, combiners, &[])?;
    let count = host.convert(PrimType::U32, count);
    let count = module.param("count", PrimType::U32, count);
    let enter = values.enter(module, &count);
    let width = values.width;
    let Guard { look, sound, note } = values.guard(module);
    module.function(&main(
        width,
        &format!(
            "{enter}    for (var stride = 1u; stride < {width}u; stride = 2u * stride) {{
        workgroupBarrier();{look}
        let at = 2u * stride * lane;
        if ({sound}at + stride < {width}u && base + at + stride < {count}) {{
            shared_put(at, combine(shared_get(at), shared_get(at + stride)));{note}
        }}
    }}
    if (lane == 0u && thread < {count}) {{
        {store}
    }}
"
        ),
    ));
    Ok(())
}
