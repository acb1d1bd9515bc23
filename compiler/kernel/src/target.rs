//! What passes may know of the machine they make code for.

/// Properties of a machine. Passes read these, never a backend's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The host reads and writes elements of device blocks as cheaply as the device does. Where
    /// it does not, host-level stores and copies of parts become segments.
    pub host_elements: bool,
    /// A thread may allocate device memory of a size that only it knows.
    pub thread_allocation: bool,
    /// Functions may call each other, and themselves. Where they may not, calls are put in place.
    pub calls: bool,
    /// The largest number of elements of a private block.
    pub private_capacity: i64,
    /// How many bytes the workgroup blocks of a grid segment may take together, at [`BlockType::workgroup_bytes`] an
    /// element; their counts are constants then. `None`: blocks of any size, also of one that a scalar says.
    pub workgroup_bytes: Option<i64>,
    /// The least number of points worth a worker's while.
    pub least_chunk: i64,
    /// How many chunks a segment is cut into at most.
    pub most_chunks: i64,
    /// How many elements a chunk of a stream has, but for the last.
    pub stream_chunk: i64,
    /// How many parts of the points of a histogram have one of their own at most.
    pub histogram_parts: i64,
    /// The least number of points that are worth it.
    pub histogram_points: i64,
    /// How many elements such histograms may have together, for each point.
    pub histogram_spread: i64,
    /// Memory of threads that write at the same time begins a multiple of so many bytes apart, lest one
    /// waits for a line of the cache that the other has; 0 where it does not matter.
    pub write_distance: i64,
    /// How many maps, perfectly nested in each other, are one index space at most.
    pub dimensions: usize,
}

impl Target {
    /// A CPU with shared memory and a pool of threads.
    pub const CPU: Target = Target {
        host_elements: true,
        thread_allocation: true,
        calls: true,
        private_capacity: 0,
        workgroup_bytes: None,
        least_chunk: 1024,
        most_chunks: 1024,
        // A few arrays of so many elements stay in the cache.
        stream_chunk: 1024,
        histogram_parts: 64,
        histogram_points: 1024,
        histogram_spread: 1,
        // Lines of 64 bytes, which processors fetch in pairs.
        write_distance: 128,
        // Few threads have enough to do with the rows; where there is only one row they have not.
        dimensions: 1,
    };

    /// A GPU with memory of its own.
    pub const GPU: Target = Target {
        host_elements: false,
        thread_allocation: false,
        calls: false,
        private_capacity: 64,
        // WebGPU promises 16 KiB. Backends take the rest for the partial results of reductions and scans.
        workgroup_bytes: Some(12_288),
        least_chunk: 1,
        most_chunks: 65_536,
        // An array of so many elements is private to its thread.
        stream_chunk: 64,
        histogram_parts: 4096,
        histogram_points: 16,
        histogram_spread: 4,
        write_distance: 0,
        dimensions: usize::MAX,
    };
}
