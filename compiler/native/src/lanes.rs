//! Strips in vectors of 128 bits: the emitter of the vector form that works on every processor that Cranelift knows.
//!
//! A varying value takes several registers, so that independent instructions hide latency: four lanes are two registers
//! of f64; if nothing has 64 bits, eight lanes are two registers of f32. A varying bool is a mask, in which the lanes
//! of true have all bits set; masks have the width of the widest varying value of the strip. What has no vector
//! instruction is computed lane by lane by scalar code.
//!
//! `walk` runs strips as long as the points of a row suffice, and the scalar code of a point for the rest. It also runs
//! the scalar code for the points of a strip that fails.
//!
//! Where the processor has wider vectors, `ravel_x86` makes a function from the strip instead, and `call` calls it.
//!
//! * `cost`: whether a segment runs in strips; `masks`: which branches and loops depend on masks
//! * `operator`, `convert`, `access`: expressions, conversions and accesses; `control`: branches and loops
//! * `register`: moves lanes between registers; `memory`: allocates the arrays of lanes
//! * `state`: what lanes combine

mod access;
mod call;
mod control;
mod convert;
mod cost;
mod masks;
mod memory;
mod operator;
mod register;
mod state;

use std::collections::BTreeMap;

use cranelift_codegen::ir::types::{I32X4, I64X2};
use cranelift_codegen::ir::{Block, InstBuilder, Type as ClifType, Value as Clif};
use ravel_base::IdMap;
use ravel_kernel::{Combiner, GridSegment, SegmentKind, Target, VarTable};
use ravel_prim::PrimType;
use ravel_vector::{self as form, Memory, Operand, Place, Refusal, Strip, Value};
use ravel_x86::Word;

pub(crate) use self::memory::LaneMemory;
use crate::emitter::{Emitter, TRUSTED, clif_type};
use crate::{Choice, strands};

/// The bits of a vector.
pub(crate) const BITS: u32 = 128;

/// The most statements of the operators of a reduction or scan, which run for each lane of a strip.
const MOST_COMBINED: usize = 8;

/// How several points of a segment run at once.
pub(crate) enum Plan {
    /// In vectors of this emitter.
    Inline(Strip),
    /// By a function of the emitter for x86-64.
    Function(Strip, ravel_x86::Code),
}

/// A [`Plan`] whose function has a number.
pub(crate) enum Strips {
    /// In vectors of this emitter.
    Inline(Strip),
    /// By a function.
    Function {
        /// The number of the function in the blob.
        number: usize,
        /// The strip that it runs.
        strip: Strip,
        /// The words of its argument block.
        words: Vec<Word>,
    },
}

impl Plan {
    fn strip(&self) -> &Strip {
        match self {
            Plan::Inline(strip) | Plan::Function(strip, _) => strip,
        }
    }

    /// The number of points that run at once, and the bits of the vectors.
    fn size(&self) -> (usize, u32) {
        match self {
            Plan::Inline(strip) => (lanes(strip), BITS),
            Plan::Function(strip, _) => (ravel_x86::lanes(strip), ravel_x86::BITS),
        }
    }

    /// Adds the function to the strip functions of the blob, and replaces it by its number.
    pub fn number(self, functions: &mut Vec<ravel_x86::Code>) -> Strips {
        match self {
            Plan::Inline(strip) => Strips::Inline(strip),
            Plan::Function(strip, code) => {
                let words = code.words.clone();
                functions.push(code);
                Strips::Function { number: functions.len() - 1, strip, words }
            }
        }
    }
}

impl Strips {
    fn strip(&self) -> &Strip {
        match self {
            Strips::Inline(strip) | Strips::Function { strip, .. } => strip,
        }
    }

    /// The number of points that run at once.
    pub fn lanes(&self) -> i64 {
        match self {
            Strips::Inline(strip) => lanes(strip) as i64,
            Strips::Function { strip, .. } => ravel_x86::lanes(strip) as i64,
        }
    }
}

/// How the points of a segment run in vectors of at most so many bits, if that pays. The operators are those of a reduction
/// in strands, which the lanes combine; none if the strips have the results of points.
///
/// # Errors
/// The reason why they run one by one.
pub(crate) fn plan(
    segment: &GridSegment,
    operators: &[Combiner],
    vars: &VarTable,
    bits: u32,
    choice: Choice,
) -> Result<Plan, Refusal> {
    if bits < BITS {
        return Err(Refusal::SwitchedOff);
    }
    let (kind, body) = segment.threads().ok_or(Refusal::Workgroups)?;
    if operators.is_empty() {
        if *kind != SegmentKind::Map && segment.space.len() > 1 {
            return Err(Refusal::Rows);
        }
        let combined: usize = kind.combiners().iter().map(|combiner| combiner.body.stms.len()).sum();
        if combined > MOST_COMBINED {
            return Err(Refusal::Size);
        }
    }
    let strip = form::vectorise(&segment.space, body, operators, vars)?;
    debug_assert_eq!(form::verify(&strip), Ok(()));
    if bits >= ravel_x86::BITS
        && let Ok(code) = function(&strip, strands::count(operators, vars).unwrap_or(0), choice)
    {
        return Ok(Plan::Function(strip, code));
    }
    cost::has_vectors(&strip)?;
    if choice == Choice::ByCost {
        cost::pays(&strip, lanes(&strip), BITS)?;
    }
    Ok(Plan::Inline(strip))
}

/// The function of the emitter for x86-64, if it can express the strip and that pays.
fn function(strip: &Strip, strands: usize, choice: Choice) -> Result<ravel_x86::Code, Refusal> {
    if choice == Choice::ByCost {
        cost::pays(strip, ravel_x86::lanes(strip), ravel_x86::BITS)?;
    }
    ravel_x86::compile(strip, strands)
}

/// How the points of a segment run on a target, in words: `outer, 8 lanes of f64 in 256 bits`, or `scalar: ` and the
/// reason.
pub(crate) fn describe(segment: &GridSegment, vars: &VarTable, target: &Target) -> String {
    let operators = match segment.threads() {
        Some((SegmentKind::Reduce(combiners), _)) if strands::count(combiners, vars).is_some() => combiners,
        _ => &[][..],
    };
    match plan(segment, operators, vars, target.vector_bits, Choice::ByCost) {
        Err(refusal) => format!("scalar: {refusal}"),
        Ok(plan) => {
            let (strip, (lanes, bits)) = (plan.strip(), plan.size());
            let varying =
                live(strip).into_iter().map(|value| &strip.values[value]).filter(|info| info.varying);
            let types = varying.map(|info| info.ty).filter(|&ty| ty != PrimType::Bool);
            let main = types.max_by_key(|ty| (ty.is_float(), ty.bits()));
            let of = main.map_or(String::new(), |ty| format!(" of {ty}"));
            format!("outer, {lanes} lanes{of} in {bits} bits")
        }
    }
}

/// The number of lanes of a strip.
pub(crate) fn lanes(strip: &Strip) -> usize {
    if is_wide(strip) { 4 } else { 8 }
}

/// Whether a varying value has 64 bits.
fn is_wide(strip: &Strip) -> bool {
    live(strip).into_iter().any(|value| {
        let info = &strip.values[value];
        info.varying && info.ty.bits() == 64
    })
}

/// The values that are bound in a strip, and its state.
fn live(strip: &Strip) -> Vec<Value> {
    fn of(body: &form::Body, found: &mut Vec<Value>) {
        for stm in &body.stms {
            match stm {
                form::Stm::Let { value, .. } | form::Stm::Load { value, .. } => found.push(*value),
                form::Stm::LoadRow { values, .. } => found.extend(values),
                form::Stm::If { binders, then, otherwise, .. } => {
                    of(then, found);
                    of(otherwise, found);
                    found.extend(binders);
                }
                form::Stm::Loop { binders, params, body, .. } => {
                    found.extend(params.iter().map(|(value, _)| value));
                    of(body, found);
                    found.extend(binders);
                }
                form::Stm::Store { .. } | form::Stm::Fail(_) => {}
            }
        }
    }
    let mut found = strip.state.clone();
    of(&strip.body, &mut found);
    found
}

/// A value of the strip in registers.
#[derive(Clone)]
enum Binding {
    /// One scalar.
    Uniform(Clif),
    /// The registers with its lanes.
    Varying(Vec<Clif>),
}

/// The strip under construction.
pub(crate) struct Lanes<'s> {
    strip: &'s Strip,
    /// The number of lanes.
    lanes: usize,
    /// The type of a register of a mask.
    mask: ClifType,
    values: IdMap<Value, Option<Binding>>,
    /// The addresses of the memories.
    memories: BTreeMap<Memory, Clif>,
    /// The addresses that lanes outside the mask use instead: one to load from, which holds zero, and one to store to.
    dummies: Option<(Clif, Clif)>,
    /// The block to go to if the strip fails.
    redo: Option<Block>,
}

impl<'s> Lanes<'s> {
    /// Emits a strip whose first point has this innermost counter. Goes to `redo` if it fails. Returns the results of
    /// the points: for each lane, one after the other.
    pub fn emit(
        emitter: &mut Emitter<'_, '_>,
        strip: &'s Strip,
        counter: Clif,
        redo: Block,
    ) -> Vec<Vec<Clif>> {
        let mut this = Lanes::outside(emitter, strip);
        let results = this.run(emitter, counter, redo);
        let types = || strip.body.result.iter().map(|&operand| strip.ty(operand));
        let lane = |lane| {
            results.iter().zip(types()).map(|(binding, ty)| this.lane(emitter, ty, binding, lane)).collect()
        };
        (0..this.lanes).map(lane).collect()
    }

    /// Emits the code of the strip. Returns its results.
    fn run(&mut self, emitter: &mut Emitter<'_, '_>, counter: Clif, redo: Block) -> Vec<Binding> {
        let strip = self.strip;
        for (memory, info) in strip.memories.iter() {
            let bytes = self.lanes * info.elem.bytes();
            let address = match info.place {
                Place::Block(var) => emitter.value(var),
                Place::Private(count) => emitter.on_stack(count as u32 * bytes as u32),
                Place::Preallocated(_) => emitter.lane_memory.address(memory),
            };
            self.memories.insert(memory, address);
        }
        let dummies = (emitter.on_stack(8), emitter.on_stack(8));
        let zero = emitter.index(0);
        emitter.builder.ins().store(TRUSTED, zero, dummies.0, 0);
        self.dummies = Some(dummies);
        self.redo = Some(redo);
        if let Some(first) = strip.counter {
            self.bind(first, Binding::Uniform(counter));
        }
        self.body(emitter, &strip.body)
    }

    /// A strip of which nothing is bound.
    fn new(strip: &'s Strip) -> Lanes<'s> {
        let mut values = IdMap::new();
        strip.values.iter().for_each(|_| {
            values.push(None);
        });
        let mask = if is_wide(strip) { I64X2 } else { I32X4 };
        let (lanes, memories) = (lanes(strip), BTreeMap::new());
        Lanes { strip, lanes, mask, values, memories, dummies: None, redo: None }
    }

    /// The inputs of a strip, and the values that are bound before it. Before the first row, those that depend on outer
    /// counters are not known.
    fn outside(emitter: &mut Emitter<'_, '_>, strip: &'s Strip) -> Lanes<'s> {
        let mut this = Lanes::new(strip);
        for &(value, var) in &strip.inputs {
            if let Some(known) = emitter.known(var) {
                this.bind(value, Binding::Uniform(known));
            }
        }
        for &(value, exp) in &strip.before {
            let mut values = exp.operands().into_iter().filter_map(Operand::value);
            if values.all(|operand| this.values[operand].is_some()) {
                let binding = this.exp(emitter, exp);
                this.bind(value, binding);
            }
        }
        this
    }

    fn bind(&mut self, value: Value, binding: Binding) {
        self.values[value] = Some(binding);
    }

    fn binding(&self, emitter: &mut Emitter<'_, '_>, operand: Operand) -> Binding {
        match operand {
            Operand::Value(value) => self.values[value].clone().expect("verified: bound before its use"),
            Operand::Const(constant) => Binding::Uniform(emitter.constant(constant)),
        }
    }

    /// The scalar of a value in one lane.
    fn lane(&self, emitter: &mut Emitter<'_, '_>, ty: PrimType, binding: &Binding, lane: usize) -> Clif {
        match binding {
            Binding::Uniform(scalar) => *scalar,
            Binding::Varying(registers) => self.extract(emitter, ty, registers, lane),
        }
    }

    /// A uniform operand.
    fn scalar(&self, emitter: &mut Emitter<'_, '_>, operand: Operand) -> Clif {
        match self.binding(emitter, operand) {
            Binding::Uniform(scalar) => scalar,
            Binding::Varying(_) => unreachable!("verified: uniform"),
        }
    }

    /// The registers of an operand. A uniform one is the same in all lanes.
    fn registers(&self, emitter: &mut Emitter<'_, '_>, operand: Operand) -> Vec<Clif> {
        match self.binding(emitter, operand) {
            Binding::Varying(registers) => registers,
            Binding::Uniform(scalar) => self.splat(emitter, self.strip.ty(operand), scalar),
        }
    }

    /// The Cranelift types of a value.
    fn types(&self, value: Value) -> Vec<ClifType> {
        let info = &self.strip.values[value];
        match info.varying {
            true => vec![self.register_type(info.ty); self.registers_of(info.ty)],
            false => vec![clif_type(info.ty)],
        }
    }
}
