//! The host program: kernel IR of host level as steps of the launch plan.
//!
//! A variable's slot has the variable's number. The slots that the compiler adds (sizes of scratch memory, numbers of
//! workgroups) come after these.

use ravel_abi::Data;
use ravel_abi::plan::{Body, Exp, Kernel, Launch, LoopForm, Operand, Slot, Step};
use ravel_base::id::Id;
use ravel_base::{Diagnostic, Span, Symbol};
use ravel_kernel as ir;
use ravel_kernel::{
    Atom, GridSegment, Host, MemorySites, Points, ScalarExp, SegmentKind, Stm, Target, Type, Var, VarTable,
};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use crate::kernel::{self, FinishedKernel};
use crate::segment::Segment;
use crate::workgroups::Blocks;

/// The slot of a variable.
pub(crate) fn slot_of(var: Var) -> Slot {
    Slot(var.0)
}

/// A scalar or block of the host.
pub(crate) fn operand(atom: Atom) -> Operand {
    match atom {
        Atom::Const(value) => Operand::Const(value),
        Atom::Var(var) => Operand::Slot(slot_of(var)),
    }
}

/// The constant `value` of type i64.
pub(crate) fn i64_operand(value: i64) -> Operand {
    Operand::Const(PrimValue::I64(value))
}

/// The parts of a plan that all entry points share.
#[derive(Default)]
pub(crate) struct Kernels {
    /// The kernels so far; launches refer to them by number.
    pub kernels: Vec<Kernel>,
    /// For each kernel, its place in the source.
    pub spans: Vec<Option<Span>>,
    /// The constants so far.
    pub constants: Vec<Data>,
    /// The traces so far; steps refer to them by number.
    pub traces: Vec<ir::Trace>,
    /// The versions so far, with their places; steps refer to them by number.
    pub versions: Vec<(ir::Versions, Option<Span>)>,
    /// The names of the tuning parameters; expressions refer to them by number.
    pub parameters: Vec<Symbol>,
    /// The places at which the program needs memory.
    pub memory_sites: MemorySites,
}

impl Kernels {
    /// Finishes a kernel, and adds the step that launches it.
    pub(crate) fn launch(
        &mut self,
        kernel: kernel::Kernel,
        points: Vec<Operand>,
        chunk: Operand,
        host: &mut HostBuilder,
    ) {
        self.spans.push(kernel.span);
        let FinishedKernel { kernel, blocks, scalars, inner } = kernel.finish();
        let number = self.kernels.len();
        self.kernels.push(kernel);
        host.step(Step::Launch(Launch { kernel: number, points, chunk, inner, blocks, scalars }));
    }
}

/// A body of the host program under construction.
pub(crate) struct HostBuilder {
    steps: Vec<Step>,
    releases: Vec<Slot>,
    next: u32,
    /// The number of the message for the place of the current statement, if the statement needs memory.
    site: Option<usize>,
}

impl HostBuilder {
    /// A body whose own slots are numbered from `next`.
    pub(crate) fn new(next: u32) -> HostBuilder {
        HostBuilder { steps: Vec::new(), releases: Vec::new(), next, site: None }
    }

    /// An empty body inside this one.
    pub(crate) fn nested(&self) -> HostBuilder {
        HostBuilder { site: self.site, ..HostBuilder::new(self.next) }
    }

    /// Finishes a body that `nested` began.
    pub(crate) fn join(&mut self, nested: HostBuilder, results: Vec<Operand>) -> Body {
        self.next = nested.next;
        nested.finish(results)
    }

    /// The body.
    pub(crate) fn finish(self, results: Vec<Operand>) -> Body {
        Body { steps: self.steps, results, releases: self.releases }
    }

    /// The number of slots used.
    pub(crate) fn slots(&self) -> usize {
        self.next as usize
    }

    /// Adds a step.
    pub(crate) fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Adds a load. It moves up, over choices and scalars that it does not depend on, until it follows an earlier load, because
    /// neighbouring loads cost only one read-back.
    fn load(&mut self, slot: Slot, elem: PrimType, block: Slot, index: Operand) {
        let passes = |step: &Step| match step {
            Step::Let { slot, .. } => Operand::Slot(*slot) != index,
            step => matches!(step, Step::Choose { .. }),
        };
        let at = self.steps.iter().rposition(|step| !passes(step)).map_or(0, |before| before + 1);
        let beside_load = at > 0 && matches!(self.steps[at - 1], Step::Load { .. });
        let at = if beside_load { at } else { self.steps.len() };
        self.steps.insert(at, Step::Load { slot, elem, block, index });
    }

    /// A new slot.
    pub(crate) fn slot(&mut self) -> Slot {
        self.next += 1;
        Slot(self.next - 1)
    }

    /// Releases blocks at the end of the body.
    pub(crate) fn release(&mut self, slots: &[Slot]) {
        self.releases.extend(slots);
    }

    fn bind(&mut self, exp: Exp) -> Operand {
        let slot = self.slot();
        self.step(Step::Let { slot, exp });
        Operand::Slot(slot)
    }

    /// `a op b`.
    pub(crate) fn binary(&mut self, op: BinOp, a: Operand, b: Operand) -> Operand {
        if let (Operand::Const(a), Operand::Const(b)) = (a, b)
            && let Some(value) = ravel_prim::binary(op, a, b)
        {
            return Operand::Const(value);
        }
        match (op, a, b) {
            (BinOp::Mul, one, other) | (BinOp::Mul, other, one) if one == i64_operand(1) => other,
            (BinOp::Quot, other, one) if one == i64_operand(1) => other,
            (BinOp::Rem, _, one) if one == i64_operand(1) => i64_operand(0),
            (BinOp::Add, other, zero) if zero == i64_operand(0) => other,
            _ => self.bind(Exp::Binary(op, a, b)),
        }
    }

    /// `a op b`, a bool.
    pub(crate) fn compare(&mut self, op: CmpOp, a: Operand, b: Operand) -> Operand {
        self.bind(Exp::Compare(op, a, b))
    }

    /// `a` as a value of type `ty`.
    pub(crate) fn convert(&mut self, ty: PrimType, a: Operand) -> Operand {
        match a {
            Operand::Const(value) => Operand::Const(ravel_prim::convert(value, ty)),
            Operand::Slot(_) => self.bind(Exp::Convert(ty, a)),
        }
    }

    /// A new block.
    pub(crate) fn alloc(&mut self, elem: PrimType, count: Operand) -> Slot {
        let slot = self.slot();
        self.alloc_in(slot, elem, count);
        slot
    }

    fn alloc_in(&mut self, slot: Slot, elem: PrimType, count: Operand) {
        self.step(Step::Alloc { slot, elem, count, site: self.site });
        self.release(&[slot]);
    }
}

/// Translates the bodies of one entry point.
pub(crate) struct Translator<'a, 'k> {
    /// The variables of the entry point.
    pub vars: &'a VarTable,
    /// The description of the GPU.
    pub target: &'k Target,
    /// The kernels so far, to which its kernels are added.
    pub kernels: &'k mut Kernels,
}

impl Translator<'_, '_> {
    /// Adds the steps of a body; returns its results.
    pub(crate) fn body(
        &mut self,
        body: &ir::Body<Host>,
        host: &mut HostBuilder,
    ) -> Result<Vec<Operand>, Diagnostic> {
        for step in &body.stms {
            self.step(step, host)?;
        }
        Ok(body.result.iter().map(|&atom| operand(atom)).collect())
    }

    fn nested(&mut self, body: &ir::Body<Host>, host: &mut HostBuilder) -> Result<Body, Diagnostic> {
        let mut inner = host.nested();
        let results = self.body(body, &mut inner)?;
        Ok(host.join(inner, results))
    }

    /// The slots of binders. The body releases the blocks among them at its end.
    fn binders(&self, binders: &[Var], host: &mut HostBuilder) -> Vec<Slot> {
        let is_block = |var: &&Var| matches!(self.vars[**var].ty, Type::Block(_));
        let blocks: Vec<Slot> = binders.iter().filter(is_block).map(|&var| slot_of(var)).collect();
        host.release(&blocks);
        binders.iter().map(|&var| slot_of(var)).collect()
    }

    fn step(&mut self, step: &ir::Step<Host>, host: &mut HostBuilder) -> Result<(), Diagnostic> {
        host.site = self.kernels.memory_sites.number(step.origin.path()).map(Id::index);
        match &step.stm {
            Stm::Let { var, exp } => host.step(Step::Let { slot: slot_of(*var), exp: self.translate(exp) }),
            Stm::SineCosine { sine, cosine, angle } => {
                for (var, op) in [(sine, UnOp::Sin), (cosine, UnOp::Cos)] {
                    let exp = self.translate(&ScalarExp::Unary(op, *angle));
                    host.step(Step::Let { slot: slot_of(*var), exp });
                }
            }
            Stm::View(_) => {}
            Stm::Alloc { block, count } => {
                let Type::Block(ty) = self.vars[*block].ty else { return Err(invalid_form("an allocation")) };
                host.alloc_in(slot_of(*block), ty.elem, operand(*count));
            }
            Stm::Constants { block, values } => {
                let Type::Block(ty) = self.vars[*block].ty else { return Err(invalid_form("a constant")) };
                let bytes = values
                    .iter()
                    .flat_map(|value| value.bits().to_le_bytes().into_iter().take(ty.elem.bytes()));
                let number = self.kernels.constants.len();
                self.kernels.constants.push(Data::from_bytes(ty.elem, &bytes.collect::<Vec<u8>>()));
                host.step(Step::Constants { slot: slot_of(*block), number });
                host.release(&[slot_of(*block)]);
            }
            Stm::Load { var, array, indices } => {
                let Type::Array(view) = &self.vars[*array].ty else { return Err(invalid_form("a load")) };
                let mut index = operand(view.offset);
                for (&at, &stride) in indices.iter().zip(&view.strides) {
                    let step = host.binary(BinOp::Mul, operand(at), operand(stride));
                    index = host.binary(BinOp::Add, step, index);
                }
                host.load(slot_of(*var), view.elem, slot_of(view.block), index);
            }
            Stm::If { binders, cond, then, otherwise } => {
                let then = self.nested(then, host)?;
                let otherwise = self.nested(otherwise, host)?;
                let binders = self.binders(binders, host);
                host.step(Step::If { binders, cond: operand(*cond), then, otherwise });
            }
            Stm::Loop { binders, params, form, body } => {
                let form = match *form {
                    ir::LoopForm::For { index, bound, .. } => {
                        LoopForm::For { index: slot_of(index), bound: operand(bound) }
                    }
                    ir::LoopForm::While(cond) => LoopForm::While(slot_of(cond)),
                };
                let params = params.iter().map(|&(var, init)| (slot_of(var), operand(init))).collect();
                let body = self.nested(body, host)?;
                let binders = self.binders(binders, host);
                host.step(Step::Loop { binders, params, form, body });
            }
            Stm::Assert { cond, message, args } => host.step(Step::Assert {
                cond: operand(*cond),
                message: message.index(),
                args: args.iter().map(|&atom| operand(atom)).collect(),
            }),
            Stm::Trace { trace, args } => {
                let values = args.iter().map(|&atom| operand(atom)).collect();
                host.step(Step::Trace { trace: self.kernels.traces.len(), values });
                self.kernels.traces.push(trace.clone());
            }
            Stm::Choose { versions, cond } => {
                host.step(Step::Choose { versions: self.kernels.versions.len(), cond: operand(*cond) });
                self.kernels.versions.push((*versions, step.place()));
            }
            Stm::Segment(segment) => self.segment(segment, step.place(), host)?,
            Stm::Store { .. } | Stm::Combine { .. } | Stm::Copy { .. } => {
                return Err(invalid_form("a store"));
            }
            Stm::Call { .. } => return Err(invalid_form("a call")),
        }
        Ok(())
    }

    fn translate(&self, exp: &ScalarExp) -> Exp {
        match *exp {
            ScalarExp::Atom(a) => Exp::Operand(operand(a)),
            ScalarExp::Unary(op, a) => Exp::Unary(op, operand(a)),
            ScalarExp::Binary(op, a, b) => Exp::Binary(op, operand(a), operand(b)),
            ScalarExp::Compare(op, a, b) => Exp::Compare(op, operand(a), operand(b)),
            ScalarExp::Convert(ty, a) => Exp::Convert(ty, operand(a)),
            ScalarExp::Select(cond, yes, no) => Exp::Select(operand(cond), operand(yes), operand(no)),
            ScalarExp::PrivateLimit(one) => Exp::PrivateLimit(operand(one)),
            ScalarExp::Param(name, default) => {
                let number = self.kernels.parameters.iter().position(|&known| known == name);
                Exp::Param(number.map_or(u32::MAX, |number| number as u32), default)
            }
        }
    }

    fn segment(
        &mut self,
        segment: &GridSegment,
        place: Option<Span>,
        host: &mut HostBuilder,
    ) -> Result<(), Diagnostic> {
        let word = match &segment.points {
            Points::Threads { kind: SegmentKind::Map, .. } => "map",
            Points::Threads { kind: SegmentKind::Reduce(_), .. } => "reduce",
            Points::Threads { kind: SegmentKind::Scan(..), .. } => "scan",
            Points::Workgroups(_) => "blocks",
        };
        let hint = segment.hint.map_or(word, |hint| hint.as_str());
        let name = format!("{hint}_{}", self.kernels.kernels.len());
        match &segment.points {
            Points::Threads { kind, body } => {
                Segment { segment, place, kind, body, vars: self.vars, name, target: self.target }
                    .compile(self.kernels, host)
            }
            Points::Workgroups(body) => {
                let blocks = Blocks { segment, place, body, vars: self.vars, name, target: self.target };
                blocks.compile(self.kernels, host)
            }
        }
    }
}

/// The bug for a form that the verifier rejects for this target.
fn invalid_form(what: &str) -> Diagnostic {
    Diagnostic::bug(format!("wgsl: {what} of host level that no GPU program may hold"))
}
