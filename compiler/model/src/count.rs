//! The counts of the model, and the bounds computed from them.

use std::ops::AddAssign;

use ravel_base::Span;

use crate::memory::Traffic;

/// Counts of the launches of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Launches of kernels: one or two for a reduction, and one or three for a scan.
    pub launches: u64,
    /// The points of all launches.
    pub points: u64,
    /// Lane operations issued: an operation of a subgroup counts once for each of its lanes, active or not.
    pub issued: u64,
    /// Lane operations of lanes that were active.
    pub useful: u64,
    /// The slots that the issued operations take; more than one for an operation on `f64`.
    pub slots: u64,
    /// The slots of the longest subgroup, summed over the launches.
    pub longest: u64,
    /// Bytes of device memory that active lanes loaded or stored.
    pub bytes: u64,
    /// Sectors that the accesses of subgroups touched.
    pub sectors: u64,
    /// The fewest sectors that could hold the elements of each access, summed over the accesses. Several lanes may access the
    /// same element, which counts once. So this is never more than `sectors`.
    pub needed_sectors: u64,
    /// Sectors touched, each counted once a launch.
    pub distinct_sectors: u64,
    /// Words of workgroup memory that active lanes loaded or stored.
    pub workgroup_words: u64,
    /// Bank conflicts of workgroup memory, summed over the accesses of subgroups: the number of words in the busiest bank,
    /// minus the number if the words were spread evenly over the banks.
    pub bank_conflicts: u64,
    /// Barriers at which the threads of a workgroup waited for each other.
    pub barriers: u64,
}

impl Counts {
    /// Adds the cost of an access.
    pub(crate) fn add_traffic(&mut self, traffic: Traffic) {
        self.bytes += traffic.bytes;
        self.sectors += traffic.sectors;
        self.needed_sectors += traffic.needed_sectors;
        self.workgroup_words += traffic.words;
        self.bank_conflicts += traffic.bank_conflicts;
    }

    /// The share of issued lane operations that were useful. Less than 1 means divergence or idle lanes.
    pub fn occupancy(&self) -> f64 {
        share(self.useful, self.issued)
    }

    /// The share of the moved sectors that were needed. Less than 1 means accesses that are not coalesced.
    pub fn coalescing(&self) -> f64 {
        share(self.needed_sectors, self.sectors)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.launches += other.launches;
        self.points += other.points;
        self.issued += other.issued;
        self.useful += other.useful;
        self.slots += other.slots;
        self.longest += other.longest;
        self.bytes += other.bytes;
        self.sectors += other.sectors;
        self.needed_sectors += other.needed_sectors;
        self.distinct_sectors += other.distinct_sectors;
        self.workgroup_words += other.workgroup_words;
        self.bank_conflicts += other.bank_conflicts;
        self.barriers += other.barriers;
    }
}

/// The counts of one segment of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentCounts {
    /// The operator of the source, such as `reduce`.
    pub name: String,
    /// The place in the source.
    pub span: Option<Span>,
    /// The counts of all its launches. For a segment of a workgroup, `launches` is how often workgroups ran it, and
    /// `distinct_sectors` is not counted.
    pub counts: Counts,
    /// If its points are workgroups, the counts of their segments, which are part of its own.
    pub inner: Vec<SegmentCounts>,
}

impl SegmentCounts {
    /// Adds counts to those of the segment with the same name and place.
    pub(crate) fn add(all: &mut Vec<SegmentCounts>, new: SegmentCounts) {
        match all.iter_mut().find(|known| known.name == new.name && known.span == new.span) {
            Some(known) => known.counts += new.counts,
            None => all.push(new),
        }
    }
}

/// A lower bound on the time of launches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The bound, if every sector is moved once.
    pub seconds: f64,
    /// The term that dominates the bound.
    pub limit: Limit,
    /// The bound on a device without caches, where every access moves its sectors.
    pub without_cache: f64,
}

/// The terms of a bound on the time of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The overhead of launches.
    Launch,
    /// The number of lanes.
    Lanes,
    /// The subgroup that uses the most slots; a launch takes at least as long as it runs.
    Thread,
    /// The bandwidth of device memory.
    Memory,
}

impl Limit {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Launch => "launch",
            Limit::Lanes => "lanes",
            Limit::Thread => "thread",
            Limit::Memory => "memory",
        }
    }
}
