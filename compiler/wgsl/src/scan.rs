//! Scans: reduce, then scan.
//!
//! A first kernel folds every chunk, scans the chunks' values within each workgroup and leaves the
//! workgroups' *sums*; further kernels scan the sums, by levels, since there may be more of them
//! than a workgroup has threads. A last kernel runs over the points again, each thread beginning
//! with what lies before its chunk.

use ravel_abi::plan::{Operand, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::Combiner;
use ravel_prim::{CmpOp, PrimType};

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
    let types = Values::types(segment.vars, combiners);
    let width = Values::workgroup(&types);
    let scan = Scan { segment, combiners, types: &types, width };

    let prefixes: Vec<Slot> = types.iter().map(|&ty| host.alloc(ty, count)).collect();
    let sum_count = groups(host, count, width);
    let sums: Vec<Slot> = types.iter().map(|&ty| host.alloc(ty, sum_count)).collect();
    let mut module = segment.module("_chunks", width);
    let values = Values::declare(&mut module, combiners)?;
    Values::point(&mut module, segment.segment)?;
    Values::fold(&mut module, n, chunk, "")?;
    values.scratch(&mut module, "prefix", &prefixes, Access::Write)?;
    scan.within_workgroups(&mut module, &values, count, "fold(thread, neutral())", &sums, host)?;
    kernels.launch(module, vec![count], i64_operand(1), host)?;

    scan.level(&sums, sum_count, levels(width), kernels, host)?;

    let mut module = segment.module("", width);
    let values = Values::declare(&mut module, combiners)?;
    Values::point(&mut module, segment.segment)?;
    Values::finish(&mut module, combiners, &["i".to_owned()])?;
    Values::fold(&mut module, n, chunk, "\n        finish(i, sum);")?;
    values.scratch(&mut module, "prefix", &prefixes, Access::Read)?;
    values.scratch(&mut module, "sum", &sums, Access::Read)?;
    let count_word = host.convert(PrimType::U32, count);
    let count_word = module.param("count", PrimType::U32, count_word)?;
    module.function(&format!(
        "fn before(thread: u32) -> Values {{
    if (thread == 0u) {{ return neutral(); }}
    let group = thread / {width}u;
    if (thread % {width}u == 0u) {{ return sum_get(group - 1u); }}
    if (group == 0u) {{ return prefix_get(thread - 1u); }}
    return combine(sum_get(group - 1u), prefix_get(thread - 1u));
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
{check}    fold(thread, start);
"
        ),
    ));
    kernels.launch(module, vec![count], i64_operand(1), host)
}

/// How often less than 2^32 values can be cut into groups of `width`, before one group holds all.
fn levels(width: u32) -> u32 {
    u32::BITS.div_ceil(width.ilog2()) - 1
}

struct Scan<'s, 'a> {
    segment: &'s Segment<'s, 'a>,
    combiners: &'s [Combiner],
    types: &'s [PrimType],
    width: u32,
}

impl Scan<'_, '_> {
    /// Steps that scan `count` sums in place, if there are more than one.
    fn level(
        &self,
        sums: &[Slot],
        count: Operand,
        levels: u32,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        if levels == 0 {
            return Ok(());
        }
        let many = host.compare(CmpOp::Lt, i64_operand(1), count);
        let mut inner = host.nested();
        let upper_count = groups(&mut inner, count, self.width);
        let upper: Vec<Slot> = self.types.iter().map(|&ty| inner.alloc(ty, upper_count)).collect();

        let mut module = self.segment.module("_sums", self.width);
        let values = Values::declare(&mut module, self.combiners)?;
        values.scratch(&mut module, "prefix", sums, Access::Both)?;
        self.within_workgroups(&mut module, &values, count, "prefix_get(thread)", &upper, &mut inner)?;
        kernels.launch(module, vec![count], i64_operand(1), &mut inner)?;

        self.level(&upper, upper_count, levels - 1, kernels, &mut inner)?;

        let mut module = self.segment.module("_shift", self.width);
        let values = Values::declare(&mut module, self.combiners)?;
        values.scratch(&mut module, "prefix", sums, Access::Both)?;
        values.scratch(&mut module, "sum", &upper, Access::Read)?;
        let count_word = inner.convert(PrimType::U32, count);
        let count_word = module.param("count", PrimType::U32, count_word)?;
        let place = if module.is_fallible() { "        place = thread;\n" } else { "" };
        module.function(&main(
            self.width,
            &format!(
                "    if (stopped()) {{ return; }}
    let thread = group * {width}u + lane;
    if (group > 0u && thread < {count_word}) {{
{place}        prefix_put(thread, combine(sum_get(group - 1u), prefix_get(thread)));
    }}
",
                width = self.width
            ),
        ));
        let many_groups = inner.compare(CmpOp::Lt, i64_operand(1), upper_count);
        let mut shift = inner.nested();
        kernels.launch(module, vec![count], i64_operand(1), &mut shift)?;
        let shift = inner.join(shift, vec![]);
        inner.step(Step::If {
            binders: vec![],
            cond: many_groups,
            then: shift,
            otherwise: Default::default(),
        });

        let inner = host.join(inner, vec![]);
        host.step(Step::If { binders: vec![], cond: many, then: inner, otherwise: Default::default() });
        Ok(())
    }

    /// Adds the entry point that scans the threads' values within each workgroup into `prefix`, and
    /// leaves the workgroups' sums.
    fn within_workgroups(
        &self,
        module: &mut Module,
        values: &Values,
        count: Operand,
        value: &str,
        sums: &[Slot],
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let width = self.width;
        let fallible = module.is_fallible();
        values.shared(module, width)?;
        values.scratch(module, "sum", sums, Access::Write)?;
        let count = host.convert(PrimType::U32, count);
        let count = module.param("count", PrimType::U32, count)?;
        let enter = enter(fallible, width);
        let note = if fallible { "\n        if (failed) { atomicStore(&broken, 1u); }" } else { "" };
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
        let combines = {sound}lane >= stride && thread < {count};
        var sum: Values;
        if (combines) {{
            sum = combine(shared_get(lane - stride), shared_get(lane));{note_more}
        }}
        workgroupBarrier();
        if (combines) {{ shared_put(lane, sum); }}
    }}
    if (thread < {count}) {{
        prefix_put(thread, shared_get(lane));
        if (lane + 1u == {width}u || thread + 1u == {count}) {{ sum_put(group, shared_get(lane)); }}
    }}
"
            ),
        ));
        Ok(())
    }
}
