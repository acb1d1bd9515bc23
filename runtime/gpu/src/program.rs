//! A plan on a device: its kernels as pipelines and its constants as blocks, each created on first use.

use std::sync::{Arc, OnceLock};

use ravel_abi::plan::{self, ENTRY_POINT, FIRST_BLOCK, Kernel, Plan};
use ravel_abi::{DeviceLimitation, Failure, Listener, Signature, Tuning, memory_limit};
use wgpu::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ComputePipelineDescriptor, PipelineLayoutDescriptor, ShaderStages,
};

use crate::DeviceInfo;
use crate::adapter::Device;
use crate::memory::Block;
use crate::shader;

/// A loaded plan.
pub struct Program {
    pub(crate) device: Arc<Device>,
    pub(crate) plan: Plan,
    pub(crate) listener: Listener,
    /// The limit on the bytes of private arrays, if one was set.
    max_memory: Option<u64>,
    /// Whether kernels use subgroups.
    subgroups: bool,
    pub(crate) tuning: Tuning,
    pipelines: Vec<OnceLock<ComputePipeline>>,
    constants: Vec<OnceLock<Arc<Block>>>,
}

impl Program {
    /// Fails if the device lacks a feature that a kernel needs.
    pub(crate) fn new(
        device: Arc<Device>,
        plan: Plan,
        max_memory: Option<u64>,
        subgroups: bool,
    ) -> Result<Program, Failure> {
        for kernel in &plan.kernels {
            fits(&device, kernel)?;
        }
        let pipelines = plan.kernels.iter().map(|_| OnceLock::new()).collect();
        let constants = plan.constants.iter().map(|_| OnceLock::new()).collect();
        let (listener, tuning) = (Listener::default(), Tuning::default());
        let subgroups = subgroups && device.info.has_subgroups;
        Ok(Program { device, plan, listener, max_memory, subgroups, tuning, pipelines, constants })
    }

    /// The same program, with a listener for its traces.
    #[must_use]
    pub fn with_listener(self, listener: Listener) -> Program {
        Program { listener, ..self }
    }

    /// Sets these tuning parameters; all others get their defaults.
    pub fn tune(&mut self, tuning: &Tuning) {
        self.tuning = tuning.clone();
    }

    /// The limit in bytes on the private arrays of all threads, given the bytes of one thread. It is the least of the
    /// largest array of the device, half of the machine's memory, and the limit that was set. A limit that was set also
    /// applies to a single thread.
    pub(crate) fn private_limit(&self, one: i64) -> i64 {
        let device = self.device.info.max_array_bytes().min(memory_limit() / 2);
        let limit = match self.max_memory {
            Some(most) if u64::try_from(one).is_ok_and(|one| one > most) => 0,
            Some(most) => most.min(device),
            None => device,
        };
        i64::try_from(limit).unwrap_or(i64::MAX)
    }

    /// The device.
    pub fn device(&self) -> &DeviceInfo {
        &self.device.info
    }

    /// The entry points.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.plan.entries.iter().map(|entry| &entry.signature)
    }

    /// The pipeline of a kernel.
    pub(crate) fn pipeline(&self, kernel: usize) -> Result<(&Kernel, &ComputePipeline), Failure> {
        let (Some(pipeline), Some(kernel)) = (self.pipelines.get(kernel), self.plan.kernels.get(kernel))
        else {
            return Err(Failure::Bug(format!("the plan has no kernel {kernel}")));
        };
        Ok((kernel, get_or_create(pipeline, || self.compile(kernel))?))
    }

    /// A block of constants; nothing ever writes to it.
    pub(crate) fn constants(&self, number: usize) -> Result<Arc<Block>, Failure> {
        let (Some(block), Some(data)) = (self.constants.get(number), self.plan.constants.get(number)) else {
            return Err(Failure::Bug(format!("the plan has no constants {number}")));
        };
        get_or_create(block, || Block::with_elements(&self.device, data)).cloned()
    }

    fn compile(&self, kernel: &Kernel) -> Result<ComputePipeline, Failure> {
        let failed =
            |what: String| Failure::System(format!("the GPU refuses the kernel {}: {what}", kernel.name));
        let device = &self.device.device;
        self.device.faults.check()?;
        let wgsl = kernel.with_subgroups.as_ref().filter(|_| self.subgroups).unwrap_or(&kernel.wgsl);
        let module = shader::module(&self.device, kernel, wgsl).map_err(failed)?;
        let label = Some(kernel.name.as_str());
        let entry = |(binding, ty): (usize, BufferBindingType)| BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: ShaderStages::COMPUTE,
            ty: BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let blocks =
            kernel.bindings.iter().map(|block| BufferBindingType::Storage { read_only: !block.written });
        let all = [BufferBindingType::Storage { read_only: false }, BufferBindingType::Uniform];
        let entries: Vec<_> = all.into_iter().chain(blocks).enumerate().map(entry).collect();
        let group = device.create_bind_group_layout(&BindGroupLayoutDescriptor { label, entries: &entries });
        let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&group)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&ComputePipelineDescriptor {
            label,
            layout: Some(&layout),
            module: &module,
            entry_point: Some(ENTRY_POINT),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        self.device.faults.check().map_err(|failure| failed(failure.to_string()))?;
        Ok(pipeline)
    }
}

/// A value that is created on first use. A failure is not stored: the next use tries again, since memory may be free by
/// then.
fn get_or_create<T>(known: &OnceLock<T>, make: impl FnOnce() -> Result<T, Failure>) -> Result<&T, Failure> {
    if let Some(made) = known.get() {
        return Ok(made);
    }
    let made = make()?;
    Ok(known.get_or_init(|| made))
}

/// Checks that the device can run the kernel.
fn fits(device: &Device, kernel: &Kernel) -> Result<(), Failure> {
    let info = &device.info;
    if kernel.needs_i64 && !info.has_i64 {
        return Err(DeviceLimitation::NoI64.failure());
    }
    if kernel.needs_f64 && !info.has_f64 {
        return Err(DeviceLimitation::NoF64.failure());
    }
    if kernel.workgroup_bytes > device.limits.max_compute_workgroup_storage_size {
        return Err(
            DeviceLimitation::WorkgroupMemory.failure_of(&format!("{} bytes", kernel.workgroup_bytes))
        );
    }
    if info.hardware.workgroup_threads.is_some_and(|most| u64::from(kernel.workgroup) > most) {
        return Err(DeviceLimitation::LargeWorkgroup.failure());
    }
    let params = plan::param_layout(&kernel.params).1 as u64;
    let bindings = kernel.bindings.len() + FIRST_BLOCK as usize;
    if kernel.bindings.len() > info.max_arrays() as usize
        || bindings > device.limits.max_bindings_per_bind_group as usize
        || params > device.limits.max_uniform_buffer_binding_size
    {
        return Err(DeviceLimitation::ManyArrays.failure());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_retried_and_values_are_kept() {
        let known = OnceLock::new();
        let short = || Err(Failure::System("no memory".to_owned()));
        assert!(get_or_create(&known, short).is_err() && get_or_create(&known, short).is_err());
        assert_eq!(get_or_create(&known, || Ok(1)).ok(), Some(&1));
        assert_eq!(get_or_create(&known, || Ok(2)).ok(), Some(&1));
    }
}
