//! The values that the operators of reductions and scans combine, and their exchange between the threads of a workgroup.
//!
//! The steps are those of the WGSL backend. To combine values as a tree, each thread in step 1, 2, 4, … combines its value
//! with that of the thread so much further. To scan them, every second group of 1, 2, 4, … threads combines the last value
//! of the group before with its own. A step is a *shuffle* within subgroups, or goes through workgroup memory, where a
//! barrier comes first.

use ravel_kernel::*;

use crate::device::WORD;
use crate::machine::{Cell, Lanes, Machine, Mask, Run};
use crate::memory::{fault, tile_traffic};

/// The barriers of a load whose value is the same for all threads of the workgroup: one before it and one after it. A test
/// for failures is such a load.
pub const UNIFORM_LOAD: u64 = 2;

/// The values of a point or of a thread: those of all combiners, one after the other.
pub type Values = Vec<Cell>;

/// The operators of a reduction or scan, and the values that they combine.
pub struct Operators<'a> {
    pub combiners: &'a [Combiner],
    pub neutral: Values,
    /// The bytes of each value.
    pub widths: Vec<usize>,
    /// Whether an operator can fail. Then the threads of the workgroup test for failures after they have combined values.
    pub can_fail: bool,
}

/// The order in which the threads of a workgroup combine their values.
#[derive(Clone, Copy)]
pub enum Exchange {
    /// As a tree. Afterwards, the first thread has the combined value.
    Tree,
    /// Each thread gets the combined value of the threads up to it.
    Scan,
}

impl Exchange {
    /// The thread whose value a thread combines with its own.
    pub fn partner(self, thread: usize, stride: usize) -> usize {
        match self {
            Exchange::Tree => thread + stride,
            // Only a thread whose group has one before it has a partner.
            Exchange::Scan => (thread / stride * stride).saturating_sub(1),
        }
    }

    /// Whether a thread combines values in a step.
    pub fn combines(self, thread: usize, stride: usize) -> bool {
        match self {
            Exchange::Tree => thread.is_multiple_of(2 * stride),
            Exchange::Scan => !(thread / stride).is_multiple_of(2),
        }
    }
}

/// The position of a thread's value in workgroup memory.
pub type Position<'p> = &'p dyn Fn(usize) -> usize;

/// A step of an exchange.
#[derive(Clone, Copy)]
pub struct Step<'p> {
    pub exchange: Exchange,
    pub stride: usize,
    /// Where the values are in workgroup memory; `None` if threads shuffle them instead of loading them from there.
    pub shared: Option<Position<'p>>,
}

/// The threads of a workgroup while they combine values.
pub struct Workers {
    /// The value of each thread.
    pub sums: Vec<Values>,
    /// The point at which each thread fails if its operator fails.
    pub places: Vec<Option<usize>>,
}

impl<'a> Machine<'a> {
    /// The operators of a reduction or scan.
    pub fn operators(&mut self, combiners: &'a [Combiner]) -> Run<Operators<'a>> {
        let widths = combiners.iter().flat_map(|combiner| combiner.widths(self.vars)).collect();
        let neutral = cells(&self.neutral(combiners)?.concat(), 0)?;
        let can_fail = combiners.iter().any(Combiner::can_fail);
        Ok(Operators { combiners, neutral, widths, can_fail })
    }

    /// Runs code of the first `threads` threads of a workgroup, from one barrier to the next: the last subgroup first. The
    /// workgroup takes as long as its longest subgroup.
    pub fn phase(&mut self, threads: usize, mut run: impl FnMut(&mut Machine<'a>, usize) -> Run) -> Run {
        let (lanes, before) = (self.options.device.subgroup(), self.slots_used);
        let mut longest = 0;
        for subgroup in (0..threads.div_ceil(lanes)).rev() {
            (self.dead, self.slots_used) = (vec![false; lanes], 0);
            run(self, subgroup * lanes)?;
            longest = self.slots_used.max(longest);
            self.memory.release_points();
        }
        self.slots_used = before + longest;
        Ok(())
    }

    /// Counts the barriers of a test for failures, if there is one.
    pub fn test_for_failures(&mut self, can_fail: bool) {
        self.counts.barriers += if can_fail { UNIFORM_LOAD } else { 0 };
    }

    /// Counts a barrier that is also a test for failures, if there is one.
    pub fn barrier_or_test(&mut self, can_fail: bool) {
        self.counts.barriers += if can_fail { UNIFORM_LOAD } else { 1 };
    }

    /// Each of the threads of a workgroup stores its value to workgroup memory.
    pub fn put(&mut self, operators: &Operators<'a>, threads: usize) -> Run {
        self.phase(threads, |machine, first| {
            let own: Vec<_> = machine.threads_from(first, threads);
            machine.points = vec![Some(0); own.len()];
            machine.shared_access(operators, &own);
            Ok(())
        })
    }

    /// The steps of an exchange with strides of `from`, twice that, and so on below `end`. Only those threads take part that
    /// `takes_part` gives with the stride. Stops after a step in which an operator has failed.
    pub fn exchange(
        &mut self,
        operators: &Operators<'a>,
        workers: &mut Workers,
        Step { exchange, stride: from, shared }: Step<'_>,
        end: usize,
        takes_part: &dyn Fn(usize, usize) -> bool,
    ) -> Run {
        let mut stride = from;
        while stride < end && self.failed.is_none() {
            self.counts.barriers += u64::from(shared.is_some());
            self.step(operators, workers, Step { exchange, stride, shared }, takes_part)?;
            self.test_for_failures(operators.can_fail);
            stride *= 2;
        }
        Ok(())
    }

    fn step(
        &mut self,
        operators: &Operators<'a>,
        workers: &mut Workers,
        Step { exchange, stride, shared }: Step<'_>,
        takes_part: &dyn Fn(usize, usize) -> bool,
    ) -> Run {
        let before = workers.sums.clone();
        let threads = before.len();
        self.phase(threads, |machine, first| {
            let all = machine.threads_from(first, threads);
            let own: Vec<Option<usize>> = all
                .iter()
                .map(|thread| thread.filter(|&at| exchange.combines(at, stride) && takes_part(at, stride)))
                .collect();
            let partners: Vec<Option<usize>> =
                own.iter().map(|thread| thread.map(|at| exchange.partner(at, stride))).collect();
            let place = |thread: &Option<usize>| thread.map(|at| workers.places[at].unwrap_or(0));
            machine.points = all.iter().map(place).collect();
            if shared.is_none() {
                machine.count_shuffles(operators, &all);
            }
            let access = |machine: &mut Machine<'a>, threads: &[Option<usize>]| {
                if let Some(position) = shared {
                    let positions: Vec<_> = threads.iter().map(|thread| thread.map(position)).collect();
                    machine.shared_access(operators, &positions);
                }
            };
            let mask = mask_of(&own);
            if !mask.contains(&true) {
                return Ok(());
            }
            access(machine, &partners);
            let [own_values, others] = [&own, &partners].map(|at| gather(&before, at));
            let (left, right) = match exchange {
                Exchange::Tree => (own_values, others),
                Exchange::Scan => (others, own_values),
            };
            let sums = machine.combine_lanes(operators, left, right, &mask)?;
            let alive = machine.of_living(&own);
            for (lane, thread) in alive.iter().enumerate() {
                if let Some(thread) = *thread {
                    workers.sums[thread] = cells(&sums, lane)?;
                }
            }
            access(machine, &alive);
            Ok(())
        })
    }

    /// Applies the operators in the lanes of a mask. The other lanes keep the values on the left.
    pub fn combine_lanes(
        &mut self,
        operators: &Operators<'a>,
        left: Vec<Lanes>,
        right: Vec<Lanes>,
        mask: &Mask,
    ) -> Run<Vec<Lanes>> {
        let left = nested(operators.combiners, left);
        Ok(self.fold(operators.combiners, &left, right, mask)?.concat())
    }

    /// The threads of the subgroup that begins with thread `first`, in a workgroup of `threads` threads.
    pub fn threads_from(&self, first: usize, threads: usize) -> Vec<Option<usize>> {
        (first..first + self.options.device.subgroup()).map(|at| (at < threads).then_some(at)).collect()
    }

    /// These values of the lanes that have not failed.
    pub fn of_living(&self, lanes: &[Option<usize>]) -> Vec<Option<usize>> {
        lanes.iter().zip(&self.dead).map(|(value, &dead)| value.filter(|_| !dead)).collect()
    }

    /// Counts an access of the subgroup to these positions of arrays in workgroup memory, one for each value.
    pub fn shared_access(&mut self, operators: &Operators<'a>, positions: &[Option<usize>]) {
        let mask = mask_of(positions);
        if !mask.contains(&true) {
            return;
        }
        for &width in &operators.widths {
            self.count(&mask, None);
            self.count_traffic(tile_traffic(width as u64, positions.iter().flatten().copied()));
        }
    }

    /// Counts the shuffles of these threads: one for each word.
    pub fn count_shuffles(&mut self, operators: &Operators<'a>, threads: &[Option<usize>]) {
        let mask = mask_of(threads);
        for _ in 0..operators.widths.iter().sum::<usize>() / WORD as usize {
            self.count(&mask, None);
        }
    }
}

/// The lanes that have a value.
pub fn mask_of(lanes: &[Option<usize>]) -> Mask {
    lanes.iter().map(Option::is_some).collect()
}

/// These values, grouped by combiner.
pub fn nested(combiners: &[Combiner], values: Vec<Lanes>) -> Vec<Vec<Lanes>> {
    let mut values = values.into_iter();
    combiners.iter().map(|combiner| values.by_ref().take(combiner.neutral.len()).collect()).collect()
}

/// The cells of values in one lane.
pub fn cells(values: &[Lanes], lane: usize) -> Run<Values> {
    let cell = |value: &Lanes| match value {
        Lanes::Uniform(cell) => Some(*cell),
        Lanes::Varying(cells) => cells[lane],
    };
    values
        .iter()
        .map(|value| cell(value).map_or_else(|| fault("a value that no lane has computed"), Ok))
        .collect()
}

/// The values at a position for each lane.
pub fn gather(values: &[Values], at: &[Option<usize>]) -> Vec<Lanes> {
    let members = values.first().map_or(0, Vec::len);
    let cell = |at: &Option<usize>, member: usize| at.and_then(|at| values.get(at)?.get(member).copied());
    (0..members).map(|member| Lanes::Varying(at.iter().map(|at| cell(at, member)).collect())).collect()
}
