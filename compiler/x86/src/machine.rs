//! Machine code before register allocation: instructions over virtual registers, in basic blocks with parameters.
//!
//! Flags are implicit: an instruction that sets them comes immediately before the one that reads them. Only moves, which
//! keep flags, are inserted between them.

use std::collections::BTreeSet;

use regalloc2::{Operand, OperandKind, PReg, RegClass, VReg};

use crate::Extension;
use crate::encode::Size;
use crate::instruction::Op;

/// The class of mask registers.
pub(crate) const MASK: RegClass = RegClass::Vector;

/// A place in the code: the beginning of a basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Label(pub usize);

/// A condition of the flags, by its number in opcodes. `Condition(number ^ 1)` is the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition(pub u8);

impl Condition {
    /// Of `Vptest`: all bits of the second operand are set in the first.
    pub const ALL: Condition = Condition(2);
    pub const NOT_EQUAL: Condition = Condition(5);
    pub const LESS: Condition = Condition(0xc);
    pub const GREATER: Condition = Condition(0xf);

    pub fn opposite(self) -> Condition {
        Condition(self.0 ^ 1)
    }
}

/// The address of an operand. Its registers are the last operands of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A base, an index times `2^scale` if there is one, and a displacement.
    Register { scale: Option<u8>, displacement: i32 },
    /// So many bytes after the beginning of the function's arrays on the stack, and an index times `2^scale`.
    Frame { scale: Option<u8>, displacement: i32 },
    /// A constant at this offset.
    Constant(usize),
}

/// The kind of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An instruction of the table. If it is `tied`, the second register must be the destination, and is not encoded.
    Table { op: Op, size: Size, immediate: i32, tied: bool },
    /// A gather. It overwrites its result and its mask, so its registers are: the new result, the new mask, the old result,
    /// the old mask.
    Gather { op: Op, size: Size },
    /// The beginning of the function, which defines its parameters.
    Entry,
    /// A jump to the only successor.
    Jump,
    /// A jump to the first successor if the condition holds, otherwise to the second.
    Branch(Condition),
    /// Returns the value of a register.
    Return,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub kind: Kind,
    pub operands: Vec<Operand>,
    pub address: Option<Address>,
}

impl Instruction {
    /// The registers that it reads.
    fn uses(&self) -> impl Iterator<Item = VReg> {
        let used = self.operands.iter().filter(|operand| operand.kind() == OperandKind::Use);
        used.map(|operand| operand.vreg())
    }

    /// The registers that it defines.
    fn defines(&self) -> impl Iterator<Item = VReg> {
        let defined = self.operands.iter().filter(|operand| operand.kind() == OperandKind::Def);
        defined.map(|operand| operand.vreg())
    }

    /// Whether it reads the flags that the instruction before it sets.
    fn reads_flags(&self) -> bool {
        match self.kind {
            Kind::Table { op, .. } => op.reads_flags(),
            Kind::Branch(_) => true,
            Kind::Gather { .. } | Kind::Entry | Kind::Jump | Kind::Return => false,
        }
    }
}

/// A basic block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub label: Label,
    pub params: Vec<VReg>,
    pub instructions: Vec<Instruction>,
    pub successors: Vec<Label>,
    /// The arguments for the parameters of the only successor.
    pub arguments: Vec<VReg>,
}

/// A source operand that may be in memory.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Register(VReg),
    Memory(Memory),
}

/// An address with its registers.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub address: Address,
    pub registers: Vec<VReg>,
}

impl From<VReg> for Source {
    fn from(register: VReg) -> Source {
        Source::Register(register)
    }
}

/// The function under construction.
#[derive(Debug)]
pub(crate) struct Function {
    /// The instructions that it may have.
    pub extension: Extension,
    /// The blocks that are complete, in the order of the code.
    pub blocks: Vec<Block>,
    /// The sizes of the virtual registers.
    pub sizes: Vec<Size>,
    /// The constants.
    pub constants: Vec<u8>,
    /// The bytes of the arrays on the stack.
    pub frame_bytes: usize,
    /// The instructions that run once, before the loop over strips.
    pub before: Vec<Instruction>,
    /// Whether new instructions are added before the loop over strips.
    pub is_before: bool,
    current: Option<(Label, Vec<VReg>, Vec<Instruction>)>,
    labels: usize,
}

impl Function {
    pub fn new(extension: Extension) -> Function {
        Function {
            extension,
            blocks: Vec::new(),
            sizes: Vec::new(),
            constants: Vec::new(),
            frame_bytes: 0,
            before: Vec::new(),
            is_before: false,
            current: None,
            labels: 0,
        }
    }

    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    pub fn general(&mut self) -> VReg {
        self.register(RegClass::Int, Size::G64)
    }

    pub fn vector(&mut self, size: Size) -> VReg {
        self.register(RegClass::Float, size)
    }

    pub fn mask(&mut self) -> VReg {
        self.register(MASK, Size::X)
    }

    /// A new register of the same class and size.
    pub fn like(&mut self, register: VReg) -> VReg {
        self.register(register.class(), self.size(register))
    }

    fn register(&mut self, class: RegClass, size: Size) -> VReg {
        self.sizes.push(size);
        VReg::new(self.sizes.len() - 1, class)
    }

    pub fn size(&self, register: VReg) -> Size {
        self.sizes[register.vreg()]
    }

    /// Begins a block.
    pub fn begin(&mut self, label: Label, params: Vec<VReg>) {
        debug_assert!(self.current.is_none(), "the block before is not complete");
        self.current = Some((label, params, Vec::new()));
    }

    /// Appends an instruction.
    pub fn push(&mut self, kind: Kind, operands: Vec<Operand>, address: Option<Address>) {
        let instruction = Instruction { kind, operands, address };
        if self.is_before {
            self.before.push(instruction);
        } else {
            let (_, _, instructions) = self.current.as_mut().expect("a block has begun");
            instructions.push(instruction);
        }
    }

    /// Ends the block.
    fn end(&mut self, kind: Kind, operands: Vec<Operand>, successors: Vec<Label>, arguments: Vec<VReg>) {
        debug_assert!(!self.is_before, "only scalar code goes before the loop");
        self.push(kind, operands, None);
        let (label, params, instructions) = self.current.take().expect("a block has begun");
        self.blocks.push(Block { label, params, instructions, successors, arguments });
    }

    pub fn jump(&mut self, to: Label, arguments: Vec<VReg>) {
        self.end(Kind::Jump, Vec::new(), vec![to], arguments);
    }

    /// Each of the two successors must have no other predecessor.
    pub fn branch(&mut self, condition: Condition, then: Label, otherwise: Label) {
        self.end(Kind::Branch(condition), Vec::new(), vec![then, otherwise], Vec::new());
    }

    pub fn return_value(&mut self, value: VReg) {
        let result = Operand::reg_fixed_use(value, PReg::new(0, RegClass::Int));
        self.end(Kind::Return, vec![result], Vec::new(), Vec::new());
    }

    /// Completes the function: the first block gets the instructions before the loop, and a block without predecessors is
    /// removed, as are instructions whose results nothing reads. There are some, since a uniform float is computed as if
    /// it varied, and may need only one of the registers.
    pub fn finish(&mut self) {
        let first = &mut self.blocks[0].instructions;
        first.splice(0..0, std::mem::take(&mut self.before));
        let reached: BTreeSet<Label> =
            self.blocks.iter().flat_map(|block| block.successors.iter().copied()).collect();
        let entry = self.blocks[0].label;
        self.blocks.retain(|block| block.label == entry || reached.contains(&block.label));
        self.remove_dead();
    }

    /// Removes instructions whose results nothing reads, in blocks from the last to the first: an instruction that only
    /// a removed one read goes too.
    fn remove_dead(&mut self) {
        let mut uses = vec![0u32; self.sizes.len()];
        let all = self.blocks.iter().flat_map(|block| &block.instructions);
        let read = all
            .flat_map(Instruction::uses)
            .chain(self.blocks.iter().flat_map(|block| block.arguments.iter().copied()));
        read.for_each(|register| uses[register.vreg()] += 1);
        for block in self.blocks.iter_mut().rev() {
            let mut reads_flags = false;
            let mut kept = Vec::with_capacity(block.instructions.len());
            for instruction in std::mem::take(&mut block.instructions).into_iter().rev() {
                let is_dead = !reads_flags
                    && matches!(instruction.kind, Kind::Table { .. })
                    && instruction.defines().count() > 0
                    && instruction.defines().all(|register| uses[register.vreg()] == 0);
                if is_dead {
                    instruction.uses().for_each(|register| uses[register.vreg()] -= 1);
                    continue;
                }
                reads_flags = instruction.reads_flags();
                kept.push(instruction);
            }
            kept.reverse();
            block.instructions = kept;
        }
    }

    /// The offset of a constant.
    pub fn constant(&mut self, bytes: &[u8]) -> usize {
        let size = bytes.len();
        debug_assert_eq!(size, self.extension.size().bytes(), "all constants have one size");
        let found = self.constants.chunks(size).position(|constant| constant == bytes);
        let number = found.unwrap_or_else(|| {
            self.constants.extend(bytes);
            self.constants.len() / size - 1
        });
        number * size
    }

    /// The offset of an array on the stack.
    pub fn on_stack(&mut self, bytes: usize) -> i32 {
        let offset = self.frame_bytes;
        self.frame_bytes = (offset + bytes).next_multiple_of(64);
        offset as i32
    }

    /// An instruction that defines a register from others, the last of which may be in memory.
    pub fn define(
        &mut self,
        op: Op,
        size: Size,
        class: RegClass,
        uses: &[VReg],
        last: impl Into<Source>,
        immediate: i32,
    ) -> VReg {
        self.define_resized(op, (size, size), class, uses, last, immediate)
    }

    /// An instruction that defines a register of another size than its own.
    pub fn define_resized(
        &mut self,
        op: Op,
        (size, of_result): (Size, Size),
        class: RegClass,
        uses: &[VReg],
        last: impl Into<Source>,
        immediate: i32,
    ) -> VReg {
        let result = self.register(class, of_result);
        let mut operands = vec![Operand::reg_def(result)];
        operands.extend(uses.iter().map(|&register| Operand::reg_use(register)));
        let address = add_source(&mut operands, last.into());
        self.push(Kind::Table { op, size, immediate, tied: false }, operands, address);
        result
    }

    /// An instruction whose destination is also its first source.
    pub fn update(
        &mut self,
        op: Op,
        size: Size,
        value: VReg,
        source: Option<Source>,
        immediate: i32,
    ) -> VReg {
        let result = self.like(value);
        let mut operands = vec![Operand::reg_reuse_def(result, 1), Operand::reg_use(value)];
        let address = source.and_then(|source| add_source(&mut operands, source));
        self.push(Kind::Table { op, size, immediate, tied: true }, operands, address);
        result
    }

    /// The size of the narrowest vector among operands: what is the same in all lanes may be in a wider register than
    /// the other operands. Without a vector, the size of the largest vectors.
    pub fn narrowest(&self, uses: &[VReg], last: &Source) -> Size {
        let last = match last {
            Source::Register(register) => Some(*register),
            Source::Memory(_) => None,
        };
        let vectors = uses.iter().copied().chain(last).filter(|register| register.class() == RegClass::Float);
        vectors.map(|register| self.size(register)).min().unwrap_or(self.extension.size())
    }

    /// An instruction that defines a general register and reads nothing but flags.
    pub fn produce(&mut self, op: Op, size: Size, immediate: i32) -> VReg {
        let result = self.general();
        let operands = vec![Operand::reg_def(result)];
        self.push(Kind::Table { op, size, immediate, tied: false }, operands, None);
        result
    }

    /// An instruction that defines no register: a comparison or a store.
    pub fn perform(&mut self, op: Op, size: Size, uses: &[VReg], last: Option<Source>, immediate: i32) {
        let mut operands: Vec<Operand> = uses.iter().map(|&register| Operand::reg_use(register)).collect();
        let address = last.and_then(|source| add_source(&mut operands, source));
        self.push(Kind::Table { op, size, immediate, tied: false }, operands, address);
    }
}

fn add_source(operands: &mut Vec<Operand>, source: Source) -> Option<Address> {
    match source {
        Source::Register(register) => {
            operands.push(Operand::reg_use(register));
            None
        }
        Source::Memory(Memory { address, registers }) => {
            operands.extend(registers.into_iter().map(Operand::reg_use));
            Some(address)
        }
    }
}
