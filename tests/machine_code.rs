//! The machine code of strips, read by an independent decoder: functions keep the calling convention, and no loop keeps a value on the
//! stack only to store it back.
//!
//! In a *spill cycle*, each iteration of a loop loads a value from a slot on the stack and stores the same value there again, so
//! that it waits for the store of the iteration before.

use std::collections::BTreeMap;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use ravel_abi::Blob;
use ravel_driver::{Options, Processors, Source};

use crate::snapshots;

/// The programs that are compiled: those of `programs/`.
const PROGRAMS: [&str; 8] = [
    "bfs/flattened.dsl",
    "bfs/iterative.dsl",
    "bfs/padded.dsl",
    "heston/heston.dsl",
    "hullwhite/hullwhite.dsl",
    "locvol/locvol.dsl",
    "pricing/pricing.dsl",
    "sobol/points.dsl",
];

/// The code of a program for all processors.
fn code(name: &str) -> Blob {
    let path = snapshots::root().join("../programs").join(name);
    let source = Source::new(path.display().to_string(), snapshots::text(&path));
    let options = Options { processors: Processors::All, ..Options::default() };
    let lowered = ravel_driver::lowered_core(&source, &options);
    let lowered = lowered.unwrap_or_else(|wrong| panic!("{name}: {:?}", wrong.diagnostics));
    let blob = ravel_driver::compile_to_native(&source, lowered, &options);
    blob.unwrap_or_else(|wrong| panic!("{name}: {:?}", wrong.diagnostics))
}

/// The instructions of a function, up to its last return.
fn instructions(code: &[u8]) -> Vec<Instruction> {
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let (mut all, mut farthest) = (Vec::new(), 0);
    loop {
        let instruction = decoder.decode();
        assert!(!instruction.is_invalid(), "no instruction at {:#x}", instruction.ip());
        all.push(instruction);
        match instruction.flow_control() {
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                farthest = farthest.max(instruction.near_branch_target());
            }
            FlowControl::Return if instruction.ip() >= farthest => return all,
            _ => {}
        }
    }
}

/// The slot on the stack that an instruction moves to or from a register, and the register.
fn moved(instruction: &Instruction, (slot, register): (u32, u32)) -> Option<(u64, Register)> {
    let moves = matches!(instruction.mnemonic(), Mnemonic::Mov | Mnemonic::Vmovups | Mnemonic::Kmovw);
    let of_slot = instruction.op_kind(slot) == OpKind::Memory
        && instruction.op_kind(register) == OpKind::Register
        && instruction.memory_base() == Register::RSP
        && instruction.memory_index() == Register::None
        && instruction.op_mask() == Register::None;
    (moves && of_slot).then(|| (instruction.memory_displacement64(), instruction.op_register(register)))
}

/// The loops of a function without loops inside, as ranges of instructions.
fn innermost_loops(code: &[Instruction]) -> Vec<&[Instruction]> {
    let at: BTreeMap<u64, usize> = code.iter().enumerate().map(|(place, one)| (one.ip(), place)).collect();
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (end, instruction) in code.iter().enumerate() {
        let branches = matches!(
            instruction.flow_control(),
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
        );
        let begin = branches.then(|| at[&instruction.near_branch_target()]);
        loops.extend(begin.filter(|&begin| begin <= end).map(|begin| (begin, end)));
    }
    let is_inside = |(begin, end): (usize, usize), other: (usize, usize)| {
        (begin, end) != other && begin <= other.0 && other.1 <= end
    };
    let innermost = loops.iter().filter(|&&outer| !loops.iter().any(|&inner| is_inside(outer, inner)));
    innermost.map(|&(begin, end)| &code[begin..=end]).collect()
}

/// The slots to which a loop stores only what it has loaded from there.
fn spill_cycles(code: &[Instruction]) -> Vec<u64> {
    // For each register, the slot from which it was loaded last.
    let mut loaded: BTreeMap<Register, u64> = BTreeMap::new();
    // For each slot, whether all stores were of the value that it had.
    let mut unchanged: BTreeMap<u64, bool> = BTreeMap::new();
    for instruction in code {
        if let Some((slot, register)) = moved(instruction, (0, 1)) {
            let same = loaded.get(&register.full_register()) == Some(&slot);
            *unchanged.entry(slot).or_insert(true) &= same;
            continue;
        }
        for place in 0..instruction.op_count().min(1) {
            if instruction.op_kind(place) == OpKind::Register {
                loaded.remove(&instruction.op_register(place).full_register());
            }
        }
        if let Some((slot, register)) = moved(instruction, (1, 0)) {
            loaded.insert(register.full_register(), slot);
        }
    }
    unchanged.into_iter().filter_map(|(slot, same)| same.then_some(slot)).collect()
}

/// The registers that a function of the System V ABI restores before it returns.
const SAVED: [Register; 6] =
    [Register::RBP, Register::RBX, Register::R12, Register::R13, Register::R14, Register::R15];

/// Checks that a function saves the registers that it must restore if it overwrites them, restores them in the opposite order before
/// each return, after it has cleared the upper halves of vectors, and jumps to instructions of its own.
fn check_convention(code: &[Instruction]) {
    let is = |mnemonic: Mnemonic| move |one: &&Instruction| one.mnemonic() == mnemonic;
    let is_saving = |one: &&Instruction| {
        one.mnemonic() == Mnemonic::Push
            || one.op0_register() == Register::RBP && one.op1_register() == Register::RSP
    };
    let saved: Vec<Register> =
        code.iter().take_while(is_saving).filter(is(Mnemonic::Push)).map(Instruction::op0_register).collect();
    assert!(
        saved.first() == Some(&Register::RBP) && saved.iter().all(|register| SAVED.contains(register)),
        "{saved:?}"
    );
    for (place, one) in code.iter().enumerate() {
        match one.flow_control() {
            FlowControl::Return => {
                let begin = place - saved.len();
                let restored: Vec<Register> = code[begin..place]
                    .iter()
                    .rev()
                    .map(|one| {
                        assert_eq!(one.mnemonic(), Mnemonic::Pop);
                        one.op0_register()
                    })
                    .collect();
                assert_eq!(restored, saved);
                assert_eq!(code[begin - 2].mnemonic(), Mnemonic::Vzeroupper);
                assert_eq!(code[begin - 1].memory_displacement64() as i64, -8 * (saved.len() as i64 - 1));
            }
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                assert!(code.iter().any(|other| other.ip() == one.near_branch_target()), "{:#x}", one.ip());
            }
            FlowControl::Next => {
                let is_move = !matches!(
                    one.mnemonic(),
                    Mnemonic::Push | Mnemonic::Pop | Mnemonic::Cmp | Mnemonic::Test
                );
                if one.op_count() > 0 && one.op_kind(0) == OpKind::Register && is_move {
                    let written = one.op0_register().full_register();
                    assert!(
                        !SAVED.contains(&written) || saved.contains(&written),
                        "{written:?} is not saved"
                    );
                }
            }
            other => panic!("{other:?} in a strip"),
        }
    }
}

#[test]
fn strips_keep_the_calling_convention_and_store_back_no_unchanged_value() {
    ravel_driver::on_large_stack(|| {
        for name in PROGRAMS {
            let blob = code(name);
            let mut loops = 0;
            for version in blob.strips.iter().flat_map(|strip| &strip.versions) {
                let function = instructions(&blob.code[version.offset..]);
                check_convention(&function);
                for innermost in innermost_loops(&function) {
                    let slots = spill_cycles(innermost);
                    assert!(
                        slots.is_empty(),
                        "{name}: {slots:x?} in {:#x}: {:x?}",
                        version.offset,
                        version.features
                    );
                    loops += 1;
                }
            }
            let has_strips = cfg!(target_arch = "x86_64");
            assert_eq!(loops > 0, has_strips, "{name}: {loops} loops");
        }
    });
}
