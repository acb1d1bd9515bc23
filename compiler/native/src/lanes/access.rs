//! Loads and stores: whole registers where lanes are neighbours, otherwise lane by lane.
//!
//! Each lane has a private array of its own. The elements of all lanes at one position are next to each other in memory, so
//! an access to a private array at a uniform position is contiguous.
//!
//! Elements of 8 and 16 bits are extended to the 32 bits of their lanes, one by one.
//!
//! Lanes outside the mask must not touch memory. In an access lane by lane, such a lane loads a zero from one dummy slot
//! on the stack, or stores to a second one. That avoids a branch, which would be hard to predict. A contiguous access uses
//! whole registers if all lanes take part, and otherwise goes lane by lane. A store to a private array always uses whole
//! registers.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value as Clif};
use ravel_prim::PrimType;
use ravel_vector::{Memory, Operand, Place, Position, ROW, Value, lane_type};

use super::{Binding, Lanes, cost};
use crate::emitter::{Emitter, TRUSTED, clif_type};

/// The flags of an access to a whole register: it need not be aligned to its size.
const WHOLE: MemFlagsData = MemFlagsData::new().with_notrap();

impl Lanes<'_> {
    pub(super) fn load(
        &mut self,
        emitter: &mut Emitter<'_, '_>,
        value: Value,
        memory: Memory,
        position: Position,
        mask: Option<Operand>,
    ) {
        let ty = self.strip.memories[memory].elem;
        if !self.strip.values[value].varying {
            let Position::Uniform(at) = position else { unreachable!("verified: a uniform load") };
            let address = self.shared_address(emitter, memory, at);
            let element = load_element(emitter, ty, address);
            return self.bind(value, Binding::Uniform(element));
        }
        let mask = mask.map(|mask| self.registers(emitter, mask));
        let registers = match (self.whole_address(emitter, memory, position), mask) {
            (Some(address), None) => self.load_whole(emitter, ty, address),
            (Some(address), Some(mask)) => {
                let types = vec![self.register_type(ty); self.registers_of(ty)];
                let (join, joined) = emitter.block(&types);
                let some = self.branch_if_all(emitter, &mask, |this, emitter| {
                    let registers = this.load_whole(emitter, ty, address);
                    emitter.jump(join, &registers);
                });
                emitter.builder.switch_to_block(some);
                let registers = self.load_each(emitter, memory, position, Some(&mask));
                emitter.jump(join, &registers);
                emitter.builder.switch_to_block(join);
                joined
            }
            (None, mask) => self.load_each(emitter, memory, position, mask.as_deref()),
        };
        self.bind(value, Binding::Varying(registers));
    }

    /// Loads neighbouring elements of each lane as they lie in memory, and transposes them.
    pub(super) fn load_row(
        &mut self,
        emitter: &mut Emitter<'_, '_>,
        values: &[Value; ROW],
        memory: Memory,
        position: Position,
    ) {
        let ty = self.strip.memories[memory].elem;
        let addresses = self.addresses(emitter, memory, position);
        let mut columns = [(); ROW].map(|()| Vec::new());
        let each = 16 / ty.bytes();
        for rows in addresses.chunks(each) {
            for first in (0..ROW).step_by(each) {
                let offset = (first * ty.bytes()) as i32;
                let load =
                    |&row: &Clif| emitter.builder.ins().load(self.register_type(ty), WHOLE, row, offset);
                let registers = rows.iter().map(load).collect();
                let transposed = self.transpose(emitter, registers);
                columns[first..]
                    .iter_mut()
                    .zip(transposed)
                    .for_each(|(column, register)| column.push(register));
            }
        }
        for (&value, registers) in values.iter().zip(columns) {
            self.bind(value, Binding::Varying(registers));
        }
    }

    pub(super) fn store(
        &mut self,
        emitter: &mut Emitter<'_, '_>,
        memory: Memory,
        position: Position,
        value: Operand,
        mask: Option<Operand>,
    ) {
        let info = self.strip.memories[memory];
        let mask = mask.map(|mask| self.registers(emitter, mask));
        let Some(address) = self.whole_address(emitter, memory, position) else {
            let binding = self.binding(emitter, value);
            return self.store_each(emitter, memory, position, &binding, mask.as_deref());
        };
        let registers = self.registers(emitter, value);
        match mask {
            None => self.store_whole(emitter, address, &registers),
            // The other lanes of a private array keep what they have.
            Some(mask) if info.place.is_private() => {
                let old = self.load_whole(emitter, info.elem, address);
                let new = self.select(emitter, info.elem, &mask, &registers, &old);
                self.store_whole(emitter, address, &new);
            }
            Some(mask) => {
                let (join, _) = emitter.block(&[]);
                let some = self.branch_if_all(emitter, &mask, |this, emitter| {
                    this.store_whole(emitter, address, &registers);
                    emitter.jump(join, &[]);
                });
                emitter.builder.switch_to_block(some);
                self.store_each(emitter, memory, position, &Binding::Varying(registers), Some(&mask));
                emitter.jump(join, &[]);
                emitter.builder.switch_to_block(join);
            }
        }
    }

    /// Emits a branch on whether a mask is true in all lanes, and the code for that case. Returns the Cranelift block of the
    /// other case, which is still empty.
    fn branch_if_all(
        &self,
        emitter: &mut Emitter<'_, '_>,
        mask: &[Clif],
        all: impl FnOnce(&Self, &mut Emitter<'_, '_>),
    ) -> cranelift_codegen::ir::Block {
        let ((whole, _), (some, _)) = (emitter.block(&[]), emitter.block(&[]));
        let outside: Vec<Clif> = mask.iter().map(|&mask| emitter.builder.ins().bnot(mask)).collect();
        let any = self.any(emitter, &outside);
        emitter.branch(any, (some, &[]), (whole, &[]));
        emitter.builder.switch_to_block(whole);
        all(self, emitter);
        some
    }

    /// The address of lane 0's element, if the access is contiguous and the type has the same format in registers and in
    /// memory. A bool does not.
    fn whole_address(
        &self,
        emitter: &mut Emitter<'_, '_>,
        memory: Memory,
        position: Position,
    ) -> Option<Clif> {
        let info = self.strip.memories[memory];
        if !cost::holds(info.elem) || info.elem == PrimType::Bool {
            return None;
        }
        match (info.place, position) {
            (Place::Private(_) | Place::Preallocated(_), Position::Uniform(at)) => {
                let at = self.scalar(emitter, at);
                Some(self.private_address(emitter, memory, at, 0))
            }
            (Place::Block(_), Position::Strided { first, .. }) if position.is_contiguous() => {
                Some(self.shared_address(emitter, memory, first))
            }
            _ => None,
        }
    }

    /// The address of an element of a memory that all lanes share.
    fn shared_address(&self, emitter: &mut Emitter<'_, '_>, memory: Memory, at: Operand) -> Clif {
        let at = self.scalar(emitter, at);
        self.element_address(emitter, memory, at)
    }

    fn element_address(&self, emitter: &mut Emitter<'_, '_>, memory: Memory, at: Clif) -> Clif {
        let bytes = self.strip.memories[memory].elem.bytes() as i64;
        let offset = emitter.builder.ins().imul_imm_s(at, bytes);
        emitter.builder.ins().iadd(self.memories[&memory], offset)
    }

    /// The address of an element of a lane's own array.
    fn private_address(&self, emitter: &mut Emitter<'_, '_>, memory: Memory, at: Clif, lane: usize) -> Clif {
        let row = emitter.builder.ins().imul_imm_s(at, self.lanes as i64);
        let place = emitter.builder.ins().iadd_imm_s(row, lane as i64);
        self.element_address(emitter, memory, place)
    }

    /// The address of each lane's element.
    fn addresses(&self, emitter: &mut Emitter<'_, '_>, memory: Memory, position: Position) -> Vec<Clif> {
        let info = self.strip.memories[memory];
        let at: Vec<Clif> = match position {
            Position::Uniform(at) => vec![self.scalar(emitter, at); self.lanes],
            Position::Strided { first, step } => {
                let (mut at, step) = (self.scalar(emitter, first), self.scalar(emitter, step));
                let mut all = vec![at];
                for _ in 1..self.lanes {
                    at = emitter.builder.ins().iadd(at, step);
                    all.push(at);
                }
                all
            }
            Position::Varying(at) | Position::Rising(at) => {
                let at = self.registers(emitter, at);
                (0..self.lanes).map(|lane| self.extract(emitter, PrimType::I64, &at, lane)).collect()
            }
        };
        at.into_iter()
            .enumerate()
            .map(|(lane, at)| match info.place {
                Place::Private(_) | Place::Preallocated(_) => self.private_address(emitter, memory, at, lane),
                Place::Block(_) => self.element_address(emitter, memory, at),
            })
            .collect()
    }

    fn load_whole(&self, emitter: &mut Emitter<'_, '_>, ty: PrimType, address: Clif) -> Vec<Clif> {
        let register = |number: usize| {
            emitter.builder.ins().load(self.register_type(ty), WHOLE, address, 16 * number as i32)
        };
        (0..self.registers_of(ty)).map(register).collect()
    }

    fn store_whole(&self, emitter: &mut Emitter<'_, '_>, address: Clif, registers: &[Clif]) {
        for (number, &register) in registers.iter().enumerate() {
            emitter.builder.ins().store(WHOLE, register, address, 16 * number as i32);
        }
    }

    fn load_each(
        &self,
        emitter: &mut Emitter<'_, '_>,
        memory: Memory,
        position: Position,
        mask: Option<&[Clif]>,
    ) -> Vec<Clif> {
        let ty = self.strip.memories[memory].elem;
        let addresses = self.addresses(emitter, memory, position);
        let mut scalars = Vec::new();
        for (lane, address) in addresses.into_iter().enumerate() {
            let address = self.masked_address(emitter, mask, lane, address, self.dummies().0);
            scalars.push(load_element(emitter, ty, address));
        }
        self.build(emitter, lane_type(ty), &scalars)
    }

    fn store_each(
        &self,
        emitter: &mut Emitter<'_, '_>,
        memory: Memory,
        position: Position,
        value: &Binding,
        mask: Option<&[Clif]>,
    ) {
        let ty = self.strip.memories[memory].elem;
        let addresses = self.addresses(emitter, memory, position);
        for (lane, address) in addresses.into_iter().enumerate() {
            let address = self.masked_address(emitter, mask, lane, address, self.dummies().1);
            let scalar = self.lane(emitter, lane_type(ty), value, lane);
            let scalar = if lane_type(ty) == ty {
                scalar
            } else {
                emitter.builder.ins().ireduce(clif_type(ty), scalar)
            };
            emitter.builder.ins().store(TRUSTED, scalar, address, 0);
        }
    }

    /// The addresses that lanes outside the mask load from and store to.
    fn dummies(&self) -> (Clif, Clif) {
        self.dummies.expect("set before the code of the strip")
    }

    /// Selects `address` if the lane is active, else `otherwise`.
    fn masked_address(
        &self,
        emitter: &mut Emitter<'_, '_>,
        mask: Option<&[Clif]>,
        lane: usize,
        address: Clif,
        otherwise: Clif,
    ) -> Clif {
        let Some(mask) = mask else { return address };
        let takes_part = self.extract(emitter, PrimType::Bool, mask, lane);
        emitter.builder.ins().select(takes_part, address, otherwise)
    }
}

/// Loads an element as a scalar of its lane type.
fn load_element(emitter: &mut Emitter<'_, '_>, ty: PrimType, address: Clif) -> Clif {
    let element = emitter.builder.ins().load(clif_type(ty), TRUSTED, address, 0);
    match lane_type(ty) {
        lane if lane == ty => element,
        lane if ty.is_signed() => emitter.builder.ins().sextend(clif_type(lane), element),
        lane => emitter.builder.ins().uextend(clif_type(lane), element),
    }
}
