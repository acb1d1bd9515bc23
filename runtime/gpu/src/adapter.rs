//! The adapters of the machine, and an open one.

use std::sync::{Arc, Mutex};

use ravel_abi::{Failure, Hardware};
use wgpu::{Adapter, AdapterInfo, Backend, DeviceType, Features, Limits};

use crate::memory::Pool;
use crate::probe;

/// The properties of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its name.
    pub name: String,
    /// The graphics interface, such as `vulkan`.
    pub backend: String,
    /// The driver and its version.
    pub driver: String,
    /// Its kind.
    pub kind: DeviceKind,
    /// Whether it has 64-bit integers.
    pub has_i64: bool,
    /// Whether it has 64-bit floating-point numbers.
    pub has_f64: bool,
    /// Its figures, as far as its driver states them.
    pub hardware: Hardware,
    /// Whether kernels may exchange values within subgroups: it has subgroups, and their threads reconverge after branches.
    pub has_subgroups: bool,
    /// The result of the probe: an error if it does not compute correctly.
    pub probe: Result<(), String>,
}

impl DeviceInfo {
    /// The largest array in bytes.
    pub fn max_array_bytes(&self) -> u64 {
        self.hardware.binding_bytes.unwrap_or(0)
    }

    /// The maximum number of arrays of a kernel.
    pub fn max_arrays(&self) -> u64 {
        self.hardware.bindings.unwrap_or(0)
    }
}

/// The kinds of devices, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the memory of the CPU.
    Integrated,
    /// A GPU of a virtual machine.
    Virtual,
    /// Unknown.
    Unknown,
    /// A driver that computes on the CPU.
    Software,
}

/// An open device.
pub(crate) struct Device {
    pub info: DeviceInfo,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub limits: Limits,
    /// Whether kernels are passed to it as SPIR-V.
    pub passthrough: bool,
    pub pool: Arc<Pool>,
    pub faults: Faults,
    /// The lock that a running call holds. Only one call runs at a time, for three reasons: a device has one queue, its
    /// errors and its peak memory are counted for one call, and wgpu may panic if two threads wait for one device.
    pub call_lock: Mutex<()>,
}

/// Errors that the device reported outside any call. Without a handler, wgpu would panic on them.
#[derive(Clone, Default)]
pub(crate) struct Faults {
    first: Arc<Mutex<Option<Fault>>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Not enough memory.
    Memory,
    /// Another error.
    Other(String),
}

impl Faults {
    fn add(&self, fault: Fault) {
        let mut first = self.first.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        first.get_or_insert(fault);
    }

    /// Takes the first error since the last call of this function.
    pub(crate) fn take(&self) -> Option<Fault> {
        self.first.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }

    /// Fails if there was an error since the last check.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.take() {
            None => Ok(()),
            Some(Fault::Memory) => Err(Failure::memory("the device has too little memory".to_owned())),
            Some(Fault::Other(text)) => Err(Failure::System(format!("the GPU failed: {text}"))),
        }
    }
}

/// All devices of the machine, the best first, each probed.
pub fn devices() -> Vec<DeviceInfo> {
    pollster::block_on(async {
        let mut infos = Vec::new();
        for adapter in adapters().await {
            infos.push(match open_adapter(&adapter).await {
                Ok(device) => device.info,
                Err(failure) => DeviceInfo { probe: Err(failure.to_string()), ..describe(&adapter) },
            });
        }
        infos
    })
}

/// The advice if there is no device.
pub const DRIVER: &str = "a Vulkan driver: that of your GPU, or Mesa's lavapipe 24 or newer, which computes on the \
                          processor (Debian and Ubuntu call the packages libvulkan1 and mesa-vulkan-drivers)";

/// Opens the best device that passes the probe among those with this text in their names.
pub(crate) async fn open(wanted: &str) -> Result<Device, Failure> {
    let title = |adapter: &Adapter| {
        let info = describe(adapter);
        format!("{} ({})", info.name, info.driver)
    };
    let called = |adapter: &Adapter| title(adapter).to_lowercase().contains(&wanted.to_lowercase());
    let (meant, others): (Vec<Adapter>, Vec<Adapter>) = adapters().await.into_iter().partition(called);
    if meant.is_empty() && !others.is_empty() {
        let titles: Vec<String> = others.iter().map(title).collect();
        return Err(Failure::System(format!(
            "no GPU has `{wanted}` in its name; there is {}",
            titles.join(", ")
        )));
    }
    let mut refused = Vec::new();
    for adapter in meant {
        match open_adapter(&adapter).await {
            Ok(Device { info: DeviceInfo { probe: Err(what), .. }, .. }) => {
                refused.push(format!("{}: {what}", title(&adapter)));
            }
            Ok(device) => return Ok(device),
            Err(failure) => refused.push(format!("{}: {failure}", title(&adapter))),
        }
    }
    let found = match refused.is_empty() {
        true => "no GPU was found".to_owned(),
        false => format!("no GPU can be used: {}", refused.join("; ")),
    };
    Err(Failure::System(format!("{found}; install {DRIVER}")))
}

/// The adapters, the best first.
async fn adapters() -> Vec<Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let mut adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
    adapters.sort_by_key(|adapter| describe(adapter).kind);
    adapters
}

fn describe(adapter: &Adapter) -> DeviceInfo {
    let AdapterInfo { name, driver, driver_info, backend, device_type, .. } = adapter.get_info();
    let features = adapter.features();
    DeviceInfo {
        name,
        backend: backend.to_str().to_owned(),
        driver: format!("{driver} {driver_info}").trim().to_owned(),
        kind: match device_type {
            DeviceType::DiscreteGpu => DeviceKind::Discrete,
            DeviceType::IntegratedGpu => DeviceKind::Integrated,
            DeviceType::VirtualGpu => DeviceKind::Virtual,
            DeviceType::Other => DeviceKind::Unknown,
            DeviceType::Cpu => DeviceKind::Software,
        },
        has_i64: features.contains(Features::SHADER_INT64),
        has_f64: features.contains(Features::SHADER_F64),
        hardware: hardware(adapter),
        has_subgroups: features.contains(Features::SUBGROUP),
        probe: Ok(()),
    }
}

fn hardware(adapter: &Adapter) -> Hardware {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    // Without the feature, wgpu gives the widest range that there is.
    let subgroup = |lanes: u32| adapter.features().contains(Features::SUBGROUP).then_some(u64::from(lanes));
    Hardware {
        min_subgroup: subgroup(info.subgroup_min_size),
        max_subgroup: subgroup(info.subgroup_max_size),
        workgroup_threads: Some(u64::from(
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x),
        )),
        workgroup_bytes: Some(u64::from(limits.max_compute_workgroup_storage_size)),
        groups: Some(u64::from(limits.max_compute_workgroups_per_dimension)),
        // One binding holds the status.
        bindings: Some(u64::from(limits.max_storage_buffers_per_shader_stage.saturating_sub(1))),
        binding_bytes: Some(limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)),
        ..Hardware::UNKNOWN
    }
}

/// Opens an adapter and probes it; the verdict is in the device's `info`.
async fn open_adapter(adapter: &Adapter) -> Result<Device, Failure> {
    let useful = Features::SHADER_INT64
        | Features::SHADER_F64
        | Features::SUBGROUP
        | Features::PASSTHROUGH_SHADERS
        | Features::TIMESTAMP_QUERY;
    let features = adapter.features() & useful;
    let limits = adapter.limits();
    let request = wgpu::DeviceDescriptor {
        label: Some("ravel"),
        required_features: features,
        required_limits: limits.clone(),
        ..Default::default()
    };
    let (device, queue) = adapter
        .request_device(&request)
        .await
        .map_err(|error| Failure::System(format!("the device cannot be opened: {error}")))?;

    let faults = Faults::default();
    let uncaptured = faults.clone();
    device.on_uncaptured_error(Arc::new(move |error| {
        uncaptured.add(match error {
            wgpu::Error::OutOfMemory { .. } => Fault::Memory,
            other => Fault::Other(other.to_string()),
        });
    }));
    let lost = faults.clone();
    device.set_device_lost_callback(move |reason, text| {
        if reason != wgpu::DeviceLostReason::Destroyed {
            lost.add(Fault::Other(format!("the device was lost: {text}")));
        }
    });

    let info = describe(adapter);
    let passthrough =
        adapter.get_info().backend == Backend::Vulkan && features.contains(Features::PASSTHROUGH_SHADERS);
    let pool = Arc::new(Pool::new(info.max_array_bytes()));
    let device = Arc::new(Device {
        info,
        device,
        queue,
        limits,
        passthrough,
        pool,
        faults,
        call_lock: Mutex::default(),
    });
    let verdict = probe::probe(device.clone()).await;
    let reconverges =
        device.info.has_subgroups && verdict.is_ok() && probe::reconverges(device.clone()).await;
    let mut device =
        Arc::into_inner(device).ok_or_else(|| Failure::Bug("the probe kept the device".to_owned()))?;
    device.info.probe = verdict;
    device.info.has_subgroups = reconverges;
    Ok(device)
}
