//! The table of target descriptions. Each names the publications that its figures come from.
//!
//! The descriptions of real GPUs have the settings of the portable GPU. So a program compiles to the same code for each,
//! and the machine model counts the code that would run on the device.

use ravel_abi::plan::GRID_SIDE;
use ravel_abi::{Hardware, Machine};

use super::Target;

impl Target {
    /// All descriptions.
    pub const ALL: [&'static Target; 7] = [
        &Target::CPU,
        &Target::GPU,
        &Target::IRIS_XE,
        &Target::RTX_3080,
        &Target::A100,
        &Target::H100,
        &Target::M2090,
    ];

    /// A CPU with shared memory and a pool of threads.
    pub const CPU: Target = Target {
        name: "cpu",
        title: "a 64-bit processor with vectors of 256 bits",
        source: "AVX2 and caches as x86-64 servers have them at least since 2017",
        machine: Machine::Cpu,
        // One thread for each lane of a vector register. A core runs the workgroup, which needs no barriers.
        workgroup: 8,
        workgroup_bytes: None,
        combined_bytes: None,
        host_elements: true,
        grid_rows: true,
        thread_allocation: true,
        calls: true,
        private_capacity: 0,
        // They take 1 to 5 µs, and it takes less than 1 µs until another worker has begun.
        min_chunk: 16_384,
        max_chunks: 1024,
        outer_points: 0,
        inner_points: 0,
        // A few arrays of this size fit into the cache.
        stream_chunk: 1024,
        // Each point is at least one loop over an array.
        part_points: 16,
        histogram_parts: 64,
        histogram_points: 1024,
        histogram_spread: 1,
        histogram_passes: 0,
        own_histograms: true,
        // Eight sums, two registers each, leave as many registers for the operands.
        tile_rows: 4,
        // A strip of f32, whose elements fill a line of the cache.
        tile_columns: 16,
        max_tiled: 16,
        // These statements take about as long as a mispredicted jump.
        max_divided: 256,
        // Memory decides the time of a point that computes so little.
        coalesces: false,
        transposed_bytes: 0,
        max_transposed: 8,
        max_selected: 4,
        max_unrolled: 384,
        max_unswitched: 256,
        max_split: 512,
        hoists_loads: true,
        sine_with_cosine: true,
        // Two registers of 256 bits.
        strand_bytes: 64,
        max_strand_statements: 8,
        max_strand_values: 4,
        stack_block_bytes: 512,
        stack_bytes: 8192,
        max_interior: 300,
        max_row_loop: 24,
        // Vectors of AVX-512. A processor without it computes in vectors of AVX2, and one without AVX2 in vectors of
        // 128 bits, which every processor has.
        vector_bits: 512,
        subgroup: 8,
        hardware: Hardware {
            lanes: Some(8),
            l1_bytes: Some(32 << 10),
            l2_bytes: Some(256 << 10),
            ..Hardware::UNKNOWN
        },
    };

    /// Any GPU with the limits that WebGPU guarantees.
    pub const GPU: Target = Target {
        name: "gpu",
        title: "a GPU with the limits that WebGPU guarantees",
        source: "W3C, WebGPU, section 3.6.2, default limits",
        machine: Machine::Gpu,
        workgroup: 256,
        // Three quarters of WebGPU's 16 KiB. Reductions and scans of a workgroup need the rest for partial results.
        workgroup_bytes: Some(12_288),
        // All 16 KiB except the other variables that the threads share.
        combined_bytes: Some(16_384 - 64),
        host_elements: false,
        grid_rows: false,
        thread_allocation: false,
        calls: false,
        private_capacity: 64,
        min_chunk: 1,
        max_chunks: 65_536,
        // A large GPU has 7,000 lanes, and needs more than one thread for each to hide the latency of memory.
        outer_points: 16_384,
        // A loop of so many iterations takes about as long as a launch. By the model of an A100 (`ravel profile`), local
        // volatility of 16 strikes is faster with both levels in parallel on a grid of 480 points, but not on one of 256. With
        // 512 strikes it is not yet on one of 768.
        inner_points: 512,
        // An array of this size fits into the private memory of a thread.
        stream_chunk: 64,
        part_points: 16,
        histogram_parts: 4096,
        histogram_points: 16,
        histogram_spread: 4,
        histogram_passes: 16,
        own_histograms: false,
        // Workgroups share tiles in their memory, of their own size.
        tile_rows: 0,
        tile_columns: 0,
        max_tiled: 16,
        // The shader compiler decides.
        max_divided: 0,
        coalesces: true,
        // On a large GPU, a launch takes about as long as to move this array fifteen times, or as to read it once by rows from
        // memory. From the cache, in which it fits, it is read faster.
        transposed_bytes: 1 << 19,
        max_transposed: 0,
        max_selected: 0,
        max_unrolled: 0,
        max_unswitched: 0,
        max_split: 0,
        hoists_loads: false,
        sine_with_cosine: false,
        // There is no native code.
        strand_bytes: 0,
        max_strand_statements: 0,
        max_strand_values: 0,
        stack_block_bytes: 0,
        stack_bytes: 0,
        max_interior: 0,
        max_row_loop: 0,
        vector_bits: 1,
        subgroup: 32,
        hardware: Hardware {
            workgroup_threads: Some(256),
            workgroup_bytes: Some(16 << 10),
            groups: Some(GRID_SIDE),
            // Of eight storage buffers, one holds the status of the launch.
            bindings: Some(7),
            binding_bytes: Some(128 << 20),
            ..Hardware::UNKNOWN
        },
    };

    /// An integrated GPU.
    pub const IRIS_XE: Target = Target {
        name: "iris-xe",
        title: "Intel Iris Xe (96 execution units)",
        source: "Intel, Processor Graphics Xe-LP API Developer and Optimization Guide, 2021; \
                 oneAPI GPU Optimization Guide, 2023",
        // The driver's compiler chooses 8, 16 or 32.
        subgroup: 16,
        hardware: Hardware {
            // Dual subslices of 16 execution units, each of 8 lanes.
            cores: Some(6),
            lanes: Some(16 * 8),
            min_subgroup: Some(8),
            max_subgroup: Some(32),
            workgroup_threads: Some(512),
            workgroup_bytes: Some(64 << 10),
            // Intel's third level. The first two levels cache textures.
            l2_bytes: Some(3_840 << 10),
            memory_bytes: Some(8 << 30),
            ..Hardware::UNKNOWN
        },
        ..Target::GPU
    };

    /// A consumer GPU.
    pub const RTX_3080: Target = Target {
        name: "rtx3080",
        title: "NVIDIA GeForce RTX 3080",
        source: "NVIDIA, Ampere GA102 GPU Architecture, whitepaper, 2021; \
                 CUDA C++ Programming Guide, compute capability 8.6",
        hardware: Hardware {
            cores: Some(68),
            lanes: Some(128),
            workgroup_bytes: Some(99 << 10),
            l1_bytes: Some(128 << 10),
            l2_bytes: Some(5 << 20),
            memory_bytes: Some(10 << 30),
            ..NVIDIA
        },
        ..Target::GPU
    };

    /// A data-centre GPU.
    pub const A100: Target = Target {
        name: "a100",
        title: "NVIDIA A100 SXM4 40 GB",
        source: "NVIDIA, A100 Tensor Core GPU Architecture, whitepaper, 2020; \
                 CUDA C++ Programming Guide, compute capability 8.0",
        hardware: Hardware {
            cores: Some(108),
            lanes: Some(64),
            workgroup_bytes: Some(163 << 10),
            l1_bytes: Some(192 << 10),
            l2_bytes: Some(40 << 20),
            memory_bytes: Some(40 << 30),
            ..NVIDIA
        },
        ..Target::GPU
    };

    /// The generation after [`A100`](Target::A100).
    pub const H100: Target = Target {
        name: "h100",
        title: "NVIDIA H100 SXM5",
        source: "NVIDIA, H100 Tensor Core GPU Architecture, whitepaper, 2022; \
                 CUDA C++ Programming Guide, compute capability 9.0",
        hardware: Hardware {
            cores: Some(132),
            lanes: Some(128),
            workgroup_bytes: Some(227 << 10),
            l1_bytes: Some(256 << 10),
            l2_bytes: Some(50 << 20),
            memory_bytes: Some(80 << 30),
            ..NVIDIA
        },
        ..Target::GPU
    };

    /// A data-centre GPU of 2011, to compare the machine model with measurements of that time.
    pub const M2090: Target = Target {
        name: "m2090",
        title: "NVIDIA Tesla M2090",
        source: "NVIDIA, Tesla M2090 Dual-Slot Computing Processor Module, board specification, 2011; \
                 CUDA C Programming Guide, compute capability 2.0",
        hardware: Hardware {
            cores: Some(16),
            lanes: Some(32),
            workgroup_bytes: Some(48 << 10),
            l1_bytes: Some(16 << 10),
            l2_bytes: Some(768 << 10),
            memory_bytes: Some(6 << 30),
            ..NVIDIA
        },
        ..Target::GPU
    };
}

/// The properties that all NVIDIA GPUs share.
const NVIDIA: Hardware = Hardware {
    min_subgroup: Some(32),
    max_subgroup: Some(32),
    workgroup_threads: Some(1024),
    ..Hardware::UNKNOWN
};
