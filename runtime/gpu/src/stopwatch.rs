//! The device's own clock, with which profiles time kernels: the host's clock would add the time that a submit takes.

use std::sync::Arc;
use std::time::Duration;

use ravel_abi::Failure;
use ravel_prim::PrimType;
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePassTimestampWrites, Features, QuerySet,
    QuerySetDescriptor, QueryType,
};

use crate::adapter::Device;
use crate::memory::Block;
use crate::recorder::ReadBack;

/// The number of bytes of the two marks, each a u64.
const BYTES: u64 = 16;

/// Marks the begin and the end of a compute pass.
pub(crate) struct Stopwatch {
    queries: QuerySet,
    /// The only kind of buffer that the marks may be written to; it cannot be read back.
    resolved: Buffer,
    marks: Arc<Block>,
    /// The nanoseconds of a tick.
    period: f64,
}

impl Stopwatch {
    /// A stopwatch, if the device has a clock.
    ///
    /// # Errors
    /// The device has too little memory.
    pub(crate) fn of(device: &Device) -> Result<Option<Stopwatch>, Failure> {
        if !device.device.features().contains(Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let queries = device.device.create_query_set(&QuerySetDescriptor {
            label: Some("stopwatch"),
            ty: QueryType::Timestamp,
            count: 2,
        });
        let resolved = device.device.create_buffer(&BufferDescriptor {
            label: Some("stopwatch"),
            size: BYTES,
            usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let marks = Block::new(device, PrimType::U64, 2)?;
        let period = f64::from(device.queue.get_timestamp_period());
        Ok(Some(Stopwatch { queries, resolved, marks, period }))
    }

    /// Where a pass writes its marks.
    pub(crate) fn writes(&self) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Adds the commands after the pass, which make the marks readable.
    pub(crate) fn stop(&self, encoder: &mut CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, self.marks.buffer(), 0, BYTES);
    }

    /// What to read back.
    pub(crate) fn read_back(&self) -> ReadBack {
        ReadBack { block: self.marks.clone(), start: 0, bytes: BYTES }
    }

    /// The time between the marks, which were read back as these bytes.
    pub(crate) fn time(&self, marks: &[u8]) -> Option<Duration> {
        between(marks, self.period)
    }
}

/// The time between two marks, at so many nanoseconds a tick; `None` if they are not in order, because some drivers have no
/// clock in spite of what they say.
fn between(marks: &[u8], period: f64) -> Option<Duration> {
    let (begin, end) = marks.split_at_checked(8)?;
    let [begin, end] = [begin, end].map(|mark| mark.try_into().map(u64::from_le_bytes).ok());
    let ticks = end?.checked_sub(begin?).filter(|&ticks| ticks > 0)?;
    Some(Duration::from_nanos((ticks as f64 * period) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_in_order_have_a_time() {
        let time = |begin: u64, end: u64| between(&[begin.to_le_bytes(), end.to_le_bytes()].concat(), 2.5);
        assert_eq!(time(1 << 40, (1 << 40) + 4), Some(Duration::from_nanos(10)));
        assert_eq!([time(4, 4), time(5, 4)], [None, None]);
        assert_eq!([between(&[], 1.0), between(&[0; 8], 1.0), between(&[0; 12], 1.0)], [None; 3]);
    }
}
