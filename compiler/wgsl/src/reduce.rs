//! Reductions.
//!
//! A thread folds the points of its chunk; a workgroup combines its threads' values as a tree, in
//! order, and leaves one *partial*; a second kernel does the same to partials, as often as there is
//! more than one workgroup. The launch that has one workgroup stores the result.
//! Over no points one thread remains, whose value is the neutral element.

use ravel_abi::plan::{Body, LoopForm, Operand, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::Combiner;
use ravel_prim::{BinOp, CmpOp, PrimType};

use crate::host::{HostBuilder, Kernels, i64_operand};
use crate::module::Module;
use crate::segment::{Access, Segment, Values, enter, groups, main, threads};

pub(crate) fn compile(
    segment: &Segment,
    combiners: &[Combiner],
    kernels: &mut Kernels,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    let (n, chunk) = segment.size_and_chunk();
    let count = threads(host, n, chunk);
    let count = host.binary(BinOp::Max, count, i64_operand(1));
    let types = Values::types(segment.vars, combiners);
    let width = Values::workgroup(&types);

    let first = groups(host, count, width);
    let partials: Vec<Slot> = types.iter().map(|&ty| host.alloc(ty, first)).collect();
    let mut module = segment.module("", width);
    let values = Values::declare(&mut module, combiners)?;
    Values::point(&mut module, segment.segment)?;
    Values::fold(&mut module, n, chunk, "")?;
    let value = "fold(thread, neutral())";
    tree(&mut module, &values, combiners, Tree { width, count, value, partials: &partials }, host)?;
    kernels.launch(module, vec![count], i64_operand(1), host)?;

    // loop (more, count, partials…) while more
    let more = host.compare(CmpOp::Lt, i64_operand(1), first);
    let again = host.slot();
    let left = host.slot();
    let sources: Vec<Slot> = types.iter().map(|_| host.slot()).collect();
    let mut params = vec![(again, more), (left, first)];
    params.extend(sources.iter().zip(&partials).map(|(&source, &partial)| (source, Operand::Slot(partial))));
    let binders: Vec<Slot> = params.iter().map(|_| host.slot()).collect();
    host.release(&binders[2..]);

    let mut round = host.nested();
    let next = groups(&mut round, Operand::Slot(left), width);
    let targets: Vec<Slot> = types.iter().map(|&ty| round.alloc(ty, next)).collect();
    let mut module = segment.module("_partials", width);
    let values = Values::declare(&mut module, combiners)?;
    values.scratch(&mut module, "source", &sources, Access::Read)?;
    let tree_of = Tree { width, count: Operand::Slot(left), value: "source_get(thread)", partials: &targets };
    tree(&mut module, &values, combiners, tree_of, &mut round)?;
    kernels.launch(module, vec![Operand::Slot(left)], i64_operand(1), &mut round)?;
    let more = round.compare(CmpOp::Lt, i64_operand(1), next);
    let mut results = vec![more, next];
    results.extend(targets.into_iter().map(Operand::Slot));
    let body: Body = host.join(round, results);
    host.step(Step::Loop { binders, params, form: LoopForm::While(again), body });
    Ok(())
}

/// What a tree is made of.
struct Tree<'t> {
    /// Threads in a workgroup.
    width: u32,
    /// How many threads have a value (i64).
    count: Operand,
    /// The value of `thread`.
    value: &'t str,
    /// Where the workgroups' values go.
    partials: &'t [Slot],
}

/// Adds the entry point.
fn tree(
    module: &mut Module,
    values: &Values,
    combiners: &[Combiner],
    tree: Tree,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    let Tree { width, count, value, partials } = tree;
    let fallible = module.is_fallible();
    values.shared(module, width)?;
    values.scratch(module, "partial", partials, Access::Write)?;
    Values::finish(module, combiners, &[])?;
    let count = host.convert(PrimType::U32, count);
    let count = module.param("count", PrimType::U32, count)?;
    let enter = enter(fallible, width);
    let note = if fallible { "\n        if (failed) { atomicStore(&broken, 1u); }" } else { "" };
    // Whoever combines must know that nothing it combines is broken. If combining can fail itself, all
    // must have looked before one says so, lest what they see depend on chance.
    let (look, sound, note_more) = match (fallible, values.combine_fails) {
        (false, _) => ("", "", ""),
        (true, false) => ("\n        let sound = atomicLoad(&broken) == 0u;", "sound && ", ""),
        (true, true) => (
            "\n        let sound = atomicLoad(&broken) == 0u;\n        workgroupBarrier();",
            "sound && ",
            "\n            if (failed) { atomicStore(&broken, 1u); }",
        ),
    };
    module.function(&main(
        width,
        &format!(
            "{enter}    if (thread < {count}) {{
        shared_put(lane, {value});{note}
    }}
    for (var stride = 1u; stride < {width}u; stride = 2u * stride) {{
        workgroupBarrier();{look}
        let at = 2u * stride * lane;
        if ({sound}at + stride < {width}u && base + at + stride < {count}) {{
            shared_put(at, combine(shared_get(at), shared_get(at + stride)));{note_more}
        }}
    }}
    if (lane == 0u && thread < {count}) {{
        if ({count} <= {width}u) {{ finish(shared_get(0u)); }} else {{ partial_put(group, shared_get(0u)); }}
    }}
"
        ),
    ));
    Ok(())
}
