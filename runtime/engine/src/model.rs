//! Runs programs on the machine model, which estimates the cost of each segment on the device.

use std::sync::atomic::AtomicBool;

use ravel_abi::{BinCounts, Failure, Tuning, Value, VersionCounts};
use ravel_driver::{MemProgram, Source};
use ravel_model::Bound;

pub use ravel_model::{Counts, DEVICES, Device as ModelDevice};

/// The A100, the device of the backend `model` if none is named.
pub const DEFAULT_DEVICE: &ModelDevice = &DEVICES[2];

/// A program for the machine model.
pub struct Model {
    program: MemProgram,
    source: Source,
    device: &'static ModelDevice,
    /// The most bytes that the private arrays of all concurrent threads take.
    private_limit: i64,
    pub tuning: Tuning,
}

/// The cost of a segment on the device.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The operator of the source, such as `reduce`.
    pub name: String,
    /// The place in the source, such as `a.dsl:3:5-9`.
    pub place: Option<String>,
    /// What the model counted: operations, memory accesses, barriers and launches.
    pub counts: Counts,
    /// The lower bound on the time.
    pub bound: Bound,
    /// If its points are workgroups, the segments of the workgroups, whose counts are part of its own.
    pub inner: Vec<InnerCost>,
}

/// What the model counted for a segment of a workgroup.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerCost {
    /// The operator of the source.
    pub name: String,
    /// The place in the source.
    pub place: Option<String>,
    /// The counts, summed over the workgroups.
    pub counts: Counts,
}

/// The cost of a call on the device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallCost {
    /// The bytes of device memory of the arguments, and of all arrays that the program allocated outside of segments.
    pub allocated: u64,
    /// The cost of each segment, in the order of first launch.
    pub segments: Vec<Cost>,
    /// Which versions of the program's nests ran.
    pub versions: Vec<VersionCounts>,
    /// The bins of its nests, if the program counts them.
    pub bins: Vec<BinCounts>,
}

impl Model {
    /// A program for a device. Its private arrays take at most `private_limit` bytes, and at most half of the device's
    /// memory.
    pub fn new(
        program: MemProgram,
        source: Source,
        device: &'static ModelDevice,
        private_limit: Option<u64>,
    ) -> Model {
        let half = device.memory() / 2;
        let limit = private_limit.map_or(half, |limit| limit.min(half));
        Model {
            program,
            source,
            device,
            private_limit: i64::try_from(limit).unwrap_or(i64::MAX),
            tuning: Tuning::default(),
        }
    }

    /// Calls an entry point. If points in another order than that of the source fail, the failure is that of the first point.
    pub fn call(
        &self,
        entry: &str,
        sizes: &[i64],
        args: &[Value],
        stop: &AtomicBool,
    ) -> Result<(Vec<Value>, CallCost), Failure> {
        let describe = |span| self.source.sources().describe(span);
        let run = |tuning: &Tuning| {
            let private_limit = self.private_limit;
            let options =
                ravel_model::Options { device: self.device, tuning, stop: Some(stop), private_limit };
            ravel_model::run(&self.program, entry.into(), sizes, args, options, &describe)
        };
        let outcome = match run(&self.tuning) {
            Err(failure @ Failure::Program { .. }) => {
                let parameters = self.program.parameters();
                match self
                    .tuning
                    .in_source_order(parameters.iter().map(|name| name.as_str()))
                    .map(|off| run(&off))
                {
                    Some(outcome @ (Ok(_) | Err(Failure::Program { .. }))) => outcome?,
                    Some(Err(_)) | None => return Err(failure),
                }
            }
            outcome => outcome?,
        };
        let inner = |segment: ravel_model::SegmentCounts| InnerCost {
            name: segment.name,
            place: segment.span.map(describe),
            counts: segment.counts,
        };
        let cost = |segment: ravel_model::SegmentCounts| Cost {
            name: segment.name,
            place: segment.span.map(describe),
            counts: segment.counts,
            bound: self.device.bound(&segment.counts),
            inner: segment.inner.into_iter().map(inner).collect(),
        };
        let segments = outcome.segments.into_iter().map(cost).collect();
        let ravel_model::Outcome { results, allocated, versions, bins, .. } = outcome;
        Ok((results, CallCost { allocated, segments, versions, bins }))
    }
}
