//! The state of a strip in registers: the strands of a reduction that its lanes combine, or what a scan carries.
//!
//! The registers form a queue of groups of as many strands as there are lanes. A strip takes the first group and puts it
//! at the end. A group has the registers of the first value, then those of the second, and so on.

use cranelift_codegen::ir::{Block, InstBuilder, Value as Clif};
use ravel_prim::PrimType;
use ravel_vector::Strip;
use ravel_x86::STRANDS;

use super::{Binding, Lanes};
use crate::emitter::{Emitter, TRUSTED, clif_type};

impl<'s> Lanes<'s> {
    /// Loads all strands.
    pub fn load_state(
        emitter: &mut Emitter<'_, '_>,
        strip: &'s Strip,
        strands: usize,
        memory: Clif,
    ) -> Vec<Clif> {
        let this = Lanes::new(strip);
        let mut registers = Vec::new();
        for group in 0..strands / this.lanes {
            for (number, ty) in types(strip).enumerate() {
                let mut scalars = Vec::new();
                for lane in 0..this.lanes {
                    let place = STRANDS * number + (group * this.lanes + lane) * ty.bytes();
                    scalars.push(emitter.builder.ins().load(clif_type(ty), TRUSTED, memory, place as i32));
                }
                registers.extend(this.build(emitter, ty, &scalars));
            }
        }
        registers
    }

    /// Stores all strands. The first group in the registers begins with strand `first`.
    pub fn store_state(
        emitter: &mut Emitter<'_, '_>,
        strip: &'s Strip,
        state: &[Clif],
        memory: Clif,
        (first, strands): (Clif, usize),
    ) {
        let this = Lanes::new(strip);
        let groups = strands / this.lanes;
        for (group, mut registers) in state.chunks(state.len() / groups).enumerate() {
            let strand = emitter.builder.ins().iadd_imm_s(first, (group * this.lanes) as i64);
            let strand = emitter.builder.ins().band_imm_s(strand, strands as i64 - 1);
            for (number, ty) in types(strip).enumerate() {
                let offset = emitter.builder.ins().imul_imm_s(strand, ty.bytes() as i64);
                let address = emitter.builder.ins().iadd(memory, offset);
                let (value, others) = registers.split_at(this.registers_of(ty));
                registers = others;
                for lane in 0..this.lanes {
                    let scalar = this.extract(emitter, ty, value, lane);
                    let place = STRANDS * number + lane * ty.bytes();
                    emitter.builder.ins().store(TRUSTED, scalar, address, place as i32);
                }
            }
        }
    }

    /// Emits a strip that combines a group of strands. Goes to `restart` if it fails. Returns the next registers of the group.
    pub fn combine(
        emitter: &mut Emitter<'_, '_>,
        strip: &'s Strip,
        counter: Clif,
        restart: Block,
        mut group: &[Clif],
    ) -> Vec<Clif> {
        let mut this = Lanes::outside(emitter, strip);
        for (&value, ty) in strip.state.iter().zip(types(strip)) {
            let (registers, others) = group.split_at(this.registers_of(ty));
            group = others;
            this.bind(value, Binding::Varying(registers.to_vec()));
        }
        let results = this.run(emitter, counter, restart);
        let registers = results.into_iter().zip(types(strip)).map(|(binding, ty)| match binding {
            Binding::Varying(registers) => registers,
            Binding::Uniform(scalar) => this.splat(emitter, ty, scalar),
        });
        registers.collect::<Vec<_>>().concat()
    }
}

impl<'s> Lanes<'s> {
    /// Emits a strip of a scan, of which the points before combine to `carry`. Goes to `restart` if it fails. Returns the next carry.
    pub fn scan(
        emitter: &mut Emitter<'_, '_>,
        strip: &'s Strip,
        counter: Clif,
        restart: Block,
        carry: &[Clif],
    ) -> Vec<Clif> {
        let mut this = Lanes::outside(emitter, strip);
        for (&value, &scalar) in strip.carry.iter().zip(carry) {
            this.bind(value, Binding::Uniform(scalar));
        }
        let results = this.run(emitter, counter, restart);
        let scalar = |binding| match binding {
            Binding::Uniform(scalar) => scalar,
            Binding::Varying(_) => unreachable!("verified: uniform"),
        };
        results.into_iter().map(scalar).collect()
    }
}

/// The types of the state.
fn types(strip: &Strip) -> impl Iterator<Item = PrimType> {
    strip.state.iter().map(|&value| strip.values[value].ty)
}
