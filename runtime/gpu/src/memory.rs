//! Device memory: buffers, pooled by size, and reference-counted blocks that return their buffer to the pool.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use ravel_abi::plan::device_bytes;
use ravel_abi::{Data, DeviceLimitation, Failure, memory_limit};
use ravel_prim::PrimType;
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

use crate::adapter::{Device, DeviceKind, Fault};
use crate::transfer;

/// The free buffers by size, and the bytes in use.
pub(crate) struct Pool {
    max_bytes: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: BTreeMap<u64, Vec<Buffer>>,
    free_bytes: u64,
    used: u64,
    peak: u64,
}

/// A block of device memory. After it is dropped, later launches may reuse its memory.
pub(crate) struct Block {
    pub elem: PrimType,
    pub count: u64,
    buffer: Buffer,
    pool: Arc<Pool>,
}

impl Pool {
    /// An empty pool, whose buffers have at most this size.
    pub(crate) fn new(max_bytes: u64) -> Pool {
        Pool { max_bytes, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The size of the buffer for this many bytes: one of eight steps between powers of two.
    fn size_class(&self, bytes: u64) -> u64 {
        let step = (bytes.max(256).next_power_of_two() / 16).max(64);
        bytes.max(256).next_multiple_of(step).min(self.max_bytes.max(256) / 4 * 4)
    }

    /// A free buffer of this size.
    fn take(&self, class: u64) -> Option<Buffer> {
        let mut state = self.state();
        let buffer = state.free.get_mut(&class)?.pop()?;
        state.free_bytes -= class;
        Some(buffer)
    }

    /// Keeps a buffer for reuse, unless the pool is full.
    fn give(&self, buffer: Buffer) {
        let class = buffer.size();
        let mut state = self.state();
        state.used = state.used.saturating_sub(class);
        if state.free_bytes + class <= memory_limit() / 4 {
            state.free_bytes += class;
            state.free.entry(class).or_default().push(buffer);
        }
    }

    /// Releases all free buffers.
    fn clear(&self) {
        let mut state = self.state();
        state.free_bytes = 0;
        state.free.clear();
    }

    /// Restarts the measurement of peak memory.
    pub(crate) fn restart_peak(&self) {
        let mut state = self.state();
        state.peak = state.used;
    }

    /// The peak number of bytes in use since [`Pool::restart_peak`].
    pub(crate) fn peak(&self) -> u64 {
        self.state().peak
    }
}

impl Block {
    /// New memory for `count` elements.
    pub(crate) fn new(device: &Device, elem: PrimType, count: i64) -> Result<Arc<Block>, Failure> {
        Block::make(device, elem, count, true)
    }

    /// New memory with these elements. It shares no buffer with work that is not submitted yet.
    pub(crate) fn with_elements(device: &Device, data: &Data) -> Result<Arc<Block>, Failure> {
        // A reused buffer might still be read by launches that are not submitted yet.
        let block = Block::make(device, data.elem(), data.len() as i64, false)?;
        device.queue.write_buffer(block.buffer(), 0, &transfer::to_device(data));
        Ok(block)
    }

    fn make(device: &Device, elem: PrimType, count: i64, reuse: bool) -> Result<Arc<Block>, Failure> {
        // A negative count is an overflow; as an unsigned number it exceeds every limit.
        let count = count as u64;
        let requested = u128::from(count) * elem.bytes() as u128;
        let bytes = u128::from(count) * device_bytes(elem) as u128;
        let pool = &device.pool;
        let shares_memory = matches!(device.info.kind, DeviceKind::Software | DeviceKind::Integrated);
        let beside = if shares_memory { pool.state().used } else { 0 };
        if bytes + u128::from(beside) > u128::from(memory_limit()) {
            return Err(Failure::out_of_memory(requested));
        }
        if bytes > u128::from(device.info.max_array_bytes()) {
            let most = device.info.max_array_bytes();
            return Err(DeviceLimitation::LargeArray
                .failure_of(&format!("{bytes} bytes there, where {most} are possible")));
        }
        let class = pool.size_class(bytes as u64);
        let reused = if reuse { pool.take(class) } else { None };
        let buffer = match reused {
            Some(buffer) => buffer,
            None => create(device, class, requested)?,
        };
        let mut state = pool.state();
        state.used += class;
        state.peak = state.peak.max(state.used);
        drop(state);
        Ok(Arc::new(Block { elem, count, buffer, pool: pool.clone() }))
    }

    /// The buffer; it may be larger than the block.
    pub(crate) fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Bytes of the elements.
    pub(crate) fn bytes(&self) -> u64 {
        self.count * device_bytes(self.elem) as u64
    }

    /// The offset in bytes of the element at `index`, if it is in bounds.
    pub(crate) fn position(&self, index: i64) -> Option<u64> {
        let index = u64::try_from(index).ok().filter(|&index| index < self.count)?;
        Some(index * device_bytes(self.elem) as u64)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.pool.give(self.buffer.clone());
    }
}

/// A new buffer. If memory is short, the pool releases its free buffers and the allocation is tried again.
fn create(device: &Device, size: u64, requested: u128) -> Result<Buffer, Failure> {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    let descriptor = BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
    device.faults.check()?;
    let buffer = device.device.create_buffer(&descriptor);
    match device.faults.take() {
        None => return Ok(buffer),
        Some(Fault::Memory) => device.pool.clear(),
        Some(Fault::Other(text)) => return Err(Failure::System(format!("the GPU failed: {text}"))),
    }
    drop(buffer);
    let buffer = device.device.create_buffer(&descriptor);
    match device.faults.take() {
        None => Ok(buffer),
        Some(_) => Err(Failure::out_of_memory(requested)),
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn size_classes_waste_little_and_stay_below_the_limit() {
        let pool = Pool::new(128 << 20);
        assert_eq!(pool.size_class(0), 256);
        assert_eq!(pool.size_class(1 << 20), 1 << 20);
        assert_eq!(pool.size_class(128 << 20), 128 << 20);
        for bytes in [1, 257, 1000, 4097, 1_000_001, (100 << 20) + 3] {
            let class = pool.size_class(bytes);
            assert!(class >= bytes && class <= bytes + bytes / 8 + 256, "{bytes} -> {class}");
            assert_eq!(class % 4, 0);
        }
    }
}
