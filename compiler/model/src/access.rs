//! Accesses to elements: their addresses and costs, and copies of whole arrays.

use ravel_kernel::*;

use crate::machine::{Cell, Machine, Mask, Run, lanes_of};
use crate::memory::{Place, fault};

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
            self.counts.bytes += traffic.bytes;
            self.counts.sectors += traffic.sectors;
            self.counts.workgroup_words += traffic.words;
            self.counts.bank_conflicts += traffic.bank_conflicts;
            self.counts.slots += active.len() as u64 * self.threads_per_lane * traffic.bank_conflicts;
            self.slots_used += traffic.bank_conflicts;
        }
    }

    /// Copies an array in each active lane, one element at a time. The lanes copy in lockstep.
    pub fn copy(&mut self, to: Var, from: Var, active: &Mask) -> Run {
        let mut moves = Vec::new();
        for lane in lanes_of(active) {
            let shape = |array: Var| {
                self.view(array)?.shape.iter().map(|&size| self.number(size, lane)).collect::<Run<Vec<_>>>()
            };
            let sizes = shape(to)?;
            if sizes != shape(from)? {
                return fault("a copy between different shapes");
            }
            let pair = |index: Vec<i64>| Ok((self.place(to, &index, lane)?, self.place(from, &index, lane)?));
            let pairs = indices(&sizes).map(pair).collect::<Run<Vec<_>>>()?;
            let targets: std::collections::BTreeSet<Place> = pairs.iter().map(|&(to, _)| to).collect();
            let is_same = pairs.iter().all(|(to, from)| to == from);
            if !is_same && pairs.iter().any(|(_, from)| targets.contains(from)) {
                return fault("a copy between arrays that overlap");
            }
            moves.push((lane, pairs));
        }
        let longest = moves.iter().map(|(_, pairs)| pairs.len()).max().unwrap_or(0);
        for step in 0..longest {
            let pairs: Vec<_> =
                moves.iter().filter_map(|(lane, pairs)| Some((*lane, *pairs.get(step)?))).collect();
            let mut still = vec![false; active.len()];
            for &(lane, (to, from)) in &pairs {
                still[lane] = true;
                // A copy may copy elements that were never written; only a load of one is a fault.
                let value = match self.memory.peek(from)? {
                    Some(_) => Some(self.memory.load(from, self.points[lane])?),
                    None => None,
                };
                self.memory.store(to, value, self.points[lane])?;
            }
            self.access(&pairs.iter().map(|&(lane, (_, from))| (lane, from)).collect::<Vec<_>>(), &still);
            self.access(&pairs.iter().map(|&(lane, (to, _))| (lane, to)).collect::<Vec<_>>(), &still);
        }
        Ok(())
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
