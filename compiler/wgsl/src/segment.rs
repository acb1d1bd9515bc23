//! What the kernels of all segments have in common, and the kernel of a map.
//!
//! A map's thread takes points that are one workgroup apart, so that neighbouring threads touch
//! neighbouring elements; it is numbered, for failures, by the point it is at.

use ravel_abi::plan::{Operand, Worker};
use ravel_base::Diagnostic;
use ravel_kernel::{Body, GridSegment, SegmentKind, Target, Thread, VarTable};
use ravel_prim::{BinOp, PrimType};

use crate::function::{Function, Index};
use crate::host::{HostBuilder, Kernels, i64_operand, operand};
use crate::module::Module;

/// A segment to be compiled.
pub(crate) struct Segment<'s, 'a> {
    /// The segment.
    pub segment: &'s GridSegment,
    /// What becomes of the results of its threads.
    pub kind: &'s SegmentKind,
    /// The code of one of its threads.
    pub body: &'s Body<Thread>,
    /// What is known of the entry point's variables.
    pub vars: &'a VarTable,
    /// The start of the names of its kernels.
    pub name: String,
    /// The description of the GPU.
    pub target: &'a Target,
}

impl<'a> Segment<'_, 'a> {
    /// Adds the segment's kernels and the steps that launch them.
    pub(crate) fn compile(&self, kernels: &mut Kernels, host: &mut HostBuilder) -> Result<(), Diagnostic> {
        match self.kind {
            SegmentKind::Map => self.map(kernels, host),
            SegmentKind::Reduce(combiners) => crate::reduce::compile(self, combiners, kernels, host),
            SegmentKind::Scan(combiners) => crate::scan::compile(self, combiners, kernels, host),
        }
    }

    /// An empty module for one of the segment's kernels.
    pub(crate) fn module(&self, suffix: &str, workgroup: u32) -> Module<'a> {
        let name = format!("{}{suffix}", self.name);
        Module::new(self.vars, self.segment.span, name, workgroup, Worker::Thread)
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
        let width = self.target.workgroup;
        let mut module = self.module("", width);
        self.point_of_map(&mut module)?;
        let points = module.param("points", PrimType::I64, points);
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
            let chunk = module.param("chunk", PrimType::I64, chunk);
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
        kernels.launch(module, sizes, chunk, host);
        Ok(())
    }

    /// `point(at)` runs the body at flat index `at`.
    fn point_of_map(&self, module: &mut Module<'a>) -> Result<(), Diagnostic> {
        let mut function = Function::<Thread>::new(module, "return;", None);
        function.bind_counters(&self.segment.space, "at", Index::Word)?;
        function.body(self.body)?;
        function.define("point".to_owned(), "at: u32", "", "").map(|_| ())
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
    let group = params.first_group + group_id.y * grid.x + group_id.x;
{body}}}"
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
    threads(host, count, i64_operand(i64::from(width)))
}
