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
//! * `plan`: whether points run in strips; `cost`: whether that pays; `recurrence`: whether the largest vectors do; `search`: which loops wait for loads; `masks`: which branches and loops depend on masks
//! * `operator`, `convert`, `access`: expressions, conversions and accesses; `control`: branches and loops
//! * `register`: moves lanes between registers; `memory`: allocates the arrays of lanes
//! * `state`: what lanes combine; `switches`: the tuning parameters that switch lanes off

mod access;
mod call;
mod control;
mod convert;
mod cost;
mod masks;
mod memory;
mod operator;
mod plan;
mod recurrence;
mod register;
mod search;
mod state;
mod switches;

use std::collections::BTreeMap;

use cranelift_codegen::ir::types::{I32X4, I64X2};
use cranelift_codegen::ir::{Block, InstBuilder, Type as ClifType, Value as Clif};
use ravel_base::IdMap;
use ravel_prim::PrimType;
use ravel_vector::{self as form, Memory, Operand, Place, Strip, Value};

pub(crate) use self::memory::LaneMemory;
pub(crate) use self::plan::{
    Plan, Strips, Vectors, describe, plan, results, strip, strip_of_loop, strip_of_scan, strip_of_segment,
};
pub(crate) use self::switches::Switches;
use crate::emitter::{Emitter, TRUSTED, clif_type};

/// The bits of a vector.
pub(crate) const BITS: u32 = 128;

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
    restart: Option<Block>,
}

impl<'s> Lanes<'s> {
    /// Emits a strip whose first point has this innermost counter. Goes to `restart` if it fails. Returns the results of
    /// the points: for each lane, one after the other.
    pub fn emit(
        emitter: &mut Emitter<'_, '_>,
        strip: &'s Strip,
        counter: Clif,
        restart: Block,
    ) -> Vec<Vec<Clif>> {
        let mut this = Lanes::outside(emitter, strip);
        let results = this.run(emitter, counter, restart);
        let types = || strip.body.result.iter().map(|&operand| strip.ty(operand));
        let lane = |lane| {
            results.iter().zip(types()).map(|(binding, ty)| this.lane(emitter, ty, binding, lane)).collect()
        };
        (0..this.lanes).map(lane).collect()
    }

    /// Emits the code of the strip. Returns its results.
    fn run(&mut self, emitter: &mut Emitter<'_, '_>, counter: Clif, restart: Block) -> Vec<Binding> {
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
        self.restart = Some(restart);
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
        Lanes { strip, lanes, mask, values, memories, dummies: None, restart: None }
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
