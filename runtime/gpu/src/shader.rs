//! Kernels as shader modules.
//!
//! On Vulkan a kernel is passed through as SPIR-V (see [`mod@crate::spirv`]), without wgpu's own
//! translation; elsewhere as WGSL, with wgpu's checks.
#![allow(unsafe_code)]

use std::borrow::Cow;

use wgpu::{
    PassthroughShaderEntryPoint, ShaderModule, ShaderModuleDescriptor, ShaderModuleDescriptorPassthrough,
};

use ravel_abi::plan::{ENTRY_POINT, Kernel};

use crate::adapter::Device;

/// One of the kernel's modules, as a module of the device.
pub(crate) fn module(device: &Device, kernel: &Kernel, wgsl: &str) -> Result<ShaderModule, String> {
    let label = Some(kernel.name.as_str());
    if !device.passthrough {
        let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(wgsl));
        return Ok(device.device.create_shader_module(ShaderModuleDescriptor { label, source }));
    }
    let words = crate::spirv::compile(wgsl)?;
    let entry_point = PassthroughShaderEntryPoint {
        name: Cow::Borrowed(ENTRY_POINT),
        workgroup_size: (kernel.workgroup, 1, 1),
    };
    // SAFETY: the words come from naga's writer, from a module that naga has validated; only execution
    // modes are added. The compiler has proved, or made the program check, that the code stays within
    // its buffers and terminates, as for the CPU.
    Ok(unsafe {
        device.device.create_shader_module_passthrough(ShaderModuleDescriptorPassthrough {
            label,
            entry_points: Cow::Owned(vec![entry_point]),
            spirv: Some(Cow::Owned(words)),
            ..Default::default()
        })
    })
}
