//! Scans: reduce, then scan.
//!
//! A first kernel folds every chunk, scans the chunks' values within each workgroup and leaves the
//! workgroups' *sums*; further kernels scan the sums, by levels, since there may be more of them
//! than a workgroup has threads. A last kernel runs over the points again, each thread beginning
//! with what lies before its chunk.

use ravel_abi::plan::{Body, Operand, Slot, Step};
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

    let prefixes = scan.blocks(count, host);
    let sum_count = groups(host, count, width);
    let sums = scan.blocks(sum_count, host);
    let mut module = segment.module("_chunks", width);
    let values = Values::declare(&mut module, combiners)?;
    Values::point(&mut module, segment.segment)?;
    Values::fold(&mut module, n, chunk, "")?;
    values.scratch(&mut module, "prefix", &prefixes, Access::Write)?;
    scan.within_workgroups(&mut module, &values, count, "fold(thread, neutral())", &sums, host)?;
    kernels.launch(module, vec![count], i64_operand(1), host)?;

    let sums = scan.level(&sums, sum_count, levels(width), kernels, host)?;

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
    /// Steps that scan `count` sums, if there are more than one; gives where the prefixes are. No kernel
    /// writes what it reads: one that fails is repeated.
    fn level(
        &self,
        sums: &[Slot],
        count: Operand,
        levels: u32,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<Vec<Slot>, Diagnostic> {
        if levels == 0 {
            return Ok(sums.to_vec());
        }
        let many = host.compare(CmpOp::Lt, i64_operand(1), count);
        let mut inner = host.nested();
        let prefixes = self.blocks(count, &mut inner);
        let upper_count = groups(&mut inner, count, self.width);
        let upper = self.blocks(upper_count, &mut inner);
        let mut module = self.segment.module("_sums", self.width);
        let values = Values::declare(&mut module, self.combiners)?;
        values.scratch(&mut module, "source", sums, Access::Read)?;
        values.scratch(&mut module, "prefix", &prefixes, Access::Write)?;
        self.within_workgroups(&mut module, &values, count, "source_get(thread)", &upper, &mut inner)?;
        kernels.launch(module, vec![count], i64_operand(1), &mut inner)?;

        let upper = self.level(&upper, upper_count, levels - 1, kernels, &mut inner)?;
        let many_groups = inner.compare(CmpOp::Lt, i64_operand(1), upper_count);
        let mut shift = inner.nested();
        let shifted = self.blocks(count, &mut shift);
        self.shift([&prefixes, &upper, &shifted], count, kernels, &mut shift)?;
        let prefixes = choose(many_groups, (shift, &shifted), &prefixes, &mut inner);
        Ok(choose(many, (inner, &prefixes), sums, host))
    }

    /// Steps that combine all prefixes with the sums of the workgroups before theirs.
    fn shift(
        &self,
        [prefixes, sums, shifted]: [&[Slot]; 3],
        count: Operand,
        kernels: &mut Kernels,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let width = self.width;
        let mut module = self.segment.module("_shift", width);
        let values = Values::declare(&mut module, self.combiners)?;
        values.scratch(&mut module, "prefix", prefixes, Access::Read)?;
        values.scratch(&mut module, "sum", sums, Access::Read)?;
        values.scratch(&mut module, "shifted", shifted, Access::Write)?;
        let count_word = host.convert(PrimType::U32, count);
        let count_word = module.param("count", PrimType::U32, count_word)?;
        let place = if module.is_fallible() { "    place = thread;\n" } else { "" };
        module.function(&main(
            width,
            &format!(
                "    if (stopped()) {{ return; }}
    let thread = group * {width}u + lane;
    if (thread >= {count_word}) {{ return; }}
{place}    var sum = prefix_get(thread);
    if (group > 0u) {{ sum = combine(sum_get(group - 1u), sum); }}
    shifted_put(thread, sum);
"
            ),
        ));
        kernels.launch(module, vec![count], i64_operand(1), host)
    }

    /// New blocks for `count` values.
    fn blocks(&self, count: Operand, host: &mut HostBuilder) -> Vec<Slot> {
        self.types.iter().map(|&ty| host.alloc(ty, count)).collect()
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

/// Blocks that a nested body gives if `cond` holds, else these.
fn choose(
    cond: Operand,
    (nested, then): (HostBuilder, &[Slot]),
    otherwise: &[Slot],
    host: &mut HostBuilder,
) -> Vec<Slot> {
    let results = |slots: &[Slot]| slots.iter().map(|&slot| Operand::Slot(slot)).collect::<Vec<_>>();
    let then = host.join(nested, results(then));
    let otherwise = Body { results: results(otherwise), ..Body::default() };
    let binders: Vec<Slot> = otherwise.results.iter().map(|_| host.slot()).collect();
    host.release(&binders);
    host.step(Step::If { binders: binders.clone(), cond, then, otherwise });
    binders
}
