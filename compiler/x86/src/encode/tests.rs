//! Every instruction with all forms of registers and addresses, read back by an independent decoder.

use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind, Register};

use super::{Address, Assembler, RegisterInstruction, Rm, Size};
use crate::instruction::{Form, Immediate, Op, Wide};

/// The suffixes of names that the manual does not have.
const SUFFIXES: [&str; 8] = ["Store", "Imm", "FromGeneral", "ToGeneral", "Byte", "Word", "ToMask", "Masked"];

/// The name of an instruction in the manual.
fn manual_name(op: Op) -> String {
    let mut name = format!("{op:?}");
    while let Some(short) = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)) {
        name = short.to_owned();
    }
    name
}

/// The name of an instruction in the manual. The EVEX prefix changes some.
fn name_of(encoded: &RegisterInstruction, has_evex: bool) -> String {
    let name = match encoded.op {
        Op::Vroundps => "Vrndscaleps",
        Op::Vroundpd => "Vrndscalepd",
        Op::Vextractf128 => "Vextractf32x4",
        Op::Vinsertf128 => "Vinsertf32x4",
        op => return manual_name(op),
    };
    if has_evex { name.to_owned() } else { manual_name(encoded.op) }
}

/// Encodes and decodes. Also returns whether the instruction has the EVEX prefix.
fn decode(encoded: &RegisterInstruction) -> (Instruction, bool) {
    let mut assembler = Assembler::default();
    assembler.push(encoded);
    let bytes = assembler.finish(&[], &[0; 256], 1);
    let mut decoder = Decoder::new(64, &bytes, DecoderOptions::NONE);
    let decoded = decoder.decode();
    assert!(!decoded.is_invalid(), "{encoded:?}: {bytes:x?}");
    assert_eq!(decoded.len(), bytes.len() - 256, "{encoded:?}");
    (decoded, bytes[0] == 0x62)
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
        ("x", Register::XMM0, Register::XMM31, 0),
        ("y", Register::YMM0, Register::YMM31, 0),
        ("z", Register::ZMM0, Register::ZMM31, 0),
        ("k", Register::K0, Register::K7, 0),
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
        Form::Rkm => vec![reg, rm],
        Form::Mkr | Form::Mzr => vec![rm, reg],
        Form::Rmk => vec![reg, rm],
        Form::Rkvm => vec![reg, second, rm],
    };
    order.into_iter().flatten().map(usize::from).collect()
}

/// Whether an operand must be memory, or must be a register.
fn takes(op: Op) -> (bool, bool) {
    let register_only = matches!(
        op,
        Op::VpslldImm
            | Op::VpsrldImm
            | Op::VpsradImm
            | Op::VpsllqImm
            | Op::VpsrlqImm
            | Op::VpsraqImm
            | Op::Kortestb
            | Op::Kortestw
            | Op::Kandw
            | Op::Kandnw
            | Op::Korw
            | Op::Kxorw
            | Op::Knotw
            | Op::Kshiftrw
            | Op::KmovwFromGeneral
            | Op::KmovwToGeneral
            | Op::Vpmovm2d
            | Op::Vpmovm2q
            | Op::Vpcompressd
            | Op::Vpcompressq
    );
    let memory_only = matches!(op.row().form, Form::Mvr | Form::Rmv | Form::Mkr | Form::Rmk)
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
                | Op::KmovwStore
                | Op::VpmovdwStore
                | Op::VpmovdbStore
        )
        || matches!(op, Op::MovByteStore | Op::MovWordStore | Op::MovzxWord | Op::Movsx | Op::MovsxWord);
    (!memory_only, !register_only)
}

/// The sizes with which an instruction exists.
fn sizes(op: Op) -> &'static [Size] {
    use Op::*;
    match op {
        CmpImm | TestImm | Setb | Setbe | Sete | Setne | Setl | Setle | Movzx | MovzxWord | Movsx
        | MovsxWord | MovByteStore | MovWordStore => &[Size::G32],
        Movsxd => &[Size::G64],
        _ if op.row().vex == Wide::No => &[Size::G32, Size::G64],
        VmovdFromGeneral | VmovqFromGeneral | VmovdToGeneral | VmovqToGeneral | VpinsrqFromGeneral
        | VpextrqToGeneral | VpextrdToGeneral | VmovqStore | Vcvttsd2siToGeneral | Vmovss | Vmovsd
        | Vmovhps | Vinsertps | VmovssStore | VmovsdStore | Vaddss | Vaddsd | Vmulss | Vmulsd | Kmovw
        | KmovwStore | KmovwFromGeneral | KmovwToGeneral | PextFromGeneral | Knotw | Kshiftrw | Kortestb
        | Kortestw => &[Size::X],
        Vpermq | Vpermd | Kandw | Kandnw | Korw | Kxorw => &[Size::Y],
        Vextractf64x4 | Vinsertf64x4 | Vpmovqd => &[Size::Z],
        Vbroadcastsd | Vextractf128 | Vinsertf128 | Vbroadcastss | Vpmovsxbd | Vpmovsxwd | Vpmovzxbd
        | Vpmovzxwd | VpmovdwStore | VpmovdbStore | VgatherqpsMasked | VgatherqpdMasked => {
            &[Size::Y, Size::Z]
        }
        _ if op.row().evex.is_some() => &[Size::X, Size::Y, Size::Z],
        _ => &[Size::X, Size::Y],
    }
}

/// How many registers `reg`, `vvvv` and `rm` can name. Mask registers are 8.
fn numbers(op: Op) -> [u8; 3] {
    use Op::*;
    let all = if op.row().evex.is_some() { 32 } else { 16 };
    match op {
        Kmovw | Knotw | Kshiftrw | Kortestb | Kortestw => [8, 0, 8],
        Kandw | Kandnw | Korw | Kxorw => [8, 8, 8],
        KmovwFromGeneral => [8, 0, 16],
        KmovwToGeneral => [16, 0, 8],
        KmovwStore => [8, 0, 0],
        Vpmovm2d | Vpmovm2q => [32, 0, 8],
        VcmppsToMask | VcmppdToMask | VpcmpdToMask | VpcmpqToMask | VpcmpudToMask | VpcmpuqToMask
        | VptestmdToMask => [8, 32, 32],
        // One operand is a general register.
        VmovdFromGeneral | VmovqFromGeneral | VpinsrqFromGeneral | VmovdToGeneral | VmovqToGeneral
        | VpextrqToGeneral | VpextrdToGeneral => [32, 32, 16],
        Vcvttsd2siToGeneral => [16, 0, 32],
        PextFromGeneral => [16; 3],
        // Bits of the opcode are in `reg`.
        _ if matches!(op.row().form, Form::M(_) | Form::Vm(_)) => [1, all, all],
        _ => [all; 3],
    }
}

/// The mask registers that an instruction may take.
fn masks(op: Op) -> std::ops::Range<u8> {
    if matches!(op.row().form, Form::Rkm | Form::Mkr | Form::Mzr | Form::Rmk | Form::Rkvm) {
        1..8
    } else {
        0..1
    }
}

fn check(encoded: &RegisterInstruction) {
    let (decoded, has_evex) = decode(encoded);
    assert_eq!(format!("{:?}", decoded.mnemonic()), name_of(encoded, has_evex), "{encoded:?}");
    assert_eq!(has_evex, needs_evex(encoded), "{encoded:?}");
    assert_eq!(number(decoded.op_mask()), usize::from(encoded.mask), "{encoded:?}");
    assert_eq!(
        decoded.zeroing_masking(),
        matches!(encoded.op.row().form, Form::Rkm | Form::Mzr),
        "{encoded:?}"
    );
    assert!(!decoded.is_broadcast(), "{encoded:?}");
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

/// Whether only EVEX can encode an instruction.
fn needs_evex(encoded: &RegisterInstruction) -> bool {
    let rm = match encoded.rm {
        Rm::Register(number) => number,
        Rm::Memory(Address::Register { index: Some((index, _)), .. }) => index,
        Rm::Memory(_) => 0,
    };
    encoded.op.row().vex == Wide::Evex
        || encoded.size == Size::Z
        || [encoded.reg, encoded.second, rm].iter().any(|&number| number > 15)
}

/// Registers have the size of the instruction, with the exceptions that its name says.
fn check_classes(encoded: &RegisterInstruction, found: &[(&'static str, usize)]) {
    let name = format!("{:?}", encoded.op);
    let size = match encoded.size {
        Size::G32 => "g32",
        Size::G64 => "g64",
        Size::X => "x",
        Size::Y => "y",
        Size::Z => "z",
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
        | Op::Vextractf64x4
        | Op::Vinsertf64x4
        | Op::Vpmovqd
        | Op::Vgatherqps
        | Op::VgatherqpsMasked => true,
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
        Op::KmovwFromGeneral | Op::KmovwToGeneral => {
            others.iter().all(|&class| class == "k" || class == "g32")
        }
        _ if name.starts_with('K') => others.iter().all(|&class| class == "k"),
        Op::Vpmovm2d | Op::Vpmovm2q => others == ["k"],
        _ if name.contains("ToMask") => others == ["k"],
        _ if has_general => others.iter().all(|class| class.starts_with('g')),
        _ if halves => others.iter().all(|&class| ["x", "y", "z"].contains(&class)),
        _ => others.is_empty(),
    };
    assert!(fine, "{encoded:?} is decoded with {found:?}");
    let wide_general = name.contains("qFromGeneral") || name.contains("qToGeneral") || name.contains("2si");
    if name.starts_with('V') && name.contains("General") && !others.is_empty() {
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
                    let is_gather = is_gather(encoded.op);
                    assert_eq!(["x", "y", "z"].contains(&class(decoded.memory_index()).0), is_gather);
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
            let [of_reg, of_second, of_rm] = numbers(op);
            for number in 0..of_reg.max(of_second).max(of_rm) {
                // Three different registers, each of which takes all numbers.
                let second = if has_second(op) { (number + 7) % of_second } else { 0 };
                let encoded = RegisterInstruction {
                    op,
                    size,
                    reg: number % of_reg,
                    second,
                    fourth: (number + 3) % 16,
                    mask: masks(op).start + number % masks(op).len() as u8,
                    rm: Rm::Register((number + 13) % of_rm),
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
            // Registers of each half with all masks.
            let highs = (0..numbers(op)[0]).step_by(16);
            let registers: Vec<(u8, u8)> =
                highs.flat_map(|high| masks(op).map(move |mask| (high, mask))).collect();
            let index_count = if is_gather(op) { numbers(op)[0] } else { 16 };
            for address in addresses(is_gather(op), index_count).filter(|address| is_address_for(op, address))
            {
                let (high, mask) = registers[count % registers.len()];
                let encoded = RegisterInstruction {
                    op,
                    size,
                    reg: 6 + high,
                    second: if has_second(op) { 9 + high } else { 0 },
                    fourth: 12,
                    mask,
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

fn is_gather(op: Op) -> bool {
    matches!(op.row().form, Form::Rmv | Form::Rmk)
}

fn is_address_for(op: Op, address: &Address) -> bool {
    match address {
        Address::Constant(_) => !is_gather(op),
        // The registers of a gather differ.
        Address::Register { index, .. } => !is_gather(op) || !matches!(index, Some((6 | 9 | 22, _)) | None),
    }
}

fn has_second(op: Op) -> bool {
    matches!(op.row().form, Form::Rvm | Form::Rkvm | Form::Rvmr | Form::Vm(_) | Form::Mvr | Form::Rmv)
}

/// All pairs of a base and an index, all scales, and all widths of displacements.
fn addresses(is_gather: bool, index_count: u8) -> impl Iterator<Item = Address> {
    // The last multiples of 32 and 64 that fit in a byte of EVEX, and the first that do not.
    let displacements =
        [0, 1, -128, 127, 128, -129, 4064, 4096, -4096, -4128, 8128, 8192, -8192, -8256, 0x1234_5678];
    let plain = (0..16).flat_map(move |base| {
        displacements.map(|displacement| Address::Register { base, index: None, displacement })
    });
    let indexed = (0..16).flat_map(move |base| {
        // Register 4 is not an index.
        let indices = (0..index_count).filter(move |&index| is_gather || index != 4);
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
