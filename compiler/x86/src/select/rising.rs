//! Stores of what a filter keeps: the elements of the lanes that take part usually follow each other in memory. Then the lanes are
//! packed and stored at once. Otherwise they are stored one by one. This needs AVX-512.

use ravel_prim::PrimType;
use ravel_vector::Memory;
use regalloc2::{RegClass, VReg};

use super::masks::predicate;
use super::operator::choose;
use super::{Base, Selector};
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{self, Address, Condition, MASK, Source};

impl Selector<'_> {
    /// Stores the lanes of a mask at these positions.
    pub(super) fn store_rising(&mut self, memory: Memory, ty: PrimType, at: VReg, values: VReg, mask: VReg) {
        let Base::Block(base) = self.memories[&memory] else { unreachable!("a block") };
        let largest = self.largest();
        let packed = self.sized(Op::Vpcompressq, largest, &[mask], at);
        let first = self.function.define(Op::VmovqToGeneral, Size::X, RegClass::Int, &[], packed, 0);
        let bits = self.function.define(Op::KmovwToGeneral, Size::X, RegClass::Int, &[], mask, 0);
        let bits = self.function.update(Op::AndImm, Size::G32, bits, None, (1 << self.lanes) - 1);
        // As many ones as there are lanes in the mask.
        let low = self.function.define(Op::PextFromGeneral, Size::X, RegClass::Int, &[bits], bits, 0);
        let taken = self.function.define(Op::KmovwFromGeneral, Size::X, MASK, &[], low, 0);
        let first_in_all = self.sized(Op::Vbroadcastsd, largest, &[], packed);
        let lanes: Vec<u8> = (0..self.lanes as i64).flat_map(i64::to_le_bytes).collect();
        let lanes = self.pool(&lanes);
        let expected = self.vector(Op::Vpaddq, &[first_in_all], lanes);
        let as_expected =
            self.function.define(Op::VpcmpqToMask, largest, MASK, &[packed], expected, predicate::EQUAL);
        let elsewhere = self.function.define(Op::Kandnw, Size::Y, MASK, &[as_expected], taken, 0);
        self.test_mask(elsewhere);
        let [apart, together, join] = [(); 3].map(|()| self.function.label());
        self.function.branch(Condition::NOT_EQUAL, apart, together);

        self.function.begin(together, Vec::new());
        let size = self.register_size(ty);
        let values_packed = self.sized(choose(ty, Op::Vpcompressd, Op::Vpcompressq), size, &[mask], values);
        let scale = Some(ty.bytes().trailing_zeros() as u8);
        let address = Address::Register { scale, displacement: 0 };
        let place = Source::Memory(machine::Memory { address, registers: vec![base, first] });
        let [_, store, _] = self.masked_accesses(ty);
        self.function.perform(store, size, &[taken, values_packed], Some(place), 0);
        self.function.jump(join, Vec::new());

        self.function.begin(apart, Vec::new());
        self.scatter(memory, ty, &[at], &[values], Some(&[mask]));
        self.function.jump(join, Vec::new());
        self.function.begin(join, Vec::new());
    }
}
