//! Every instruction with all forms of registers and addresses, read back by an independent decoder.

use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind, Register};

use super::{Address, Assembler, RegisterInstruction, Rm, Size};
use crate::instruction::{Form, Immediate, Op, Wide};

/// The suffixes of names that the manual does not have.
const SUFFIXES: [&str; 6] = ["Store", "Imm", "FromGeneral", "ToGeneral", "Byte", "Word"];

/// The name of an instruction in the manual.
fn manual_name(op: Op) -> String {
    let mut name = format!("{op:?}");
    while let Some(short) = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)) {
        name = short.to_owned();
    }
    name
}

/// Encodes and decodes.
fn decode(encoded: &RegisterInstruction) -> Instruction {
    let mut assembler = Assembler::default();
    assembler.push(encoded);
    let bytes = assembler.finish(&[], &[0; 256], 1);
    let mut decoder = Decoder::new(64, &bytes, DecoderOptions::NONE);
    let decoded = decoder.decode();
    assert!(!decoded.is_invalid(), "{encoded:?}: {bytes:x?}");
    assert_eq!(decoded.len(), bytes.len() - 256, "{encoded:?}");
    decoded
}

/// The operands of a decoded instruction that are registers, as classes and numbers, in the order of the manual.
fn registers(decoded: &Instruction) -> Vec<(&'static str, usize)> {
    let operands = (0..decoded.op_count()).filter(|&at| decoded.op_kind(at) == OpKind::Register);
    operands.map(|at| class(decoded.op_register(at))).collect()
}

/// The class and the number of a register. High bytes are in no class.
fn class(register: Register) -> (&'static str, usize) {
    let ranges = [
        ("g8", Register::AL, Register::BL, 0),
        ("g8", Register::SPL, Register::R15L, 4),
        ("g16", Register::AX, Register::R15W, 0),
        ("g32", Register::EAX, Register::R15D, 0),
        ("g64", Register::RAX, Register::R15, 0),
        ("x", Register::XMM0, Register::XMM15, 0),
        ("y", Register::YMM0, Register::YMM15, 0),
    ];
    let found = ranges.iter().find(|(_, first, last, _)| (*first..=*last).contains(&register));
    found.map_or(("other", 0), |&(class, first, _, number)| {
        (class, register as usize - first as usize + number)
    })
}

/// The number of a register.
fn number(register: Register) -> usize {
    class(register).1
}

/// The numbers of the registers of an encoded instruction in the order of the manual.
fn expected(encoded: &RegisterInstruction) -> Vec<usize> {
    let rm = match encoded.rm {
        Rm::Register(number) => Some(number),
        Rm::Memory(_) => None,
    };
    let (reg, second, fourth) = (Some(encoded.reg), Some(encoded.second), Some(encoded.fourth));
    let order = match encoded.op.row().form {
        Form::Rm => vec![reg, rm],
        Form::Mr => vec![rm, reg],
        Form::Rvm => vec![reg, second, rm],
        Form::Vm(_) => vec![second, rm],
        Form::M(_) => vec![rm],
        Form::Mvr => vec![rm, second, reg],
        Form::Rvmr => vec![reg, second, rm, fourth],
        Form::Rmv => vec![reg, rm, second],
    };
    order.into_iter().flatten().map(usize::from).collect()
}

/// Whether an operand must be memory, or must be a register.
fn takes(op: Op) -> (bool, bool) {
    let register_only =
        matches!(op, Op::VpslldImm | Op::VpsrldImm | Op::VpsradImm | Op::VpsllqImm | Op::VpsrlqImm);
    let memory_only = matches!(op.row().form, Form::Mvr | Form::Rmv)
        || matches!(
            op,
            Op::Lea
                | Op::CmpImm
                | Op::Vmaskmovps
                | Op::Vmaskmovpd
                | Op::Vmovss
                | Op::Vmovsd
                | Op::Vmovhps
                | Op::VmovssStore
                | Op::VmovsdStore
        )
        || matches!(op, Op::MovByteStore | Op::MovWordStore | Op::MovzxWord | Op::Movsx | Op::MovsxWord);
    (!memory_only, !register_only)
}

/// The sizes with which an instruction exists.
fn sizes(op: Op) -> &'static [Size] {
    use Op::*;
    match op {
        CmpImm | Setb | Setbe | Sete | Setne | Setl | Setle | Movzx | MovzxWord | Movsx | MovsxWord
        | MovByteStore | MovWordStore => &[Size::G32],
        Movsxd => &[Size::G64],
        _ if op.row().vex == Wide::No => &[Size::G32, Size::G64],
        VmovdFromGeneral | VmovqFromGeneral | VmovdToGeneral | VmovqToGeneral | VpinsrqFromGeneral
        | VpextrqToGeneral | VpextrdToGeneral | VmovqStore | Vcvttsd2siToGeneral | Vmovss | Vmovsd
        | Vmovhps | Vinsertps | VmovssStore | VmovsdStore | Vaddss | Vaddsd | Vmulss | Vmulsd => &[Size::X],
        Vbroadcastsd | Vpermq | Vextractf128 | Vinsertf128 => &[Size::Y],
        _ => &[Size::X, Size::Y],
    }
}

fn check(encoded: &RegisterInstruction) {
    let decoded = decode(encoded);
    assert_eq!(format!("{:?}", decoded.mnemonic()), manual_name(encoded.op), "{encoded:?}");
    let found = registers(&decoded);
    let numbers: Vec<usize> = found.iter().map(|&(_, number)| number).collect();
    assert_eq!(numbers, expected(encoded), "{encoded:?} is decoded with {found:?}");
    check_classes(encoded, &found);
    match encoded.op.row().immediate {
        Immediate::None => {}
        Immediate::Byte => assert_eq!(decoded.immediate8(), encoded.immediate as u8, "{encoded:?}"),
        Immediate::Word => {
            let last = decoded.op_count() - 1;
            assert_eq!(decoded.immediate(last) as i32, encoded.immediate, "{encoded:?}");
        }
    }
    check_address(encoded, &decoded);
}

/// Registers have the size of the instruction, with the exceptions that its name says.
fn check_classes(encoded: &RegisterInstruction, found: &[(&'static str, usize)]) {
    let name = format!("{:?}", encoded.op);
    let size = match encoded.size {
        Size::G32 => "g32",
        Size::G64 => "g64",
        Size::X => "x",
        Size::Y => "y",
    };
    let has_general = name.contains("General");
    let halves = match encoded.op {
        // One operand has half the size, or the size of one element.
        Op::Vcvtdq2pd
        | Op::Vcvttpd2dq
        | Op::Vcvtps2pd
        | Op::Vcvtpd2ps
        | Op::Vpmovsxdq
        | Op::Vpmovzxdq
        | Op::Vpmovsxbd
        | Op::Vpmovsxwd
        | Op::Vpmovzxbd
        | Op::Vpmovzxwd
        | Op::Vbroadcastss
        | Op::Vbroadcastsd
        | Op::Vextractf128
        | Op::Vinsertf128
        | Op::Vgatherqps => true,
        _ => false,
    };
    let is_full = |class: &str| class == size;
    let others = found.iter().filter(|(class, _)| !is_full(class)).map(|&(class, _)| class);
    let others: Vec<&str> = others.collect();
    let fine = match encoded.op {
        Op::Movsxd => others.iter().all(|&class| class == "g32"),
        Op::MovWordStore => others.iter().all(|&class| class == "g16"),
        Op::Movzx | Op::MovByteStore | Op::Setb | Op::Setbe | Op::Sete | Op::Setne | Op::Setl | Op::Setle => {
            others.iter().all(|&class| class == "g8")
        }
        _ if has_general => others.iter().all(|class| class.starts_with('g')),
        _ if halves => others.iter().all(|&class| class == "x" || class == "y"),
        _ => others.is_empty(),
    };
    assert!(fine, "{encoded:?} is decoded with {found:?}");
    let wide_general = name.contains("qFromGeneral") || name.contains("qToGeneral") || name.contains("2si");
    if name.contains("General") && !others.is_empty() {
        assert_eq!(others, [if wide_general { "g64" } else { "g32" }], "{encoded:?}");
    }
}

fn check_address(encoded: &RegisterInstruction, decoded: &Instruction) {
    let Rm::Memory(address) = encoded.rm else { return };
    match address {
        Address::Constant(constant) => {
            assert!(decoded.is_ip_rel_memory_operand(), "{encoded:?}");
            assert_eq!(decoded.ip_rel_memory_address(), (decoded.len() + constant) as u64, "{encoded:?}");
        }
        Address::Register { base, index, displacement } => {
            assert_eq!(number(decoded.memory_base()), usize::from(base), "{encoded:?}");
            assert_eq!(class(decoded.memory_base()).0, "g64");
            assert_eq!(decoded.memory_displacement64() as i64, i64::from(displacement), "{encoded:?}");
            match index {
                None => assert_eq!(decoded.memory_index(), Register::None, "{encoded:?}"),
                Some((index, scale)) => {
                    assert_eq!(number(decoded.memory_index()), usize::from(index), "{encoded:?}");
                    assert_eq!(decoded.memory_index_scale(), 1 << scale, "{encoded:?}");
                    let is_gather = encoded.op.row().form == Form::Rmv;
                    assert_eq!(["x", "y"].contains(&class(decoded.memory_index()).0), is_gather);
                }
            }
        }
    }
}

#[test]
fn a_decoder_reads_every_instruction_with_all_registers() {
    let mut count = 0;
    for &op in Op::ALL {
        let (register, _) = takes(op);
        for &size in sizes(op).iter().filter(|_| register) {
            let all = 16;
            for number in 0..all {
                // Three different registers, each of which takes all numbers.
                let (second, third, fourth) = ((number + 7) % all, (number + 13) % all, (number + 3) % 16);
                let encoded = RegisterInstruction {
                    op,
                    size,
                    reg: number,

                    second: match op.row().form {
                        Form::Rvm | Form::Rvmr | Form::Vm(_) => second,
                        _ => 0,
                    },
                    fourth,
                    rm: Rm::Register(third),
                    immediate: i32::from(number) * 5,
                };
                check(&encoded);
                count += 1;
            }
        }
    }
    assert!(count > 2000, "{count} instructions");
}

#[test]
fn a_decoder_reads_every_instruction_with_all_addresses() {
    let mut count = 0;
    for &op in Op::ALL {
        let (_, memory) = takes(op);
        for &size in sizes(op).iter().filter(|_| memory) {
            let has_second =
                matches!(op.row().form, Form::Rvm | Form::Rvmr | Form::Vm(_) | Form::Mvr | Form::Rmv);
            let is_gather = op.row().form == Form::Rmv;
            for address in addresses(is_gather).filter(|address| is_address_for(op, address)) {
                let encoded = RegisterInstruction {
                    op,
                    size,
                    reg: 6,
                    second: if has_second { 9 } else { 0 },
                    fourth: 12,
                    rm: Rm::Memory(address),
                    immediate: [0, -3, 0x1234_5678][count % 3],
                };
                check(&encoded);
                count += 1;
            }
        }
    }
    assert!(count > 200_000, "{count} instructions");
}

fn is_address_for(op: Op, address: &Address) -> bool {
    match address {
        Address::Constant(_) => op.row().form != Form::Rmv,
        // The registers of a gather differ.
        Address::Register { index, .. } => {
            op.row().form != Form::Rmv || !matches!(index, Some((6 | 9, _)) | None)
        }
    }
}

/// All pairs of a base and an index, all scales, and all widths of displacements.
fn addresses(is_gather: bool) -> impl Iterator<Item = Address> {
    let displacements = [0, 1, -128, 127, 128, -129, 0x1234_5678];
    let plain = (0..16).flat_map(move |base| {
        displacements.map(|displacement| Address::Register { base, index: None, displacement })
    });
    let indexed = (0..16).flat_map(move |base| {
        // Register 4 is not an index.
        let indices = (0..16).filter(move |&index| is_gather || index != 4);
        indices.flat_map(move |index| {
            displacements.map(move |displacement| Address::Register {
                base,
                index: Some((index, (base + index) % 4)),
                displacement,
            })
        })
    });
    [Address::Constant(0), Address::Constant(96)].into_iter().chain(plain).chain(indexed)
}
