//! Scans: reduce, then scan.
//!
//! A first kernel folds every chunk, scans the chunks' values within each workgroup and leaves the
//! workgroups' sums. A second one, of one workgroup, scans the sums. The last one runs over the points
//! again, each thread beginning with what lies before its chunk.

use ravel_abi::plan::{Body, Operand, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::Combiner;
use ravel_prim::{CmpOp, PrimType};

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

/// Blocks between the kernels, one a value.
struct Scratch {
    /// For each thread, the combined values of its workgroup up to its own.
    prefixes: Vec<Slot>,
    /// For each workgroup, its combined values.
    sums: Vec<Slot>,
    /// The same, combined with those of the workgroups before; not used where there is one workgroup.
    offsets: Vec<Slot>,
}

/// How many points, how many of them a thread takes, how many threads.
type Sizes = [Operand; 3];

impl Scan<'_, '_> {
    fn module(&self, suffix: &str) -> Module<'_> {
        let types = Values::types(self.segment.vars, self.combiners);
        self.segment.module(suffix, Values::width(&types, self.segment.target))
    }

    /// The first kernel.
    fn chunks(
        &self,
        [n, chunk, count]: Sizes,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let mut module = self.module("_chunks");
        let values = Values::declare(&mut module, "", None, self.combiners)?;
        Values::point(&mut module, self.segment)?;
        values.scratch(&mut module, "prefix", &self.scratch.prefixes, Access::Write);
        values.scratch(&mut module, "sum", &self.scratch.sums, Access::Write);
        let steps = within_workgroup(&mut module, &values, [n, chunk, count], host)?;
        let width = values.width;
        module.function(&main(
            width,
            &format!(
                "{steps}    if (thread < params.count) {{
        prefix_put(thread, shared_get(lane));
        if (lane + 1u == {width}u || thread + 1u == params.count) {{ sum_put(group, shared_get(lane)); }}
    }}
"
            ),
        ));
        kernels.launch(module, vec![count], i64_operand(1), host);
        Ok(())
    }

    /// The second kernel, one workgroup. Its points are the sums.
    fn sums(
        &self,
        [n, chunk, count]: Sizes,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let mut module = self.module("_sums");
        let values = Values::declare(&mut module, "", None, self.combiners)?;
        values.scratch(&mut module, "sum", &self.scratch.sums, Access::Read);
        values.point_of_scratch(&mut module, "sum");
        values.scratch(&mut module, "offset", &self.scratch.offsets, Access::Write);
        values.fold(&mut module, "spread", [n, chunk], "offset_put(u32(i), sum);")?;
        let steps = within_workgroup(&mut module, &values, [n, chunk, count], host)?;
        let sound = if module.is_fallible() { " && atomicLoad(&broken) == 0u" } else { "" };
        module.function(&main(
            values.width,
            &format!(
                "{steps}    workgroupBarrier();
    if (thread < params.count{sound}) {{
        var start = neutral();
        if (lane > 0u) {{ start = shared_get(lane - 1u); }}
        spread(thread, start);
    }}
"
            ),
        ));
        kernels.launch(module, vec![count], i64_operand(1), host);
        Ok(())
    }

    /// The last kernel.
    fn points(
        &self,
        [n, chunk, count]: Sizes,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let mut module = self.module("");
        let values = Values::declare(&mut module, "", None, self.combiners)?;
        let width = values.width;
        Values::point(&mut module, self.segment)?;
        Values::finish(&mut module, self.combiners, &["i".to_owned()])?;
        values.fold(&mut module, "spread", [n, chunk], "finish(i, sum);")?;
        values.scratch(&mut module, "prefix", &self.scratch.prefixes, Access::Read);
        values.scratch(&mut module, "offset", &self.scratch.offsets, Access::Read);
        let count_word = host.convert(PrimType::U32, count);
        let count_word = module.param("count", PrimType::U32, count_word);
        module.function(&format!(
            "fn before(thread: u32) -> Values {{
    if (thread == 0u) {{ return neutral(); }}
    let group = thread / {width}u;
    if (thread % {width}u == 0u) {{ return offset_get(group - 1u); }}
    if (group == 0u) {{ return prefix_get(thread - 1u); }}
    return combine(offset_get(group - 1u), prefix_get(thread - 1u));
}}"
        ));
        let (place, check) = match module.is_fallible() {
            true => ("    place = thread;\n", "    if (failed) { return; }\n"),
            false => ("", ""),
        };
        module.function(&main(
            width,
            &format!(
                "    if (stopped()) {{ return; }}
    let thread = group * {width}u + lane;
    if (thread >= {count_word}) {{ return; }}
{place}    let start = before(thread);
{check}    spread(thread, start);
"
            ),
        ));
        kernels.launch(module, vec![count], i64_operand(1), host);
        Ok(())
    }
}

/// Statements after which the memory of a workgroup holds the prefixes of its threads' values.
fn within_workgroup(
    module: &mut Module,
    values: &Values,
    [n, chunk, count]: Sizes,
    host: &mut HostBuilder,
) -> Result<String, Diagnostic> {
    values.fold(module, "fold", [n, chunk], "")?;
    let count = host.convert(PrimType::U32, count);
    let count = module.param("count", PrimType::U32, count);
    let enter = values.enter(module, &count);
    let Guard { look, sound, note } = values.guard(module);
    Ok(format!(
        "{enter}    for (var stride = 1u; stride < {width}u; stride = 2u * stride) {{
        workgroupBarrier();{look}
        let combines = {sound}lane >= stride && thread < {count};
        var sum: Values;
        if (combines) {{
            sum = combine(shared_get(lane - stride), shared_get(lane));{note}
        }}
        workgroupBarrier();
        if (combines) {{ shared_put(lane, sum); }}
    }}
",
        width = values.width
    ))
}
