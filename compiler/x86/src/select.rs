//! Instruction selection for a *strip*: code that runs several neighbouring points at once, one in each lane. This
//! file has the loop that runs strip after strip, and chooses the registers of values.
//!
//! A strip has eight lanes if one of its varying values has 64 bits, otherwise sixteen. So the lanes of its widest values
//! take 64 bytes: two registers of 256 bits or one of 512 bits, which have the same latency. Smaller values take a register
//! of half that size. A varying bool is a mask, in which the lanes of true have all bits set; masks have the width of the
//! widest varying value of the strip.
//!
//! A uniform float is a vector register in which all lanes are the same, and is computed by vector instructions. Other
//! uniform values are in general registers; their upper bits are zero.
//!
//! The inputs of a strip are loaded once, before the loop over strips. A constant that is the same in all lanes is
//! a memory operand, so it needs no register.
//!
//! Three kinds of values stay in registers until the function ends: those that the lanes combine from strip to strip
//! (`state`), the totals of results (`fold`), and what a scan carries (`scan`).
//!
//! The files: `statement` has branches and loops, `scalar` uniform values, `operator`, `product`, `divide`, `convert`, `access`,
//! `interleaved`, `rising`, `rows` and `small` the expressions and accesses in lanes, `masks` comparisons and masked instructions, `operands` the registers
//! and constants that their instructions use.

mod access;
mod convert;
mod divide;
mod fold;
mod interleaved;
mod masks;
mod operands;
mod operator;
mod product;
mod rising;
mod rows;
mod scalar;
mod scan;
mod small;
mod state;
mod statement;

use std::collections::{BTreeMap, BTreeSet};

use ravel_prim::{PrimType, PrimValue};
use ravel_vector::{Body, Memory, Place, Refusal, Stm, Strip, Value};
use regalloc2::{PReg, RegClass, VReg};

use self::interleaved::RowAddresses;
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{self, Address, Condition, Function, Kind, Label, Source};
use crate::{BATCH, Extension, Results, Word};

/// The bytes of the lanes of the widest values.
const LANES_BYTES: usize = 64;

/// The last points of a row run in lanes if they fill this part of them: a strip takes the time of a few points.
const FEWEST_PART: usize = 4;

/// A value of the strip in registers.
#[derive(Clone, Debug)]
enum Binding {
    /// An integer or a bool, the same in all lanes.
    General(VReg),
    /// The sum of a uniform i64 and a constant. An address operand can contain such a sum, so it needs no
    /// instruction.
    Sum(VReg, i32),
    /// A float, the same in all lanes.
    Splat(VReg),
    /// A constant, the same in all lanes.
    Constant(PrimValue),
    /// The registers with the lanes.
    Lanes(Vec<VReg>),
}

/// Where a memory block begins, and how its elements are laid out.
#[derive(Clone, Copy, Debug)]
enum Base {
    /// At this address. All lanes share it.
    Block(VReg),
    /// At this address, interleaved: element `i` of lane `l` is element `i * lanes + l`.
    Lanes(VReg),
    /// At this offset of the arrays on the stack, interleaved.
    Frame(i32),
}

/// The strip under construction.
pub(crate) struct Selector<'s> {
    strip: &'s Strip,
    function: Function,
    lanes: usize,
    /// The bytes of a lane of a mask.
    mask_bytes: usize,
    values: BTreeMap<Value, Binding>,
    /// Integers of 64 bits whose upper half is known to be zero.
    halves: BTreeSet<Value>,
    /// The values that are bound before the loop over strips, so they are the same in every strip.
    invariant: BTreeSet<Value>,
    /// For invariant integers, the vector registers that hold the integer in all lanes.
    splats: BTreeMap<Value, VReg>,
    /// For an invariant distance between lanes, as a number of elements and the size of an element: registers with
    /// the distance in bytes, and with three times this distance.
    strides: BTreeMap<(Value, usize), [VReg; 2]>,
    memories: BTreeMap<Memory, Base>,
    /// The parts of positions in interleaved arrays.
    row_addresses: RowAddresses,
    /// The words of the argument block.
    words: Vec<Word>,
    arguments: VReg,
    counter: VReg,
    /// The address of the stop flag, if a loop polls it.
    stop: Option<VReg>,
    /// The address to which lanes that a mask excludes store instead.
    discarded_store: Option<VReg>,
    /// The blocks that lead to the end of the function because a strip failed.
    cold: Vec<Label>,
    /// The contiguous loads of small elements that all lanes have already executed when the current block begins:
    /// the memory, and the position of lane 0 as a base and an offset.
    known_loads: Vec<(Memory, VReg, i32)>,
}

/// The number of lanes of a strip.
pub(crate) fn lanes(strip: &Strip) -> usize {
    LANES_BYTES / widest(strip)
}

/// The bytes of the widest varying value.
fn widest(strip: &Strip) -> usize {
    let bytes = |value: Value| {
        let info = &strip.values[value];
        if info.varying && info.ty.bytes() == 8 { 8 } else { 4 }
    };
    bound_values(&strip.body).into_iter().chain(strip.state.iter().copied()).map(bytes).max().unwrap_or(4)
}

/// The values that the statements of a body bind.
fn bound_values(body: &Body) -> Vec<Value> {
    let mut bound = Vec::new();
    add_bound_values(body, &mut bound);
    bound
}

fn add_bound_values(body: &Body, bound: &mut Vec<Value>) {
    for stm in &body.stms {
        match stm {
            Stm::Let { value, .. } | Stm::Load { value, .. } => bound.push(*value),
            Stm::LoadRow { values, .. } => bound.extend(values),
            Stm::If { binders, then, otherwise, .. } => {
                add_bound_values(then, bound);
                add_bound_values(otherwise, bound);
                bound.extend(binders);
            }
            Stm::Loop { binders, params, body, .. } => {
                bound.extend(params.iter().map(|&(value, _)| value));
                add_bound_values(body, bound);
                bound.extend(binders);
            }
            Stm::Store { .. } | Stm::Fail(_) => {}
        }
    }
}

/// Selects the instructions of a function that runs strips. Returns the words of its argument block too.
///
/// # Errors
/// The reason why there are no instructions for the strip.
pub(crate) fn select(
    strip: &Strip,
    outcome: Results<'_>,
    extension: Extension,
) -> Result<(Function, Vec<Word>), Refusal> {
    for value in bound_values(&strip.body).into_iter().chain(strip.state.iter().copied()) {
        check_type(&strip.values[value])?;
    }
    for value in strip.used_inputs() {
        check_type(&strip.values[value])?;
    }
    let mut function = Function::new(extension);
    let labels = [(); 5].map(|()| function.label());
    let [entry, test, run, done, restart] = labels;
    let parameters = [(); 4].map(|()| function.general());
    let [arguments, first, end, results] = parameters;
    let counter = function.general();
    function.begin(entry, Vec::new());
    // The registers of the calling convention: rdi, rsi, rdx, rcx.
    let argument_registers = [7, 6, 2, 1];
    let defined = parameters.into_iter().zip(argument_registers).map(|(register, number)| {
        regalloc2::Operand::reg_fixed_def(register, PReg::new(number, RegClass::Int))
    });
    let defined = defined.collect();
    function.is_before = true;
    function.push(Kind::Entry, defined, None);
    function.is_before = false;
    let mut selector = Selector {
        strip,
        function,
        lanes: lanes(strip),
        mask_bytes: widest(strip),
        values: BTreeMap::new(),
        halves: BTreeSet::new(),
        invariant: BTreeSet::new(),
        splats: BTreeMap::new(),
        strides: BTreeMap::new(),
        memories: BTreeMap::new(),
        row_addresses: RowAddresses::of(strip),
        words: Vec::new(),
        arguments,
        counter,
        stop: None,
        discarded_store: None,
        cold: Vec::new(),
        known_loads: Vec::new(),
    };
    selector.load_inputs();
    let strands = if let Results::Strands(strands) = outcome { strands } else { 0 };
    let mut state = selector.load_state(strands, results)?;
    let mut totals = selector.load_totals(outcome, results)?;
    let mut carry = selector.load_carry(results);
    let kept = [state.registers(), totals.registers(), carry.clone()].concat();
    selector.function.jump(test, [&[first][..], &kept].concat());

    state.refresh(&mut selector.function);
    totals.refresh(&mut selector.function);
    carry.iter_mut().for_each(|register| *register = selector.function.like(*register));
    let kept = [state.registers(), totals.registers(), carry.clone()].concat();
    selector.function.begin(test, [&[counter][..], &kept].concat());
    let next = selector.sum(counter, selector.lanes as i32);
    selector.function.perform(Op::Cmp, Size::G64, &[next], Some(end.into()), 0);
    if strip.repeatable && kept.is_empty() {
        let few = selector.function.label();
        selector.function.branch(Condition::GREATER, few, run);
        selector.overlap(few, (test, done), (first, end));
    } else {
        selector.function.branch(Condition::GREATER, done, run);
    }

    selector.function.begin(run, Vec::new());
    if statement::statements(&strip.body).is_none() {
        selector.poll();
    }
    selector.bind_state(&state);
    selector.bind_carry(&carry);
    selector.statements(&strip.body.stms)?;
    let next_state = selector.next_state(&state);
    let next_totals = selector.next_totals(&totals);
    let next_carry = selector.next_carry();
    if outcome == Results::Stored {
        selector.store_results(first, results)?;
    }
    let next = selector.sum(counter, selector.lanes as i32);
    selector.function.jump(test, [&[next][..], &next_state, &next_totals, &next_carry].concat());
    for cold in std::mem::take(&mut selector.cold) {
        selector.function.begin(cold, Vec::new());
        selector.function.jump(restart, Vec::new());
    }
    for end in [done, restart] {
        selector.function.begin(end, Vec::new());
        selector.store_state(&state, first, results);
        selector.store_totals(&totals, results);
        selector.store_carry(&carry, results);
        selector.function.return_value(counter);
    }
    selector.function.finish();
    Ok((selector.function, selector.words))
}

/// Checks that values of this type can be held in registers.
fn check_type(info: &ravel_vector::ValueInfo) -> Result<(), Refusal> {
    let fits = info.ty.bytes() >= 4 || info.ty == PrimType::Bool;
    if fits { Ok(()) } else { Err(Refusal::Type(info.ty)) }
}

/// The class of a uniform value.
fn uniform_class(ty: PrimType) -> RegClass {
    if ty.is_float() { RegClass::Float } else { RegClass::Int }
}

/// The size of general registers for a type.
fn general_size(ty: PrimType) -> Size {
    if ty.bytes() == 8 { Size::G64 } else { Size::G32 }
}

impl Selector<'_> {
    /// Runs the last points of the row if they are too few for a strip: the last strip begins with points that have run
    /// already. If so few are left that they take less time one by one, or the row is shorter than a strip, goes to `done`.
    fn overlap(&mut self, few: Label, (test, done): (Label, Label), (first, end): (VReg, VReg)) {
        let [some, enough, all, none] = [(); 4].map(|()| self.function.label());
        self.function.begin(few, Vec::new());
        let fewest = self.lanes / FEWEST_PART;
        let reached = self.sum(self.counter, fewest as i32 - 1);
        self.function.perform(Op::Cmp, Size::G64, &[reached], Some(end.into()), 0);
        self.function.branch(Condition::LESS, some, all);
        self.function.begin(some, Vec::new());
        let last = self.sum(end, -(self.lanes as i32));
        self.function.perform(Op::Cmp, Size::G64, &[last], Some(first.into()), 0);
        self.function.branch(Condition::LESS, none, enough);
        self.function.begin(enough, Vec::new());
        self.function.jump(test, vec![last]);
        for end in [all, none] {
            self.function.begin(end, Vec::new());
            self.function.jump(done, Vec::new());
        }
    }

    /// Loads the inputs and the addresses of memories.
    fn load_inputs(&mut self) {
        let strip = self.strip;
        if let Some(value) = strip.counter {
            self.values.insert(value, Binding::General(self.counter));
        }
        for (memory, info) in strip.memories.iter() {
            let start = match info.place {
                Place::Block(_) => Base::Block(self.word(Word::Memory(memory))),
                Place::Preallocated(_) => Base::Lanes(self.word(Word::Memory(memory))),
                Place::Private(count) => {
                    let bytes = count as usize * self.lanes * info.elem.bytes();
                    Base::Frame(self.function.on_stack(bytes))
                }
            };
            self.memories.insert(memory, start);
        }
        for value in strip.used_inputs() {
            let number = self.words.len();
            self.words.push(Word::Value(value));
            let source = self.word_source(number);
            let ty = strip.values[value].ty;
            let binding = self.in_preheader(|this| this.load_uniform(ty, source));
            self.values.insert(value, binding);
            self.invariant.insert(value);
            self.in_preheader(|this| this.compute_row_addresses(value));
        }
    }

    /// A new word of the argument block, loaded before the loop.
    fn word(&mut self, word: Word) -> VReg {
        let number = self.words.len();
        self.words.push(word);
        let source = self.word_source(number);
        self.in_preheader(|this| this.general(Op::Mov, Size::G64, source))
    }

    fn word_source(&self, number: usize) -> Source {
        let address = Address::Register { scale: None, displacement: 8 * number as i32 };
        Source::Memory(machine::Memory { address, registers: vec![self.arguments] })
    }

    /// Runs code whose instructions go before the loop over strips.
    fn in_preheader<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.function.is_before, true);
        let result = code(self);
        self.function.is_before = outside;
        result
    }

    /// Stores the results of the points of a strip where the caller expects them.
    fn store_results(&mut self, first: VReg, results: VReg) -> Result<(), Refusal> {
        let strip = self.strip;
        if strip.body.result.is_empty() {
            return Ok(());
        }
        let from = self.function.update(Op::Sub, Size::G64, self.counter, Some(first.into()), 0);
        for (number, &operand) in strip.body.result.iter().enumerate() {
            let ty = strip.ty(operand);
            if ty.bytes() < 4 {
                return Err(Refusal::Type(ty));
            }
            let scale = Some(if ty.bytes() == 8 { 3 } else { 2 });
            let size = self.register_size(ty);
            let registers = self.lanes_of(operand);
            for (at, register) in registers.into_iter().enumerate() {
                let displacement = (8 * BATCH * number + size.bytes() * at) as i32;
                let address = Address::Register { scale, displacement };
                let place = machine::Memory { address, registers: vec![results, from] };
                self.function.perform(Op::VmovupsStore, size, &[register], Some(Source::Memory(place)), 0);
            }
        }
        Ok(())
    }
}
