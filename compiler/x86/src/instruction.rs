//! The table of instructions: each line is one instruction with its encoding.
//!
//! Instructions have the names of Intel's manual. If several encodings share a name, a suffix distinguishes them: `Store`
//! moves from a register to memory, `Imm` has an immediate operand, and `FromGeneral` and `ToGeneral` move between a
//! vector register and a general one. `ToMask` computes a mask register, and `Masked` takes one.
//!
//! The rows of AVX2 have the VEX prefix. Most of them also have the EVEX prefix of AVX-512, which names 32 registers.

/// How the operands of an instruction are encoded. The operands are in the order of the manual: the destination first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `reg, rm`
    Rm,
    /// `rm, reg`
    Mr,
    /// `reg, vvvv, rm`
    Rvm,
    /// `vvvv, rm`, with these bits of the opcode in `reg`
    Vm(u8),
    /// `rm`, with these bits of the opcode in `reg`
    M(u8),
    /// `rm, vvvv, reg`: a masked store
    Mvr,
    /// `reg, vvvv, rm, is4`: the fourth register is in the immediate byte
    Rvmr,
    /// `reg, memory, vvvv`: a gather, whose mask is `vvvv`
    Rmv,
    /// `reg, mask, rm`: a masked load or move; other lanes become zero
    Rkm,
    /// `rm, mask, reg`: a masked store
    Mkr,
    /// `rm, mask, reg`: a masked move between registers; other lanes become zero
    Mzr,
    /// `reg, memory, mask`: a masked gather
    Rmk,
    /// `reg, mask, vvvv, rm`: `rm` in the lanes of the mask, `vvvv` in the others
    Rkvm,
}

/// The immediate operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Immediate {
    None,
    Byte,
    /// Four bytes, sign-extended if the instruction is wide.
    Word,
}

/// The bits of the opcode map that prefixes encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Map {
    /// One byte.
    Single = 0,
    M0f = 1,
    M0f38 = 2,
    M0f3a = 3,
}

/// The prefix that selects an instruction of a map, by its number in VEX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    No = 0,
    P66 = 1,
    Pf3 = 2,
    Pf2 = 3,
}

/// Bit W of the VEX prefix; `No` if the instruction is one for general registers, and has none; `Evex` if it has the EVEX
/// prefix in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wide {
    No,
    W0,
    W1,
    Evex,
}

/// The EVEX prefix of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evex {
    /// Bit W.
    pub wide: bool,
    /// The size of an operand in memory. A displacement of one byte counts units of this size.
    pub memory: InMemory,
}

/// The size of an operand in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InMemory {
    /// That of the vector.
    Whole,
    /// Half of it.
    Half,
    /// A quarter of it.
    Quarter,
    /// 4 bytes.
    Dword,
    /// 8 bytes.
    Qword,
    /// 16 bytes.
    Xword,
}

/// The encoding of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub form: Form,
    pub prefix: Prefix,
    pub map: Map,
    pub opcode: u8,
    pub vex: Wide,
    /// `None` if the instruction has no EVEX prefix.
    pub evex: Option<Evex>,
    pub immediate: Immediate,
}

macro_rules! evex {
    () => {
        None
    };
    ($wide:literal $memory:ident) => {
        Some(Evex { wide: $wide == 1, memory: InMemory::$memory })
    };
}

// `/ W MEMORY` in a row is the EVEX prefix of the instruction.
macro_rules! rows {
    ($($name:ident $form:ident $(($extension:literal))? $prefix:ident $map:ident $opcode:literal $vex:ident $(/ $wide:literal $memory:ident)? $immediate:ident;)*) => {
        /// An instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Op { $($name),* }

        impl Op {
            /// All instructions.
            #[cfg(test)]
            pub const ALL: &[Op] = &[$(Op::$name),*];

            /// The encoding.
            pub const fn row(self) -> Row {
                match self {
                    $(Op::$name => Row {
                        form: Form::$form $(($extension))?,
                        prefix: Prefix::$prefix,
                        map: Map::$map,
                        opcode: $opcode,
                        vex: Wide::$vex,
                        evex: evex!($($wide $memory)?),
                        immediate: Immediate::$immediate,
                    },)*
                }
            }
        }
    };
}

impl Op {
    /// Whether the instruction reads the flags: the conditional moves, and those that store a condition.
    pub fn reads_flags(self) -> bool {
        let row = self.row();
        row.map == Map::M0f && row.vex == Wide::No && matches!(row.opcode, 0x40..=0x4f | 0x90..=0x9f)
    }
}

rows! {
    // General registers.
    Mov             Rm    No  Single 0x8b No None;
    MovStore        Mr    No  Single 0x89 No None;
    MovByteStore    Mr    No  Single 0x88 No None;
    MovWordStore    Mr    P66 Single 0x89 No None;
    MovImm          M(0)  No  Single 0xc7 No Word;
    Movzx           Rm    No  M0f    0xb6 No None;
    MovzxWord       Rm    No  M0f    0xb7 No None;
    Movsx           Rm    No  M0f    0xbe No None;
    MovsxWord       Rm    No  M0f    0xbf No None;
    Movsxd          Rm    No  Single 0x63 No None;
    Lea             Rm    No  Single 0x8d No None;
    Add             Rm    No  Single 0x03 No None;
    Sub             Rm    No  Single 0x2b No None;
    And             Rm    No  Single 0x23 No None;
    Or              Rm    No  Single 0x0b No None;
    Xor             Rm    No  Single 0x33 No None;
    Cmp             Rm    No  Single 0x3b No None;
    Test            Mr    No  Single 0x85 No None;
    Imul            Rm    No  M0f    0xaf No None;
    ImulImm         Rm    No  Single 0x69 No Word;
    AddImm          M(0)  No  Single 0x81 No Word;
    AndImm          M(4)  No  Single 0x81 No Word;
    XorImm          M(6)  No  Single 0x81 No Word;
    CmpImm          M(7)  No  Single 0x80 No Byte;
    TestImm         M(0)  No  Single 0xf7 No Word;
    Shl             M(4)  No  Single 0xc1 No Byte;
    Shr             M(5)  No  Single 0xc1 No Byte;
    Sar             M(7)  No  Single 0xc1 No Byte;
    PextFromGeneral Rvm   Pf3 M0f38  0xf5 W1 None;
    Not             M(2)  No  Single 0xf7 No None;
    Neg             M(3)  No  Single 0xf7 No None;
    Cmovb           Rm    No  M0f    0x42 No None;
    Cmove           Rm    No  M0f    0x44 No None;
    Cmovne          Rm    No  M0f    0x45 No None;
    Cmovl           Rm    No  M0f    0x4c No None;
    Setb            M(0)  No  M0f    0x92 No None;
    Setbe           M(0)  No  M0f    0x96 No None;
    Sete            M(0)  No  M0f    0x94 No None;
    Setne           M(0)  No  M0f    0x95 No None;
    Setl            M(0)  No  M0f    0x9c No None;
    Setle           M(0)  No  M0f    0x9e No None;

    // Moves.
    Vmovups         Rm    No  M0f    0x10 W0 / 0 Whole None;
    VmovupsStore    Mr    No  M0f    0x11 W0 / 0 Whole None;
    Vmovaps         Rm    No  M0f    0x28 W0 / 0 Whole None;
    Vmovss          Rm    Pf3 M0f    0x10 W0 / 0 Dword None;
    Vmovsd          Rm    Pf2 M0f    0x10 W0 / 1 Qword None;
    VmovssStore     Mr    Pf3 M0f    0x11 W0 / 0 Dword None;
    VmovsdStore     Mr    Pf2 M0f    0x11 W0 / 1 Qword None;
    Vmovhps         Rvm   No  M0f    0x16 W0 / 0 Qword None;
    Vbroadcastss    Rm    P66 M0f38  0x18 W0 / 0 Dword None;
    Vbroadcastsd    Rm    P66 M0f38  0x19 W0 / 1 Qword None;
    VmovdFromGeneral Rm   P66 M0f    0x6e W0 / 0 Dword None;
    VmovqFromGeneral Rm   P66 M0f    0x6e W1 / 1 Qword None;
    VmovdToGeneral  Mr    P66 M0f    0x7e W0 / 0 Dword None;
    VmovqToGeneral  Mr    P66 M0f    0x7e W1 / 1 Qword None;
    VpinsrqFromGeneral Rvm P66 M0f3a 0x22 W1 / 1 Qword Byte;
    VpextrqToGeneral Mr   P66 M0f3a  0x16 W1 / 1 Qword Byte;
    VpextrdToGeneral Mr   P66 M0f3a  0x16 W0 / 0 Dword Byte;
    VmovqStore      Mr    P66 M0f    0xd6 W0 / 1 Qword None;
    Vmaskmovps      Rvm   P66 M0f38  0x2c W0 None;
    Vmaskmovpd      Rvm   P66 M0f38  0x2d W0 None;
    VmaskmovpsStore Mvr   P66 M0f38  0x2e W0 None;
    VmaskmovpdStore Mvr   P66 M0f38  0x2f W0 None;
    Vgatherqps      Rmv   P66 M0f38  0x93 W0 None;
    Vgatherqpd      Rmv   P66 M0f38  0x93 W1 None;

    // Floats.
    Vaddps          Rvm   No  M0f    0x58 W0 / 0 Whole None;
    Vaddpd          Rvm   P66 M0f    0x58 W0 / 1 Whole None;
    Vaddss          Rvm   Pf3 M0f    0x58 W0 / 0 Dword None;
    Vaddsd          Rvm   Pf2 M0f    0x58 W0 / 1 Qword None;
    Vmulss          Rvm   Pf3 M0f    0x59 W0 / 0 Dword None;
    Vmulsd          Rvm   Pf2 M0f    0x59 W0 / 1 Qword None;
    Vsubps          Rvm   No  M0f    0x5c W0 / 0 Whole None;
    Vsubpd          Rvm   P66 M0f    0x5c W0 / 1 Whole None;
    Vmulps          Rvm   No  M0f    0x59 W0 / 0 Whole None;
    Vmulpd          Rvm   P66 M0f    0x59 W0 / 1 Whole None;
    Vdivps          Rvm   No  M0f    0x5e W0 / 0 Whole None;
    Vdivpd          Rvm   P66 M0f    0x5e W0 / 1 Whole None;
    Vminpd          Rvm   P66 M0f    0x5d W0 / 1 Whole None;
    Vsqrtps         Rm    No  M0f    0x51 W0 / 0 Whole None;
    Vsqrtpd         Rm    P66 M0f    0x51 W0 / 1 Whole None;
    Vroundps        Rm    P66 M0f3a  0x08 W0 / 0 Whole Byte;
    Vroundpd        Rm    P66 M0f3a  0x09 W0 / 1 Whole Byte;
    Vandps          Rvm   No  M0f    0x54 W0 / 0 Whole None;
    Vandnps         Rvm   No  M0f    0x55 W0 / 0 Whole None;
    Vorps           Rvm   No  M0f    0x56 W0 / 0 Whole None;
    Vxorps          Rvm   No  M0f    0x57 W0 / 0 Whole None;
    Vcmpps          Rvm   No  M0f    0xc2 W0 Byte;
    Vcmppd          Rvm   P66 M0f    0xc2 W0 Byte;

    // Integers.
    Vpaddd          Rvm   P66 M0f    0xfe W0 / 0 Whole None;
    Vpaddq          Rvm   P66 M0f    0xd4 W0 / 1 Whole None;
    Vpsubd          Rvm   P66 M0f    0xfa W0 / 0 Whole None;
    Vpsubq          Rvm   P66 M0f    0xfb W0 / 1 Whole None;
    Vpmulld         Rvm   P66 M0f38  0x40 W0 / 0 Whole None;
    Vpmuludq        Rvm   P66 M0f    0xf4 W0 / 1 Whole None;
    Vpminsd         Rvm   P66 M0f38  0x39 W0 / 0 Whole None;
    Vpmaxsd         Rvm   P66 M0f38  0x3d W0 / 0 Whole None;
    Vpminud         Rvm   P66 M0f38  0x3b W0 / 0 Whole None;
    Vpmaxud         Rvm   P66 M0f38  0x3f W0 / 0 Whole None;
    Vpabsd          Rm    P66 M0f38  0x1e W0 / 0 Whole None;
    VpslldImm       Vm(6) P66 M0f    0x72 W0 / 0 Whole Byte;
    VpsrldImm       Vm(2) P66 M0f    0x72 W0 / 0 Whole Byte;
    VpsradImm       Vm(4) P66 M0f    0x72 W0 / 0 Whole Byte;
    VpsllqImm       Vm(6) P66 M0f    0x73 W0 / 1 Whole Byte;
    VpsrlqImm       Vm(2) P66 M0f    0x73 W0 / 1 Whole Byte;
    Vpsllvd         Rvm   P66 M0f38  0x47 W0 / 0 Whole None;
    Vpsllvq         Rvm   P66 M0f38  0x47 W1 / 1 Whole None;
    Vpsrlvd         Rvm   P66 M0f38  0x45 W0 / 0 Whole None;
    Vpsrlvq         Rvm   P66 M0f38  0x45 W1 / 1 Whole None;
    Vpsravd         Rvm   P66 M0f38  0x46 W0 / 0 Whole None;
    Vpcmpeqd        Rvm   P66 M0f    0x76 W0 None;
    Vpcmpeqq        Rvm   P66 M0f38  0x29 W0 None;
    Vpcmpgtd        Rvm   P66 M0f    0x66 W0 None;
    Vpcmpgtq        Rvm   P66 M0f38  0x37 W0 None;

    // Selections and lanes.
    Vblendvps       Rvmr  P66 M0f3a  0x4a W0 None;
    Vpblendd        Rvm   P66 M0f3a  0x02 W0 Byte;
    Vshufps         Rvm   No  M0f    0xc6 W0 / 0 Whole Byte;
    Vinsertps       Rvm   P66 M0f3a  0x21 W0 / 0 Dword Byte;
    Vunpcklps       Rvm   No  M0f    0x14 W0 / 0 Whole None;
    Vunpckhps       Rvm   No  M0f    0x15 W0 / 0 Whole None;
    Vunpcklpd       Rvm   P66 M0f    0x14 W0 / 1 Whole None;
    Vunpckhpd       Rvm   P66 M0f    0x15 W0 / 1 Whole None;
    Vpermq          Rm    P66 M0f3a  0x00 W1 / 1 Whole Byte;
    Vpermd          Rvm   P66 M0f38  0x36 W0 / 0 Whole None;
    Vextractf128    Mr    P66 M0f3a  0x19 W0 / 0 Xword Byte;
    Vinsertf128     Rvm   P66 M0f3a  0x18 W0 / 0 Xword Byte;
    Vextractf64x4   Mr    P66 M0f3a  0x1b Evex / 1 Half Byte;
    Vinsertf64x4    Rvm   P66 M0f3a  0x1a Evex / 1 Half Byte;
    Vptest          Rm    P66 M0f38  0x17 W0 None;

    // Conversions.
    Vcvtdq2ps       Rm    No  M0f    0x5b W0 / 0 Whole None;
    Vcvttps2dq      Rm    Pf3 M0f    0x5b W0 / 0 Whole None;
    Vcvtdq2pd       Rm    Pf3 M0f    0xe6 W0 / 0 Half None;
    Vcvttpd2dq      Rm    P66 M0f    0xe6 W0 / 1 Whole None;
    Vcvtps2pd       Rm    No  M0f    0x5a W0 / 0 Half None;
    Vcvtpd2ps       Rm    P66 M0f    0x5a W0 / 1 Whole None;
    Vcvttsd2siToGeneral Rm Pf2 M0f   0x2c W1 / 1 Qword None;
    Vpmovsxdq       Rm    P66 M0f38  0x25 W0 / 0 Half None;
    Vpmovzxdq       Rm    P66 M0f38  0x35 W0 / 0 Half None;
    Vpmovsxbd       Rm    P66 M0f38  0x21 W0 / 0 Quarter None;
    Vpmovsxwd       Rm    P66 M0f38  0x23 W0 / 0 Half None;
    Vpmovzxbd       Rm    P66 M0f38  0x31 W0 / 0 Quarter None;
    Vpmovzxwd       Rm    P66 M0f38  0x33 W0 / 0 Half None;
    Vpackssdw       Rvm   P66 M0f    0x6b W0 None;
    Vpackusdw       Rvm   P66 M0f38  0x2b W0 None;
    Vpacksswb       Rvm   P66 M0f    0x63 W0 None;
    Vpackuswb       Rvm   P66 M0f    0x67 W0 None;

    // Masks.
    Kmovw           Rm    No  M0f    0x90 W0 None;
    KmovwStore      Mr    No  M0f    0x91 W0 None;
    KmovwFromGeneral Rm   No  M0f    0x92 W0 None;
    KmovwToGeneral  Rm    No  M0f    0x93 W0 None;
    Kandw           Rvm   No  M0f    0x41 W0 None;
    Kandnw          Rvm   No  M0f    0x42 W0 None;
    Korw            Rvm   No  M0f    0x45 W0 None;
    Kxorw           Rvm   No  M0f    0x47 W0 None;
    Knotw           Rm    No  M0f    0x44 W0 None;
    Kshiftrw        Rm    P66 M0f3a  0x30 W1 Byte;
    Kortestb        Rm    P66 M0f    0x98 W0 None;
    Kortestw        Rm    No  M0f    0x98 W0 None;
    Vpmovm2d        Rm    Pf3 M0f38  0x38 Evex / 0 Whole None;
    Vpmovm2q        Rm    Pf3 M0f38  0x38 Evex / 1 Whole None;
    VptestmdToMask  Rvm   P66 M0f38  0x27 Evex / 0 Whole None;
    Vblendmps       Rkvm  P66 M0f38  0x65 Evex / 0 Whole None;
    Vblendmpd       Rkvm  P66 M0f38  0x65 Evex / 1 Whole None;
    VcmppsToMask    Rvm   No  M0f    0xc2 Evex / 0 Whole Byte;
    VcmppdToMask    Rvm   P66 M0f    0xc2 Evex / 1 Whole Byte;
    VpcmpdToMask    Rvm   P66 M0f3a  0x1f Evex / 0 Whole Byte;
    VpcmpqToMask    Rvm   P66 M0f3a  0x1f Evex / 1 Whole Byte;
    VpcmpudToMask   Rvm   P66 M0f3a  0x1e Evex / 0 Whole Byte;
    VpcmpuqToMask   Rvm   P66 M0f3a  0x1e Evex / 1 Whole Byte;
    VmovupsMasked   Rkm   No  M0f    0x10 Evex / 0 Whole None;
    VmovupdMasked   Rkm   P66 M0f    0x10 Evex / 1 Whole None;
    VmovupsMaskedStore Mkr No M0f    0x11 Evex / 0 Whole None;
    VmovupdMaskedStore Mkr P66 M0f   0x11 Evex / 1 Whole None;
    Vpcompressd     Mzr   P66 M0f38  0x8b Evex / 0 Dword None;
    Vpcompressq     Mzr   P66 M0f38  0x8b Evex / 1 Qword None;
    VgatherqpsMasked Rmk  P66 M0f38  0x93 Evex / 0 Dword None;
    VgatherqpdMasked Rmk  P66 M0f38  0x93 Evex / 1 Qword None;

    // What only AVX-512 has.
    Vpmullq         Rvm   P66 M0f38  0x40 Evex / 1 Whole None;
    Vpminsq         Rvm   P66 M0f38  0x39 Evex / 1 Whole None;
    Vpmaxsq         Rvm   P66 M0f38  0x3d Evex / 1 Whole None;
    Vpminuq         Rvm   P66 M0f38  0x3b Evex / 1 Whole None;
    Vpmaxuq         Rvm   P66 M0f38  0x3f Evex / 1 Whole None;
    Vpabsq          Rm    P66 M0f38  0x1f Evex / 1 Whole None;
    VpsraqImm       Vm(4) P66 M0f    0x72 Evex / 1 Whole Byte;
    Vpsravq         Rvm   P66 M0f38  0x46 Evex / 1 Whole None;
    Vcvtqq2pd       Rm    Pf3 M0f    0xe6 Evex / 1 Whole None;
    Vcvtuqq2pd      Rm    Pf3 M0f    0x7a Evex / 1 Whole None;
    Vcvttpd2qq      Rm    P66 M0f    0x7a Evex / 1 Whole None;
    Valignd         Rvm   P66 M0f3a  0x03 Evex / 0 Whole Byte;
    Valignq         Rvm   P66 M0f3a  0x03 Evex / 1 Whole Byte;
    Vpmovqd         Mr    Pf3 M0f38  0x35 Evex / 0 Half None;
    VpmovdwStore    Mr    Pf3 M0f38  0x33 Evex / 0 Half None;
    VpmovdbStore    Mr    Pf3 M0f38  0x31 Evex / 0 Quarter None;
}
