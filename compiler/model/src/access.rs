//! Accesses to elements: their addresses and costs, and copies of whole arrays.

use std::collections::BTreeSet;

use ravel_base::Symbol;
use ravel_kernel::*;
use ravel_prim::PrimType;

use crate::device::WORD;
use crate::machine::{Cell, Machine, Mask, Run, lanes_of};
use crate::memory::{Place, Traffic, combined_traffic, fault};

impl<'a> Machine<'a> {
    fn view(&self, array: Var) -> Run<&'a View> {
        match &self.vars[array].ty {
            Type::Array(view) => Ok(view),
            other => fault(&format!("{other} where an array is needed")),
        }
    }

    /// The place of an element in one lane. Checks that the indices and the place are in bounds.
    pub fn place(&self, array: Var, indices: &[i64], lane: usize) -> Run<Place> {
        let view = self.view(array)?;
        let mut position = self.number(view.offset, lane)?;
        for ((&index, &size), &stride) in indices.iter().zip(&view.shape).zip(&view.strides) {
            let size = self.number(size, lane)?;
            if !(0..size).contains(&index) {
                let name = name_of(self.vars, array);
                return fault(&format!("index {index} of {name} is out of bounds for size {size}"));
            }
            position += index * self.number(stride, lane)?;
        }
        let Cell::Block(block) = self.cell(Atom::Var(view.block), lane)? else {
            return fault("a view of something that is not a memory block");
        };
        let position = usize::try_from(position).or_else(|_| fault("a position before its block"))?;
        self.memory.peek((block, position)).map(|_| (block, position))
    }

    pub fn places(&self, array: Var, indices: &[Atom], active: &Mask) -> Run<Vec<(usize, Place)>> {
        let of_lane = |lane: usize| {
            let indices = indices.iter().map(|&index| self.number(index, lane)).collect::<Run<Vec<_>>>()?;
            Ok((lane, self.place(array, &indices, lane)?))
        };
        lanes_of(active).map(of_lane).collect()
    }

    /// Counts one access of the subgroup to these places, and the slots that its bank conflicts cost.
    pub fn access(&mut self, places: &[(usize, Place)], active: &Mask) {
        self.count(active, None);
        if self.points.iter().any(Option::is_some) {
            let traffic = self.memory.traffic(places.iter().map(|&(_, place)| place));
            self.count_traffic(traffic);
        }
    }

    /// Counts one combination of the subgroup into elements at these places of workgroup memory. The two words of a number
    /// of 64 bits are combined one after the other.
    pub fn combination(&mut self, places: &[(usize, Place)], ty: PrimType, active: &Mask) {
        for _ in 0..ty.bytes() as u64 / WORD {
            self.count(active, None);
            let traffic = combined_traffic(places.iter().map(|&(_, (_, position))| position));
            self.count_traffic(traffic);
        }
    }

    /// Counts the traffic of an access of the subgroup, and the slots that its bank conflicts cost.
    pub fn count_traffic(&mut self, traffic: Traffic) {
        self.counts.add_traffic(traffic);
        self.counts.slots += self.dead.len() as u64 * self.threads_per_lane * traffic.bank_conflicts;
        self.slots_used += traffic.bank_conflicts;
    }

    /// Copies an array from the host: a launch in which neighbouring lanes copy neighbouring elements.
    pub fn launch_copy(&mut self, to: &'a Var, from: Var) -> Run {
        let pairs = self.pairs(*to, from, 0)?;
        let outer = std::mem::take(&mut self.counts);
        for lanes in pairs.chunks(self.options.device.subgroup()) {
            for &(to, from) in lanes {
                self.move_element(to, from, None)?;
            }
            let (to, from): (Vec<Place>, Vec<Place>) = lanes.iter().copied().unzip();
            for places in [from, to] {
                let traffic = self.memory.traffic(places);
                self.counts.add_traffic(traffic);
            }
        }
        self.counts.points = pairs.len() as u64;
        if !pairs.is_empty() {
            self.end_launch();
        }
        let counts = std::mem::replace(&mut self.counts, outer);
        self.record(std::ptr::from_ref(to).cast(), Some(Symbol::new("copy")), counts);
        Ok(())
    }

    /// Copies an array in each active lane, one element at a time. The lanes copy in lockstep.
    pub fn copy(&mut self, to: Var, from: Var, active: &Mask) -> Run {
        let pairs = |lane: usize| Ok((lane, self.pairs(to, from, lane)?));
        let moves = lanes_of(active).map(pairs).collect::<Run<Vec<_>>>()?;
        let longest = moves.iter().map(|(_, pairs)| pairs.len()).max().unwrap_or(0);
        for step in 0..longest {
            let pairs: Vec<_> =
                moves.iter().filter_map(|(lane, pairs)| Some((*lane, *pairs.get(step)?))).collect();
            let mut still = vec![false; active.len()];
            for &(lane, (to, from)) in &pairs {
                still[lane] = true;
                self.move_element(to, from, self.points[lane])?;
            }
            self.access(&pairs.iter().map(|&(lane, (_, from))| (lane, from)).collect::<Vec<_>>(), &still);
            self.access(&pairs.iter().map(|&(lane, (to, _))| (lane, to)).collect::<Vec<_>>(), &still);
        }
        Ok(())
    }

    /// The places of each element of a copy in one lane: to and from.
    fn pairs(&self, to: Var, from: Var, lane: usize) -> Run<Vec<(Place, Place)>> {
        let shape = |array: Var| {
            self.view(array)?.shape.iter().map(|&size| self.number(size, lane)).collect::<Run<Vec<_>>>()
        };
        let sizes = shape(to)?;
        if sizes != shape(from)? {
            return fault("a copy between different shapes");
        }
        let pair = |index: Vec<i64>| Ok((self.place(to, &index, lane)?, self.place(from, &index, lane)?));
        let pairs = indices(&sizes).map(pair).collect::<Run<Vec<_>>>()?;
        let targets: BTreeSet<Place> = pairs.iter().map(|&(to, _)| to).collect();
        let is_same = pairs.iter().all(|(to, from)| to == from);
        if !is_same && pairs.iter().any(|(_, from)| targets.contains(from)) {
            return fault("a copy between arrays that overlap");
        }
        Ok(pairs)
    }

    /// Copies an element, which may never have been written: only a load of such an element is a fault.
    fn move_element(&mut self, to: Place, from: Place, point: Option<usize>) -> Run {
        let value = match self.memory.peek(from)? {
            Some(_) => Some(self.memory.load(from, point)?),
            None => None,
        };
        self.memory.store(to, value, point)
    }
}

/// All indices of a shape, row-major.
fn indices(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<'_> {
    // If a size is 0, the product of the others may overflow.
    let count: i64 = if shape.iter().any(|&size| size <= 0) { 0 } else { shape.iter().product() };
    (0..count).map(|flat| {
        let mut rest = flat;
        let mut index: Vec<i64> = shape
            .iter()
            .rev()
            .map(|&size| {
                let at = rest % size;
                rest /= size;
                at
            })
            .collect();
        index.reverse();
        index
    })
}
