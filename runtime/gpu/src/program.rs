//! A plan on a device: its kernels as pipelines and its constants as blocks, each made when first needed.

use std::sync::{Arc, OnceLock};

use ravel_abi::plan::{self, ENTRY_POINT, FIRST_BLOCK, Kernel, Plan};
use ravel_abi::{Failure, Lack, Signature};
use wgpu::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ComputePipelineDescriptor, PipelineLayoutDescriptor, ShaderStages,
};

use crate::adapter::Device;
use crate::memory::Block;
use crate::shader;

/// A plan ready to be called.
pub struct Program {
    pub(crate) device: Arc<Device>,
    pub(crate) plan: Plan,
    pipelines: Vec<OnceLock<Result<ComputePipeline, Failure>>>,
    constants: Vec<OnceLock<Result<Arc<Block>, Failure>>>,
}

impl Program {
    /// Fails when the device lacks what a kernel needs.
    pub(crate) fn new(device: Arc<Device>, plan: Plan) -> Result<Program, Failure> {
        for kernel in &plan.kernels {
            fits(&device, kernel)?;
        }
        let pipelines = plan.kernels.iter().map(|_| OnceLock::new()).collect();
        let constants = plan.constants.iter().map(|_| OnceLock::new()).collect();
        Ok(Program { device, plan, pipelines, constants })
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
        match pipeline.get_or_init(|| self.compile(kernel)) {
            Ok(pipeline) => Ok((kernel, pipeline)),
            Err(failure) => Err(failure.clone()),
        }
    }

    /// A block of constants; nothing ever writes to it.
    pub(crate) fn constants(&self, number: usize) -> Result<Arc<Block>, Failure> {
        let (Some(block), Some(data)) = (self.constants.get(number), self.plan.constants.get(number)) else {
            return Err(Failure::Bug(format!("the plan has no constants {number}")));
        };
        block.get_or_init(|| Block::filled(&self.device, data)).clone()
    }

    fn compile(&self, kernel: &Kernel) -> Result<ComputePipeline, Failure> {
        let failed =
            |what: String| Failure::System(format!("the GPU refuses the kernel {}: {what}", kernel.name));
        let device = &self.device.device;
        self.device.faults.check()?;
        let module = shader::module(&self.device, kernel).map_err(failed)?;
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

/// Can the device run the kernel?
fn fits(device: &Device, kernel: &Kernel) -> Result<(), Failure> {
    let info = &device.info;
    if kernel.needs_i64 && !info.has_i64 {
        return Err(Lack::NoI64.failure());
    }
    if kernel.needs_f64 && !info.has_f64 {
        return Err(Lack::NoF64.failure());
    }
    let params = plan::param_layout(&kernel.params).1 as u64;
    let bindings = kernel.bindings.len() + FIRST_BLOCK as usize;
    if kernel.bindings.len() > info.most_arrays as usize
        || bindings > device.limits.max_bindings_per_bind_group as usize
        || params > device.limits.max_uniform_buffer_binding_size
    {
        return Err(Lack::ManyArrays.failure());
    }
    Ok(())
}
