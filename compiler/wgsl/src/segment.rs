//! What the kernels of a segment have in common, and the kernel of a map.
//!
//! A map's thread takes points that are one workgroup apart, so that neighbouring threads touch
//! neighbouring elements; it is numbered, for failures, by the point it is at.

use ravel_abi::plan::{self, Operand, Slot};
use ravel_base::Diagnostic;
use ravel_kernel::{Combiner, GridSegment, SegmentKind, Type, Var, VarTable};
use ravel_prim::{BinOp, PrimType};

use crate::host::{HostBuilder, Kernels, i64_operand, operand};
use crate::module::Module;
use crate::scalar::type_name;
use crate::thread::{Function, low_word};

/// A segment to be compiled.
pub(crate) struct Segment<'s, 'a> {
    /// The segment.
    pub segment: &'s GridSegment,
    /// What is known of the entry point's variables.
    pub vars: &'a VarTable,
    /// The start of the names of its kernels.
    pub name: String,
}

impl<'a> Segment<'_, 'a> {
    /// Adds the segment's kernels and the steps that launch them.
    pub(crate) fn compile(&self, kernels: &mut Kernels, host: &mut HostBuilder) -> Result<(), Diagnostic> {
        match &self.segment.kind {
            SegmentKind::Map => self.map(kernels, host),
            SegmentKind::Reduce(combiners) => crate::reduce::compile(self, combiners, kernels, host),
            SegmentKind::Scan(combiners) => crate::scan::compile(self, combiners, kernels, host),
        }
    }

    /// An empty module for one of the segment's kernels.
    pub(crate) fn module(&self, suffix: &str, workgroup: u32) -> Module<'a> {
        Module::new(self.vars, self.segment.span, format!("{}{suffix}", self.name), workgroup)
    }

    /// The size of a space of one dimension, and the chunk.
    pub(crate) fn size_and_chunk(&self) -> (Operand, Operand) {
        let n = self.segment.space.first().map_or(i64_operand(1), |&(_, size)| operand(size));
        (n, operand(self.segment.chunk))
    }

    fn map(&self, kernels: &mut Kernels, host: &mut HostBuilder) -> Result<(), Diagnostic> {
        let sizes: Vec<Operand> = self.segment.space.iter().map(|&(_, size)| operand(size)).collect();
        let chunk = operand(self.segment.chunk);
        let mut points = i64_operand(1);
        for &size in &sizes {
            points = host.binary(BinOp::Mul, points, size);
        }
        let mut module = self.module("", plan::WORKGROUP);
        self.point_of_map(&mut module)?;
        let points = module.param("points", PrimType::I64, points)?;
        let width = plan::WORKGROUP;
        let (place, stop) = match module.is_fallible() {
            true => ("place = at;\n        ", "\n        if (failed) { return; }"),
            false => ("", ""),
        };
        let turns = if chunk == i64_operand(1) {
            format!(
                "    let at = group * {width}u + lane;
    if (at < u32({points})) {{
        {place}point(at);
    }}
"
            )
        } else {
            let chunk = module.param("chunk", PrimType::I64, chunk)?;
            format!(
                "    let first = i64(group) * {chunk} * {width}li;
    if (first >= {points}) {{ return; }}
    let turns = u32(select({points}, {chunk}, {chunk} < {points}));
    for (var turn = 0u; turn < turns; turn = turn + 1u) {{
        let at = u32(first) + turn * {width}u + lane;
        if (at >= u32({points})) {{ return; }}
        {place}point(at);{stop}
    }}
"
            )
        };
        module.function(&main(width, &format!("    if (stopped()) {{ return; }}\n{turns}")));
        kernels.launch(module, sizes, chunk, host)
    }

    /// `point(at)` runs the body at flat index `at`.
    fn point_of_map(&self, module: &mut Module<'a>) -> Result<(), Diagnostic> {
        let space = &self.segment.space;
        let mut function = Function::new(module, "return;");
        for (dim, &(counter, size)) in space.iter().enumerate().rev() {
            let rest = if dim + 1 == space.len() { "at".to_owned() } else { format!("rest{dim}") };
            if dim == 0 {
                function.bind(counter, &format!("i64({rest})"));
            } else {
                let size = low_word(&function.atom(size)?);
                function.bind(counter, &format!("i64({rest} % {size})"));
                function.line(&format!("let rest{} = {rest} / {size};", dim - 1));
            }
        }
        function.body(&self.segment.body)?;
        let text = function.finish();
        module.function(&format!("fn point(at: u32) {{\n{text}}}"));
        Ok(())
    }
}

/// The entry point, around its statements. `group` is the number of the workgroup.
pub(crate) fn main(workgroup: u32, body: &str) -> String {
    format!(
        "@compute @workgroup_size({workgroup})
fn main(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {{
    let group = group_id.y * grid.x + group_id.x;
{body}}}"
    )
}

/// The values that the operators of a reduction or scan combine.
pub(crate) struct Values {
    /// Their types.
    pub types: Vec<PrimType>,
    /// Can applying the operators fail?
    pub combine_fails: bool,
}

impl Values {
    /// The types of the values.
    pub(crate) fn types(vars: &VarTable, combiners: &[Combiner]) -> Vec<PrimType> {
        let scalar = |&var: &Var| match vars[var].ty {
            Type::Scalar(ty) => Some(ty),
            _ => None,
        };
        combiners.iter().flat_map(|combiner| &combiner.left).filter_map(scalar).collect()
    }

    /// Adds the struct `Values`, and `neutral` and `combine` on it.
    pub(crate) fn declare(module: &mut Module, combiners: &[Combiner]) -> Result<Values, Diagnostic> {
        let types = Values::types(module.vars, combiners);
        let mut text = String::from("struct Values {\n");
        for (at, &ty) in types.iter().enumerate() {
            text.push_str(&format!("    v{at}: {},\n", type_name(ty, module.span)?));
        }
        module.function(&(text + "}"));

        let mut function = Function::new(module, "");
        let neutral = combiners.iter().flat_map(|combiner| &combiner.neutral);
        let neutral = neutral.map(|&atom| function.atom(atom)).collect::<Result<Vec<_>, _>>()?.join(", ");
        module.function(&format!("fn neutral() -> Values {{\n    return Values({neutral});\n}}"));

        let mut function = Function::new(module, "return Values();");
        let mut results = Vec::new();
        let mut at = 0;
        for combiner in combiners {
            for (&left, &right) in combiner.left.iter().zip(&combiner.right) {
                function.know(left, format!("a.v{at}"));
                function.know(right, format!("b.v{at}"));
                at += 1;
            }
            results.extend(function.body(&combiner.body)?);
        }
        let text = function.finish();
        let results = results.join(", ");
        module.function(&format!(
            "fn combine(a: Values, b: Values) -> Values {{\n{text}    return Values({results});\n}}"
        ));
        Ok(Values { types, combine_fails: module.is_fallible() })
    }

    /// Adds `point(i)`, the body's results at index `i`.
    pub(crate) fn point(module: &mut Module, segment: &GridSegment) -> Result<(), Diagnostic> {
        let mut function = Function::new(module, "return Values();");
        if let [(counter, _)] = segment.space[..] {
            function.know(counter, "i".to_owned());
        }
        let results = function.body(&segment.body)?.join(", ");
        let text = function.finish();
        module.function(&format!("fn point(i: i64) -> Values {{\n{text}    return Values({results});\n}}"));
        Ok(())
    }

    /// Adds `fold(first, start)`: `start` combined with the points of the chunk from `first` on. A
    /// statement `each` runs after every point, with the value so far in `sum` and the index in `i`.
    pub(crate) fn fold(
        module: &mut Module,
        n: Operand,
        chunk: Operand,
        each: &str,
    ) -> Result<(), Diagnostic> {
        let n = module.param("n", PrimType::I64, n)?;
        let chunk = module.param("chunk", PrimType::I64, chunk)?;
        let stop = if module.is_fallible() { "\n        if (failed) { break; }" } else { "" };
        module.function(&format!(
            "fn fold(thread: u32, start: Values) -> Values {{
    let first = i64(thread) * {chunk};
    let last = first + select({n} - first, {chunk}, {chunk} < {n} - first);
    var sum = start;
    for (var i = first; i < last; i = i + 1li) {{
        let next = point(i);{stop}
        sum = combine(sum, next);{stop}{each}
    }}
    return sum;
}}"
        ));
        Ok(())
    }

    /// How many threads of a workgroup can keep their values in its memory.
    pub(crate) fn workgroup(types: &[PrimType]) -> u32 {
        /// Every device has this much.
        const WORKGROUP_BYTES: usize = 16_384 - 64;
        let bytes: usize = types.iter().map(|&ty| plan::device_bytes(ty)).sum();
        let mut width = plan::WORKGROUP;
        while width > 32 && width as usize * bytes > WORKGROUP_BYTES {
            width /= 2;
        }
        width
    }

    /// Adds the workgroup's memory, one array a value, and `shared_get(at)` and `shared_put(at, values)` on it.
    pub(crate) fn shared(&self, module: &mut Module, width: u32) -> Result<(), Diagnostic> {
        let mut put = String::from("fn shared_put(at: u32, values: Values) {\n");
        let mut get = Vec::new();
        for (at, &ty) in self.types.iter().enumerate() {
            let elem = crate::scalar::stored_type(ty, module.span)?;
            module.workgroup_var(&format!("shared{at}"), &format!("array<{elem}, {width}>"));
            let value = crate::scalar::to_stored(ty, &format!("values.v{at}"));
            put.push_str(&format!("    shared{at}[at] = {value};\n"));
            get.push(crate::scalar::from_stored(ty, format!("shared{at}[at]")));
        }
        module.workgroup_var("skip", "u32");
        module.workgroup_var("broken", "atomic<u32>");
        module.function(&(put + "}"));
        let get = get.join(", ");
        module.function(&format!("fn shared_get(at: u32) -> Values {{\n    return Values({get});\n}}"));
        Ok(())
    }

    /// Adds `NAME_get(at)` or `NAME_put(at, values)` on scratch blocks, one a value.
    pub(crate) fn scratch(
        &self,
        module: &mut Module,
        name: &str,
        blocks: &[Slot],
        access: Access,
    ) -> Result<(), Diagnostic> {
        let mut put = format!("fn {name}_put(at: u32, values: Values) {{\n");
        let mut get = Vec::new();
        for (at, (&ty, &slot)) in self.types.iter().zip(blocks).enumerate() {
            let block = module.block(&format!("{name}{at}"), ty, slot, access == Access::Write)?;
            let value = crate::scalar::to_stored(ty, &format!("values.v{at}"));
            put.push_str(&format!("    {block}[at] = {value};\n"));
            get.push(crate::scalar::from_stored(ty, format!("{block}[at]")));
        }
        match access {
            Access::Write => module.function(&(put + "}")),
            Access::Read => {
                let get = get.join(", ");
                module
                    .function(&format!("fn {name}_get(at: u32) -> Values {{\n    return Values({get});\n}}"));
            }
        }
        Ok(())
    }

    /// Adds `finish(values)` or `finish(i, values)`, which stores to the operators' `outs`.
    pub(crate) fn finish(
        module: &mut Module,
        combiners: &[Combiner],
        indices: &[String],
    ) -> Result<(), Diagnostic> {
        let mut function = Function::new(module, "return;");
        for (at, &out) in combiners.iter().flat_map(|combiner| &combiner.outs).enumerate() {
            function.store(out, indices, &format!("values.v{at}"))?;
        }
        let text = function.finish();
        let index: String = indices.iter().map(|index| format!("{index}: i64, ")).collect();
        module.function(&format!("fn finish({index}values: Values) {{\n{text}}}"));
        Ok(())
    }
}

/// What a kernel does with scratch blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// Statements at the start of a kernel with barriers: leave it together if an earlier launch failed,
/// and number the thread.
pub(crate) fn enter(fallible: bool, width: u32) -> String {
    let place = if fallible { "    place = thread;\n" } else { "" };
    format!(
        "    if (lane == 0u) {{
        skip = select(0u, 1u, stopped());
        atomicStore(&broken, 0u);
    }}
    if (workgroupUniformLoad(&skip) != 0u) {{ return; }}
    let base = group * {width}u;
    let thread = base + lane;
{place}"
    )
}

/// The number of threads that take `n` points by chunks.
pub(crate) fn threads(host: &mut HostBuilder, n: Operand, chunk: Operand) -> Operand {
    // Not (n + chunk - 1) / chunk, which overflows for the largest chunks.
    let whole = host.binary(BinOp::Quot, n, chunk);
    let rest = host.binary(BinOp::Rem, n, chunk);
    let more = host.binary(BinOp::Min, rest, i64_operand(1));
    host.binary(BinOp::Add, whole, more)
}

/// `count` in groups of `width`.
pub(crate) fn groups(host: &mut HostBuilder, count: Operand, width: u32) -> Operand {
    let padded = host.binary(BinOp::Add, count, i64_operand(i64::from(width) - 1));
    host.binary(BinOp::Quot, padded, i64_operand(i64::from(width)))
}
