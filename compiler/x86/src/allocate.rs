//! Register allocation by `regalloc2`, and the bytes of the function.
//!
//! The frame has, from the stack pointer upwards: the spilled registers, then the arrays. The stack pointer is aligned to
//! a vector of 512 bits; the base pointer holds the frame of the caller. A block that only jumps is skipped.

use std::collections::BTreeMap;

use regalloc2::{
    Algorithm, Allocation, Block as BlockNumber, Edit, Inst, InstRange, MachineEnv, Operand, Output, PReg,
    PRegSet, RegClass, RegallocOptions, VReg,
};

use crate::Extension;
use crate::encode::{self, Assembler, Number, RegisterInstruction, Rm, Size};
use crate::instruction::{Form, Op};
use crate::machine::{Address, Function, Instruction, Kind, MASK};
use crate::unneeded::{Step, needed_steps};

/// The stack pointer.
const STACK: Number = 4;
/// The base pointer.
const BASE: Number = 5;
/// The general registers that a function may overwrite.
const SCRATCH: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];
/// The general registers that a function must restore.
const SAVED: [usize; 5] = [3, 12, 13, 14, 15];

/// The bytes of a slot for spilled registers. A vector takes several.
const SLOT: usize = 8;

/// The blocks and instructions of a function by number.
pub(crate) struct Numbering<'f> {
    function: &'f Function,
    instructions: Vec<&'f Instruction>,
    ranges: Vec<InstRange>,
    successors: Vec<Vec<BlockNumber>>,
    predecessors: Vec<Vec<BlockNumber>>,
}

impl<'f> Numbering<'f> {
    fn of(function: &'f Function) -> Numbering<'f> {
        let numbers: BTreeMap<_, _> =
            function.blocks.iter().enumerate().map(|(number, block)| (block.label, number)).collect();
        let mut numbered = Numbering {
            function,
            instructions: Vec::new(),
            ranges: Vec::new(),
            successors: Vec::new(),
            predecessors: vec![Vec::new(); function.blocks.len()],
        };
        for (number, block) in function.blocks.iter().enumerate() {
            let first = numbered.instructions.len();
            numbered.instructions.extend(&block.instructions);
            let range = InstRange::new(Inst::new(first), Inst::new(numbered.instructions.len()));
            numbered.ranges.push(range);
            let successors: Vec<_> =
                block.successors.iter().map(|label| BlockNumber::new(numbers[label])).collect();
            for successor in &successors {
                numbered.predecessors[successor.index()].push(BlockNumber::new(number));
            }
            numbered.successors.push(successors);
        }
        numbered
    }

    fn kind(&self, instruction: Inst) -> Kind {
        self.instructions[instruction.index()].kind
    }
}

impl regalloc2::Function for Numbering<'_> {
    fn num_insts(&self) -> usize {
        self.instructions.len()
    }

    fn num_blocks(&self) -> usize {
        self.ranges.len()
    }

    fn entry_block(&self) -> BlockNumber {
        BlockNumber::new(0)
    }

    fn block_insns(&self, block: BlockNumber) -> InstRange {
        self.ranges[block.index()]
    }

    fn block_succs(&self, block: BlockNumber) -> &[BlockNumber] {
        &self.successors[block.index()]
    }

    fn block_preds(&self, block: BlockNumber) -> &[BlockNumber] {
        &self.predecessors[block.index()]
    }

    fn block_params(&self, block: BlockNumber) -> &[VReg] {
        &self.function.blocks[block.index()].params
    }

    fn is_ret(&self, instruction: Inst) -> bool {
        self.kind(instruction) == Kind::Return
    }

    fn is_branch(&self, instruction: Inst) -> bool {
        matches!(self.kind(instruction), Kind::Jump | Kind::Branch(_))
    }

    fn branch_blockparams(&self, block: BlockNumber, _: Inst, _: usize) -> &[VReg] {
        &self.function.blocks[block.index()].arguments
    }

    fn inst_operands(&self, instruction: Inst) -> &[Operand] {
        &self.instructions[instruction.index()].operands
    }

    fn inst_clobbers(&self, _: Inst) -> PRegSet {
        PRegSet::empty()
    }

    fn num_vregs(&self) -> usize {
        self.function.sizes.len()
    }

    fn spillslot_size(&self, class: RegClass) -> usize {
        match class {
            RegClass::Float => self.function.extension.size().bytes() / SLOT,
            _ => 1,
        }
    }
}

/// The code of a function and its constants.
///
/// # Errors
/// A bug, as the allocator describes it.
pub(crate) fn finish(function: &Function) -> Result<Vec<u8>, String> {
    let numbered = Numbering::of(function);
    let set = |class, numbers: &[usize]| {
        let mut set = PRegSet::empty();
        numbers.iter().for_each(|&number| set.add(PReg::new(number, class)));
        set
    };
    // The first 16 registers have shorter encodings.
    let (low, high): (Vec<usize>, Vec<usize>) = ((0..16).collect(), (16..32).collect());
    let (high, masks): (&[usize], &[usize]) = match function.extension {
        Extension::Avx2 => (&[], &[]),
        // Register 0 as a mask means all lanes.
        Extension::Avx512 => (&high, &[1, 2, 3, 4, 5, 6, 7]),
    };
    let environment = MachineEnv {
        preferred_regs_by_class: [set(RegClass::Int, &SCRATCH), set(RegClass::Float, &low), set(MASK, masks)],
        non_preferred_regs_by_class: [
            set(RegClass::Int, &SAVED),
            set(RegClass::Float, high),
            PRegSet::empty(),
        ],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    };
    let options = RegallocOptions {
        verbose_log: false,
        validate_ssa: cfg!(debug_assertions),
        algorithm: Algorithm::Ion,
    };
    let output = regalloc2::run(&numbered, &environment, &options).map_err(|error| format!("{error:?}"))?;
    let steps = needed_steps(&numbered, &output);
    let writer =
        Writer { numbered: &numbered, output: &output, steps: &steps, assembler: Assembler::default() };
    Ok(writer.write())
}

struct Writer<'a> {
    numbered: &'a Numbering<'a>,
    output: &'a Output,
    /// The instructions and moves of each block.
    steps: &'a [Vec<Step>],
    assembler: Assembler,
}

impl Writer<'_> {
    fn write(mut self) -> Vec<u8> {
        let targets = self.targets();
        let saved = self.saved();
        self.prologue(&saved);
        let order: Vec<usize> =
            (0..targets.len()).filter(|&block| block == 0 || targets[block] == block).collect();
        let mut places = vec![0; targets.len()];
        for (at, &block) in order.iter().enumerate() {
            places[block] = self.assembler.bytes.len();
            let next = order.get(at + 1).copied();
            for &step in &self.steps[block] {
                match step {
                    Step::Move { from, to } => self.transfer(from, to),
                    Step::Instruction(number) => self.instruction(number, block, next, &targets, &saved),
                }
            }
        }
        self.assembler.finish(&places, &self.numbered.function.constants, 64)
    }

    /// For each block, the block to which a jump to it may go: blocks that only jump are skipped.
    fn targets(&self) -> Vec<usize> {
        let next: Vec<Option<usize>> = (0..self.numbered.ranges.len())
            .map(|block| match *self.steps[block] {
                [Step::Instruction(only)] if self.numbered.kind(only) == Kind::Jump => {
                    Some(self.numbered.successors[block][0].index())
                }
                _ => None,
            })
            .collect();
        let target = |mut block: usize| {
            // A loop that does nothing would have no end.
            for _ in 0..next.len() {
                match next[block] {
                    Some(next) => block = next,
                    None => break,
                }
            }
            block
        };
        (0..next.len()).map(target).collect()
    }

    /// The registers to restore.
    fn saved(&self) -> Vec<Number> {
        let mut used = PRegSet::empty();
        let mut note = |allocation: Allocation| {
            if let Some(register) = allocation.as_reg() {
                used.add(register);
            }
        };
        self.output.allocs.iter().for_each(|&allocation| note(allocation));
        for (_, Edit::Move { to, .. }) in &self.output.edits {
            note(*to);
        }
        let is_used = |&&number: &&usize| used.contains(PReg::new(number, RegClass::Int));
        SAVED.iter().filter(is_used).map(|&number| number as Number).collect()
    }

    fn prologue(&mut self, saved: &[Number]) {
        for &register in [BASE].iter().chain(saved) {
            self.push_or_pop(0x50, register);
            if register == BASE {
                self.general(Op::Mov, BASE, Rm::Register(STACK), 0);
            }
        }
        let bytes = self.spilled_bytes() + self.numbered.function.frame_bytes;
        self.general(Op::AddImm, 0, Rm::Register(STACK), -(bytes as i32));
        self.general(Op::AndImm, 0, Rm::Register(STACK), -64);
    }

    /// The bytes of the spilled registers. The arrays after them are aligned to a vector.
    fn spilled_bytes(&self) -> usize {
        (self.output.num_spillslots * SLOT).next_multiple_of(64)
    }

    fn epilogue(&mut self, saved: &[Number]) {
        // VZEROUPPER: code that mixes in older instructions is slow otherwise.
        self.assembler.bytes.extend([0xc5, 0xf8, 0x77]);
        let address =
            encode::Address::Register { base: BASE, index: None, displacement: -8 * saved.len() as i32 };
        self.general(Op::Lea, STACK, Rm::Memory(address), 0);
        for &register in saved.iter().rev().chain([&BASE]) {
            self.push_or_pop(0x58, register);
        }
        self.assembler.bytes.push(0xc3);
    }

    fn push_or_pop(&mut self, opcode: u8, register: Number) {
        if register >= 8 {
            self.assembler.bytes.push(0x41);
        }
        self.assembler.bytes.push(opcode | register & 7);
    }

    fn general(&mut self, op: Op, reg: Number, rm: Rm, immediate: i32) {
        let size = Size::G64;
        self.assembler.push(&RegisterInstruction {
            op,
            size,
            reg,
            second: 0,
            fourth: 0,
            mask: 0,
            rm,
            immediate,
        });
    }

    /// Moves a register.
    fn transfer(&mut self, from: Allocation, to: Allocation) {
        let (register, rm, is_store) = match (from.as_reg(), to.as_reg()) {
            (_, Some(to)) => (to, self.place(from), false),
            (Some(from), None) => (from, self.place(to), true),
            (None, None) => unreachable!("the allocator moves through registers"),
        };
        let reg = register.hw_enc() as Number;
        if rm == Rm::Register(reg) {
            return;
        }
        let largest = self.numbered.function.extension.size();
        let (op, size) = match (register.class(), is_store, rm) {
            (RegClass::Int, false, _) => (Op::Mov, Size::G64),
            (RegClass::Int, true, _) => (Op::MovStore, Size::G64),
            (MASK, false, _) => (Op::Kmovw, Size::X),
            (MASK, true, _) => (Op::KmovwStore, Size::X),
            (_, false, Rm::Register(_)) => (Op::Vmovaps, largest),
            (_, false, Rm::Memory(_)) => (Op::Vmovups, largest),
            (_, true, _) => (Op::VmovupsStore, largest),
        };
        let encoded = RegisterInstruction { op, size, reg, second: 0, fourth: 0, mask: 0, rm, immediate: 0 };
        self.assembler.push(&encoded);
    }

    fn place(&self, allocation: Allocation) -> Rm {
        match (allocation.as_reg(), allocation.as_stack()) {
            (Some(register), _) => Rm::Register(register.hw_enc() as Number),
            (_, Some(slot)) => {
                let displacement = (slot.index() * SLOT) as i32;
                Rm::Memory(encode::Address::Register { base: STACK, index: None, displacement })
            }
            _ => unreachable!("every operand has a place"),
        }
    }

    fn instruction(
        &mut self,
        number: Inst,
        block: usize,
        next: Option<usize>,
        targets: &[usize],
        saved: &[Number],
    ) {
        let instruction = self.numbered.instructions[number.index()];
        let allocations = self.output.inst_allocs(number);
        let registers: Vec<Number> = allocations
            .iter()
            .map(|allocation| allocation.as_reg().expect("operands are in registers").hw_enc() as Number)
            .collect();
        let target = |place: usize| targets[self.numbered.successors[block][place].index()];
        match instruction.kind {
            Kind::Entry => {}
            Kind::Jump => {
                if Some(target(0)) != next {
                    self.assembler.jump(&[0xe9], target(0));
                }
            }
            Kind::Branch(condition) => {
                let (then, otherwise) = (target(0), target(1));
                if Some(then) == next {
                    self.assembler.jump(&[0x0f, 0x80 | condition.opposite().0], otherwise);
                } else {
                    self.assembler.jump(&[0x0f, 0x80 | condition.0], then);
                    if Some(otherwise) != next {
                        self.assembler.jump(&[0xe9], otherwise);
                    }
                }
            }
            Kind::Return => self.epilogue(saved),
            Kind::Gather { op, size } => {
                let registers = [&registers[0..2], &registers[4..]].concat();
                self.table(op, size, 0, &registers, instruction.address);
            }
            Kind::Table { op, size, immediate, tied } => {
                let skipped = usize::from(tied);
                let registers = [&registers[..skipped], &registers[2 * skipped..]].concat();
                self.table(op, size, immediate, &registers, instruction.address);
            }
        }
    }

    /// An instruction of the table. `registers` are the registers of the instruction, in the order of the manual, and then
    /// the registers of the address.
    fn table(&mut self, op: Op, size: Size, immediate: i32, registers: &[Number], address: Option<Address>) {
        let mut rest = registers.iter().copied();
        let mut encoded = RegisterInstruction {
            op,
            size,
            reg: 0,
            second: 0,
            fourth: 0,
            mask: 0,
            rm: Rm::Register(0),
            immediate,
        };
        let mut take = |role: char| {
            if role == 'm' && address.is_some() {
                return;
            }
            let register = rest.next().expect("an operand for each role");
            match role {
                'r' => encoded.reg = register,
                'v' => encoded.second = register,
                'i' => encoded.fourth = register,
                'k' => encoded.mask = register,
                _ => encoded.rm = Rm::Register(register),
            }
        };
        operand_fields(op.row().form).chars().for_each(&mut take);
        let spills = self.spilled_bytes() as i32;
        match address {
            None => {}
            Some(Address::Constant(constant)) => {
                encoded.rm = Rm::Memory(encode::Address::Constant(constant));
            }
            Some(Address::Register { scale, displacement }) => {
                let base = rest.next().expect("a base");
                let index = scale.map(|scale| (rest.next().expect("an index"), scale));
                encoded.rm = Rm::Memory(encode::Address::Register { base, index, displacement });
            }
            Some(Address::Frame { scale, displacement }) => {
                let index = scale.map(|scale| (rest.next().expect("an index"), scale));
                let displacement = displacement + spills;
                encoded.rm = Rm::Memory(encode::Address::Register { base: STACK, index, displacement });
            }
        }
        self.assembler.push(&encoded);
    }
}

/// The fields of the operands: `reg`, `vvvv`, `rm`, `is4` and the mask by a letter each.
fn operand_fields(form: Form) -> &'static str {
    match form {
        Form::Rm => "rm",
        Form::Mr => "mr",
        Form::Rvm => "rvm",
        Form::Vm(_) => "vm",
        Form::M(_) => "m",
        Form::Mvr => "mvr",
        Form::Rvmr => "rvmi",
        Form::Rmv => "rmv",
        Form::Rkm => "rkm",
        Form::Mkr | Form::Mzr => "mkr",
        Form::Rmk => "rmk",
        Form::Rkvm => "rkvm",
    }
}
