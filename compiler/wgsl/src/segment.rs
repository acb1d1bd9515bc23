//! Segments whose points are threads: the common parts of their kernels, and the kernel of a map.
//!
//! A thread of a map computes points that are one workgroup apart, so that neighbouring threads access neighbouring
//! elements. A failure is reported with the number of the thread's current point.

use ravel_abi::plan::{Operand, Worker};
use ravel_base::{Diagnostic, Span};
use ravel_kernel::{Body, GridSegment, SegmentKind, Target, Thread, VarTable};
use ravel_prim::{BinOp, PrimType, PrimValue};

use crate::function::{Callee, Function, Index};
use crate::host::{HostBuilder, Kernels, i64_operand, operand};
use crate::kernel::Kernel;
use crate::shader::{self, Block, Exp};
use crate::statement::{current_point, failed, stopped};

/// A segment to be compiled.
pub(crate) struct Segment<'s, 'a> {
    /// The segment.
    pub segment: &'s GridSegment,
    /// Its place in the source.
    pub place: Option<Span>,
    /// How the results of its threads are combined or stored.
    pub kind: &'s SegmentKind,
    /// The code of one of its threads.
    pub body: &'s Body<Thread>,
    /// The variables of the entry point.
    pub vars: &'a VarTable,
    /// The prefix of the names of its kernels.
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
            SegmentKind::Scan(combiners, finish) => {
                crate::scan::compile(self, (combiners, finish.as_ref()), kernels, host)
            }
        }
    }

    /// One of the kernels of a reduction or scan, with an empty module. A workgroup computes each point of a launch.
    pub(crate) fn kernel(&self, suffix: &str, workgroup: u32) -> Kernel<'a> {
        let name = format!("{}{suffix}", self.name);
        Kernel::new(self.vars, self.place, name, workgroup, Worker::Workgroup)
    }

    /// The size of the space of a reduction or scan, which has one dimension, and the chunk.
    pub(crate) fn size_and_chunk(&self) -> Result<(Operand, Operand), Diagnostic> {
        match self.segment.space[..] {
            [(_, size)] => Ok((operand(size), operand(self.segment.chunk))),
            _ => Err(Diagnostic::bug("wgsl: a reduction or scan of rows outside of workgroups".to_owned())),
        }
    }

    fn map(&self, kernels: &mut Kernels, host: &mut HostBuilder) -> Result<(), Diagnostic> {
        let sizes: Vec<Operand> = self.segment.space.iter().map(|&(_, size)| operand(size)).collect();
        let chunk = operand(self.segment.chunk);
        let mut points = i64_operand(1);
        for &size in &sizes {
            points = host.binary(BinOp::Mul, points, size);
        }
        let width = self.target.workgroup;
        let mut kernel = Kernel::new(self.vars, self.place, self.name.clone(), width, Worker::Thread);
        let point = self.point_of_map(&mut kernel)?;
        let points = kernel.param("points", PrimType::I64, points);
        let fallible = kernel.is_fallible();
        let take = |body: &mut Block, at: Exp| {
            if fallible {
                body.assign(&current_point(), &at);
            }
            body.run(point.call([at]));
        };
        let point_count = points.clone().convert(PrimType::U32);
        if chunk == i64_operand(1) {
            main(&mut kernel, |body, group, lane| {
                body.when(stopped(), Block::leave);
                let at = body.bind("at", group * width + lane);
                body.when(at.lt(point_count), |body| take(body, at.clone()));
            });
        } else {
            let chunk = kernel.param("chunk", PrimType::I64, chunk);
            main(&mut kernel, |body, group, lane| {
                body.when(stopped(), Block::leave);
                let threads = Exp::literal(PrimValue::I64(width.into()));
                let first = body.bind("first", group.clone().convert(PrimType::I64) * &chunk * threads);
                body.when(first.ge(&points), Block::leave);
                let turns = Exp::select(chunk.lt(&points), &chunk, &points);
                let turns = body.bind("turns", turns.convert(PrimType::U32));
                body.count(
                    "turn",
                    0.into(),
                    |turn| turn.lt(turns),
                    |turn| turn + 1,
                    |body, turn| {
                        let at = body.bind("at", first.convert(PrimType::U32) + turn * width + lane);
                        body.when(at.ge(point_count), Block::leave);
                        take(body, at);
                        if fallible {
                            body.when(failed(), Block::leave);
                        }
                    },
                );
            });
        }
        kernels.launch(kernel, sizes, chunk, host);
        Ok(())
    }

    /// Adds `point(at)`, which runs the body at flat index `at`.
    fn point_of_map(&self, kernel: &mut Kernel<'a>) -> Result<Callee, Diagnostic> {
        let at = Exp::word("at");
        let mut function = Function::<Thread>::new(kernel, Block::new(Block::leave), None);
        function.bind_counters(&self.segment.space, &at, Index::Word)?;
        function.stms(self.body)?;
        function.define("point", &[&at], None)
    }
}

/// Builds the entry point. `build` gets the number of the workgroup, and the number of the thread in the workgroup.
pub(crate) fn main(kernel: &mut Kernel, build: impl FnOnce(&mut Block, &Exp, &Exp)) {
    let word = shader::Type::Scalar(PrimType::U32);
    let part = |of: &'static str, part: &'static str| {
        Exp::name(of, shader::Type::Struct("vec3<u32>".into())).member(part, word)
    };
    kernel.main(|body| {
        let first = Exp::name("params", shader::Type::Struct("Params".into())).member("first_group", word);
        let group = first + part("group_id", "y") * part("grid", "x") + part("group_id", "x");
        let group = body.bind("group", group);
        build(body, &group, &Exp::word("lane"));
    });
}

/// The number of threads for `n` points in chunks of this size.
pub(crate) fn threads(host: &mut HostBuilder, n: Operand, chunk: Operand) -> Operand {
    // Not (n + chunk - 1) / chunk, which overflows for the largest chunks.
    let whole = host.binary(BinOp::Quot, n, chunk);
    let rest = host.binary(BinOp::Rem, n, chunk);
    let more = host.binary(BinOp::Min, rest, i64_operand(1));
    host.binary(BinOp::Add, whole, more)
}

/// The number of groups of `width` that hold `count`.
pub(crate) fn groups(host: &mut HostBuilder, count: Operand, width: u32) -> Operand {
    threads(host, count, i64_operand(i64::from(width)))
}
