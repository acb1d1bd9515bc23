//! The figures of a processor or a graphics adapter.
//!
//! They come from the vendor's publications, from the driver, or from the operating system. `None` stands for a figure that
//! is not known, or that such a machine does not have.

/// The hardware figures of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// The cores of a processor, as many as run threads at the same time, or the compute units of a GPU. A workgroup runs on
    /// one of them.
    pub cores: Option<u64>,
    /// The lanes of a core: the `f32` elements of a vector register, or the operations on `f32` that a compute unit starts in a
    /// cycle.
    pub lanes: Option<u64>,
    /// The fewest lanes of a subgroup, whose threads run in lockstep.
    pub min_subgroup: Option<u64>,
    /// The most lanes of a subgroup.
    pub max_subgroup: Option<u64>,
    /// The most threads of a workgroup.
    pub workgroup_threads: Option<u64>,
    /// The most bytes of memory that the threads of a workgroup share.
    pub workgroup_bytes: Option<u64>,
    /// The most workgroups in one dimension of a launch.
    pub groups: Option<u64>,
    /// The most arrays that a kernel uses.
    pub bindings: Option<u64>,
    /// The bytes of the largest array.
    pub binding_bytes: Option<u64>,
    /// The bytes of a core's first data cache.
    pub l1_bytes: Option<u64>,
    /// The bytes of the second cache: of a core of a processor, of a whole GPU.
    pub l2_bytes: Option<u64>,
    /// The bytes of the third cache.
    pub l3_bytes: Option<u64>,
    /// The bytes of memory.
    pub memory_bytes: Option<u64>,
}

impl Hardware {
    /// No figure is known.
    pub const UNKNOWN: Hardware = Hardware {
        cores: None,
        lanes: None,
        min_subgroup: None,
        max_subgroup: None,
        workgroup_threads: None,
        workgroup_bytes: None,
        groups: None,
        bindings: None,
        binding_bytes: None,
        l1_bytes: None,
        l2_bytes: None,
        l3_bytes: None,
        memory_bytes: None,
    };

    /// All figures, for lists.
    pub fn figures(&self) -> [Figure; 13] {
        // Without `..`, so that no field can be forgotten.
        let Hardware {
            cores,
            lanes,
            min_subgroup,
            max_subgroup,
            workgroup_threads,
            workgroup_bytes,
            groups,
            bindings,
            binding_bytes,
            l1_bytes,
            l2_bytes,
            l3_bytes,
            memory_bytes,
        } = *self;
        let figure = |name, about, value| Figure { name, about, value };
        [
            figure("cores", "cores; a workgroup runs on one of them", cores),
            figure("lanes", "`f32` lanes of a core", lanes),
            figure("min_subgroup", "the fewest threads that run in lockstep", min_subgroup),
            figure("max_subgroup", "the most threads that run in lockstep", max_subgroup),
            figure("workgroup_threads", "the most threads of a workgroup", workgroup_threads),
            figure("workgroup_bytes", "the most memory that a workgroup shares", workgroup_bytes),
            figure("groups", "the most workgroups in one dimension of a launch", groups),
            figure("bindings", "the most arrays of a kernel", bindings),
            figure("binding_bytes", "the largest array", binding_bytes),
            figure("l1_bytes", "the first data cache of a core", l1_bytes),
            figure("l2_bytes", "the second cache: of a core of a CPU, of a whole GPU", l2_bytes),
            figure("l3_bytes", "the third cache", l3_bytes),
            figure("memory_bytes", "memory", memory_bytes),
        ]
    }
}

/// A figure of hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its name. Names of numbers of bytes end with `_bytes`.
    pub name: &'static str,
    /// The meaning of the figure.
    pub about: &'static str,
    /// The figure, if it is known.
    pub value: Option<u64>,
}
