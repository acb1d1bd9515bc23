//! The kernel of a segment of workgroups.
//!
//! Its function `block` runs the body of a workgroup at the point with the workgroup's number.

use std::collections::BTreeSet;

use ravel_abi::plan::{Operand, Worker};
use ravel_base::{Diagnostic, Span};
use ravel_kernel::{
    Body, GridSegment, InnerSegment, Space, Target, Type, Uses, Var, VarTable, Visit, Workgroup,
    WorkgroupMemory, combined_blocks,
};
use ravel_prim::{BinOp, PrimType};

use super::{State, group, lane, span};
use crate::exchange::{Status, report_failure};
use crate::function::{Function, Index};
use crate::host::{HostBuilder, Kernels, i64_operand, operand};
use crate::kernel::Kernel;
use crate::segment::main;
use crate::shader::{self, Exp};
use crate::statement::current_point;

/// A segment of workgroups to be compiled.
pub(crate) struct Blocks<'s, 'a> {
    /// The segment.
    pub segment: &'s GridSegment,
    /// Its place in the source.
    pub place: Option<Span>,
    /// The code of one of its workgroups.
    pub body: &'s Body<Workgroup>,
    /// The variables of the entry point.
    pub vars: &'a VarTable,
    /// The name of its kernel.
    pub name: String,
    /// The description of the GPU.
    pub target: &'a Target,
}

impl Blocks<'_, '_> {
    /// Adds the segment's kernel and the step that launches it.
    pub(crate) fn compile(self, kernels: &mut Kernels, host: &mut HostBuilder) -> Result<(), Diagnostic> {
        let Blocks { segment, place: source, body, vars, name, target } = self;
        let sizes: Vec<Operand> = segment.space.iter().map(|&(_, size)| operand(size)).collect();
        let mut points = i64_operand(1);
        for &size in &sizes {
            points = host.binary(BinOp::Mul, points, size);
        }
        let memory = WorkgroupMemory::of(body, vars);
        let width = memory.threads(target);
        let combines = memory.combined > 0;
        let mut kernel = Kernel::new(vars, source, name, width, Worker::Workgroup);

        let leave = shader::Block::new(|body| {
            body.run(report_failure(current_point()));
            body.leave();
        });
        let mut function = Function::<Workgroup>::new(&mut kernel, leave, None);
        function.state = State {
            reread: loaded_and_stored(segment, vars),
            combined: combined_blocks(body, vars),
            index: Numbers::index(segment, body),
            ..State::default()
        };
        function.bind_counters(&segment.space, &group(), Index::Word)?;
        function.stms(body)?;
        let params = [group(), lane(), span()];
        let params = params.iter().take(if combines { 3 } else { 2 });
        let block = function.define("block", &params.collect::<Vec<_>>(), None)?;

        let points = kernel.param("points", PrimType::I64, points);
        let status = Status::declare(&mut kernel);
        main(&mut kernel, |body, group, lane| {
            status.begin(body, lane);
            let mut args = vec![group.clone(), lane.clone()];
            if combines {
                let (number, span) = (body.var("number", lane.clone()), body.var("span", 1.into()));
                body.with_subgroups(|body| number_by_subgroups(body, &number, &span, width));
                args = vec![group.clone(), number, span];
            }
            body.when(group.lt(points.convert(PrimType::U32)), |body| body.run(block.call(args)));
        });
        kernels.launch(kernel, sizes, i64_operand(1), host);
        Ok(())
    }
}

/// Renumbers the threads of a workgroup so that the threads of a subgroup have consecutive numbers, if all subgroups
/// are full. The device's own numbers need not have this property.
fn number_by_subgroups(body: &mut shader::Block, number: &Exp, span: &Exp, width: u32) {
    let size = Exp::word("subgroup_size");
    body.when((&size * Exp::word("num_subgroups")).equals(width), |body| {
        body.assign(number, Exp::word("subgroup_id") * &size + Exp::word("subgroup_invocation_id"));
        body.assign(span, size.clone());
    });
}

/// The blocks of device memory that the segment both stores to and loads from.
fn loaded_and_stored(segment: &GridSegment, vars: &VarTable) -> BTreeSet<Var> {
    let in_device = |block: Var| matches!(vars[block].ty, Type::Block(block) if block.space == Space::Device);
    let uses = Uses::of_segment(segment, vars).blocks;
    uses.iter()
        .filter(|used| used.read && used.written && in_device(used.block))
        .map(|used| used.block)
        .collect()
}

/// Finds the type of the numbers of points in inner segments. The host checks that they fit in 32 bits, if it knows all
/// sizes.
struct Numbers {
    /// The variables and counters that the body binds.
    bound: BTreeSet<Var>,
    index: Index,
}

impl Numbers {
    fn index(segment: &GridSegment, body: &Body<Workgroup>) -> Index {
        let mut numbers = Numbers { bound: BTreeSet::new(), index: Index::Word };
        numbers.space(&segment.space);
        numbers.body(body);
        numbers.index
    }
}

impl Visit for Numbers {
    fn binder(&mut self, var: &Var) {
        self.bound.insert(*var);
    }

    fn inner_segment(&mut self, segment: &InnerSegment) {
        let mut sizes = segment.space.iter().filter_map(|&(_, size)| size.var());
        if sizes.any(|size| self.bound.contains(&size)) {
            self.index = Index::Long;
        }
        self.space(&segment.space);
        self.threads(&segment.kind, &segment.body);
    }
}
