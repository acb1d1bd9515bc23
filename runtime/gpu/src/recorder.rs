//! Records launches and submits them to the device in batches. A batch ends when the host reads a value back, or when
//! the batch is large.
//!
//! Every read-back includes the status word. Only one point of a launch, the *reporter*, has its failure message
//! written; by default it is point 0. If another point is the lowest that failed, its workgroup runs again, alone, with
//! that point as the reporter. It fails in the same way: no later launch wrote anything, and a kernel reads nothing
//! that its own launch changes.
#![allow(clippy::disallowed_types, reason = "a profile needs the time")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ravel_abi::plan::{FIRST_GROUP, Grid, Kernel, param_layout, status};
use ravel_abi::{BinCounts, Failure, Profile, SegmentName, VersionCounts};
use ravel_prim::{PrimType, PrimValue};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, Buffer, BufferBinding, BufferDescriptor,
    BufferSize, BufferUsages, CommandEncoder, CommandEncoderDescriptor, ComputePass, ComputePassDescriptor,
    ComputePipeline, SubmissionIndex,
};

use crate::Program;
use crate::memory::Block;
use crate::stopwatch::Stopwatch;
use crate::{transfer, wait};

/// The cost of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Kernels launched.
    pub launches: u64,
    /// Submits to the device.
    pub submits: u64,
    /// The number of times that the host waited for the device.
    pub read_backs: u64,
    /// Bytes of arguments sent to the device.
    pub bytes_up: u64,
    /// Bytes of results fetched from the device.
    pub bytes_down: u64,
    /// Bytes fetched for the host program itself: single elements, and a status word with each read-back.
    pub bytes_read_back: u64,
    /// The peak number of bytes of device memory in use.
    pub peak_bytes: u64,
    /// Which versions ran.
    pub versions: Vec<VersionCounts>,
    /// The bins of nests, if the program counts them.
    pub bins: Vec<BinCounts>,
}

/// After this many launches a batch is submitted without a read-back, so that the device can begin.
const MAX_PENDING: usize = 256;

/// After this many launches without a read-back the status is checked.
const MAX_UNCHECKED: usize = 4096;

/// A part of a block to read back.
pub(crate) struct ReadBack {
    pub block: Arc<Block>,
    pub start: u64,
    pub bytes: u64,
}

pub(crate) struct Recorder<'p> {
    program: &'p Program,
    status: Arc<Block>,
    stop: Arc<AtomicBool>,
    profile: Option<&'p Profile>,
    /// For a profile, if the device has a clock.
    stopwatch: Option<Stopwatch>,
    pending: Vec<PendingLaunch<'p>>,
    /// Submitted launches whose status is not known yet.
    unchecked: Vec<SubmittedLaunch<'p>>,
    launch_number: u32,
    params: Vec<u8>,
    pub stats: Stats,
}

/// A launch that is not submitted yet.
struct PendingLaunch<'p> {
    number: u32,
    kernel: &'p Kernel,
    pipeline: &'p ComputePipeline,
    /// The blocks' buffers with their sizes.
    buffers: Vec<(Buffer, u64)>,
    params: std::ops::Range<usize>,
    grid: Grid,
}

/// A submitted launch.
struct SubmittedLaunch<'p> {
    number: u32,
    pipeline: &'p ComputePipeline,
    group: BindGroup,
    grid: Grid,
    /// The buffer of its parameters, and their offset.
    params: (Buffer, u64),
}

impl<'p> Recorder<'p> {
    pub(crate) fn new(
        program: &'p Program,
        stop: Arc<AtomicBool>,
        profile: Option<&'p Profile>,
    ) -> Result<Recorder<'p>, Failure> {
        let status = Block::new(&program.device, PrimType::U32, status::WORDS as i64)?;
        let stopwatch = if profile.is_some() { Stopwatch::of(&program.device)? } else { None };
        let recorder = Recorder {
            program,
            status,
            stop,
            profile,
            stopwatch,
            pending: Vec::new(),
            unchecked: Vec::new(),
            launch_number: 0,
            params: Vec::new(),
            stats: Stats::default(),
        };
        recorder.reset_status(0);
        Ok(recorder)
    }

    /// Resets the status and makes this point the reporter.
    fn reset_status(&self, reporter: u32) {
        let mut words = [0u32; status::WORDS];
        words[status::POINT as usize] = u32::MAX;
        words[status::REPORTER as usize] = reporter.wrapping_add(1);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.program.device.queue.write_buffer(self.status.buffer(), 0, &bytes);
    }

    /// Uploads an argument's bytes. No launch so far may use the block.
    pub(crate) fn send(&mut self, block: &Block, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.program.device.queue.write_buffer(block.buffer(), 0, bytes);
            self.stats.bytes_up += bytes.len() as u64;
        }
    }

    /// Records a launch.
    pub(crate) async fn launch(
        &mut self,
        kernel: usize,
        grid: Grid,
        blocks: &[Arc<Block>],
        scalars: &[PrimValue],
    ) -> Result<(), Failure> {
        let (kernel, pipeline) = self.program.pipeline(kernel)?;
        let types = |values: &[PrimValue]| values.iter().map(|value| value.ty()).collect::<Vec<_>>();
        let elems: Vec<_> = kernel.bindings.iter().map(|binding| binding.elem).collect();
        if types(scalars) != kernel.params || !blocks.iter().map(|block| block.elem).eq(elems) {
            return Err(Failure::Bug(format!(
                "{} is launched with arguments of the wrong types",
                kernel.name
            )));
        }
        self.launch_number += 1;
        let params = self.params_of(kernel, scalars);
        let buffers = blocks.iter().map(|block| (block.buffer().clone(), block.bytes().max(8))).collect();
        self.pending.push(PendingLaunch {
            number: self.launch_number,
            kernel,
            pipeline,
            buffers,
            params,
            grid,
        });
        self.stats.launches += 1;
        if let Some(profile) = self.profile {
            let begin = Instant::now();
            let wanted: Vec<ReadBack> = self.stopwatch.iter().map(Stopwatch::read_back).collect();
            let marks = self.read(&wanted).await?;
            let time =
                self.stopwatch.as_ref().zip(marks.first()).and_then(|(watch, marks)| watch.time(marks));
            let Kernel { name, place, .. } = kernel;
            let segment = SegmentName { name: name.clone(), place: place.clone() };
            profile.add(&segment, time.unwrap_or_else(|| begin.elapsed()));
        }
        if self.pending.len() >= MAX_PENDING {
            if self.unchecked.len() >= MAX_UNCHECKED {
                self.check().await?;
            } else {
                let encoder = self.encode();
                self.submit(encoder);
            }
        }
        Ok(())
    }

    /// Appends the parameters of a launch to the parameters of the pending launches, aligned as the device requires for a
    /// binding.
    fn params_of(&mut self, kernel: &Kernel, scalars: &[PrimValue]) -> std::ops::Range<usize> {
        let step = self.program.device.limits.min_uniform_buffer_offset_alignment as usize;
        let start = self.params.len().next_multiple_of(step.max(16));
        let (offsets, size) = param_layout(&kernel.params);
        self.params.resize(start + size, 0);
        self.params[start..start + 4].copy_from_slice(&self.launch_number.to_le_bytes());
        for (&scalar, offset) in scalars.iter().zip(offsets) {
            let bytes = transfer::parameter(scalar);
            self.params[start + offset..][..bytes.len()].copy_from_slice(&bytes);
        }
        start..start + size
    }

    /// All pending launches as commands.
    fn encode(&mut self) -> CommandEncoder {
        let device = &self.program.device;
        let mut encoder =
            device.device.create_command_encoder(&CommandEncoderDescriptor { label: Some("ravel") });
        if self.pending.is_empty() {
            return encoder;
        }
        let params = device.device.create_buffer(&BufferDescriptor {
            label: Some("parameters"),
            size: (self.params.len() as u64).next_multiple_of(4),
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        device.queue.write_buffer(&params, 0, &self.params);
        self.params.clear();

        let timestamp_writes = self.stopwatch.as_ref().map(Stopwatch::writes);
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor { label: None, timestamp_writes });
        for launch in self.pending.drain(..) {
            let PendingLaunch { number, kernel, pipeline, buffers, params: range, grid } = launch;
            let status = (self.status.buffer(), 0, self.status.bytes());
            let params = (params.clone(), range.start as u64);
            let bound_params = (&params.0, params.1, range.len() as u64);
            let blocks = buffers.iter().map(|(buffer, bytes)| (buffer, 0, *bytes));
            let entries: Vec<_> =
                [status, bound_params].into_iter().chain(blocks).enumerate().map(entry).collect();
            let group = device.device.create_bind_group(&BindGroupDescriptor {
                label: Some(&kernel.name),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            });
            dispatch(&mut pass, pipeline, &group, (grid.x, grid.y));
            self.unchecked.push(SubmittedLaunch { number, pipeline, group, grid, params });
        }
        drop(pass);
        if let Some(watch) = &self.stopwatch {
            watch.stop(&mut encoder);
        }
        encoder
    }

    fn submit(&mut self, encoder: CommandEncoder) -> SubmissionIndex {
        self.stats.submits += 1;
        self.program.device.queue.submit([encoder.finish()])
    }

    /// Submits the pending launches and reads these parts back, in one submit. Fails if a launch failed.
    pub(crate) async fn read(&mut self, wanted: &[ReadBack]) -> Result<Vec<Vec<u8>>, Failure> {
        wait::fail_if_stopped(&self.stop)?;
        let encoder = self.encode();
        let word = ReadBack { block: self.status.clone(), start: 0, bytes: 4 };
        self.stats.bytes_read_back += word.bytes;
        let mut read = self.fetch(encoder, [&word].into_iter().chain(wanted)).await?;
        let failed_launch = read.remove(0).iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        if failed_launch != 0 {
            return Err(self.failure_of(failed_launch).await?);
        }
        self.unchecked.clear();
        Ok(read)
    }

    /// Fails if a launch failed.
    pub(crate) async fn check(&mut self) -> Result<(), Failure> {
        if self.pending.is_empty() && self.unchecked.is_empty() {
            return Ok(());
        }
        self.read(&[]).await.map(|_| ())
    }

    /// Adds copies to the commands, submits them and waits for the bytes.
    async fn fetch(
        &mut self,
        mut encoder: CommandEncoder,
        wanted: impl Iterator<Item = &ReadBack> + Clone,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let device = &self.program.device;
        let total = wanted.clone().map(|wanted| wanted.bytes).sum();
        let staging = device.device.create_buffer(&BufferDescriptor {
            label: Some("read-back"),
            size: total,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut at = 0;
        for ReadBack { block, start, bytes } in wanted.clone().filter(|wanted| wanted.bytes > 0) {
            encoder.copy_buffer_to_buffer(block.buffer(), *start, &staging, at, *bytes);
            at += bytes;
        }
        let submission = self.submit(encoder);
        self.stats.read_backs += 1;
        let device = &self.program.device;
        let all = wait::read(device, &staging, total, submission, &self.stop).await?;
        let mut rest = all.as_slice();
        let mut parts = Vec::new();
        for wanted in wanted {
            let (part, others) = rest.split_at(wanted.bytes as usize);
            parts.push(part.to_vec());
            rest = others;
        }
        Ok(parts)
    }

    /// The failure of a launch, at the lowest point that failed. If that is not the reporter, its workgroup runs again.
    async fn failure_of(&mut self, number: u32) -> Result<Failure, Failure> {
        let internal = |what: &str| Failure::Bug(format!("a kernel failed, but {what}"));
        let mut words = self.status_words(None).await?;
        let point = words[status::POINT as usize];
        if point != 0 {
            let Some(launch) = self.unchecked.iter().position(|launch| launch.number == number) else {
                return Err(internal("it is not known which"));
            };
            let launch = self.unchecked.swap_remove(launch);
            self.reset_status(point);
            words = self.status_words(Some((&launch, point))).await?;
        }
        self.unchecked.clear();
        let (messages, message) = (&self.program.plan.messages, words[status::MESSAGE as usize] as usize);
        let types = messages.args(message).ok_or_else(|| internal("it does not say why"))?;
        let argument = |(ty, pair): (PrimType, &[u32])| {
            PrimValue::from_bits(ty, u64::from(pair[0]) | u64::from(pair[1]) << 32)
        };
        let pairs = words[status::ARGUMENTS as usize..].chunks_exact(2);
        let arguments: Vec<_> = types.zip(pairs).map(argument).collect();
        Ok(messages.fail(message, &arguments))
    }

    /// Reads all words of the status. If a launch and one of its points are given, first runs the workgroup of that point
    /// again.
    async fn status_words(
        &mut self,
        again: Option<(&SubmittedLaunch<'p>, u32)>,
    ) -> Result<Vec<u32>, Failure> {
        let mut encoder = self.encode();
        if let Some((SubmittedLaunch { pipeline, group, grid, params: (buffer, start), .. }, point)) = again {
            let first_group = grid.group_of(point).to_le_bytes();
            self.program.device.queue.write_buffer(buffer, start + FIRST_GROUP as u64, &first_group);
            let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
            dispatch(&mut pass, pipeline, group, (1, 1));
        }
        let wanted = ReadBack { block: self.status.clone(), start: 0, bytes: self.status.bytes() };
        let bytes = self.fetch(encoder, [&wanted].into_iter()).await?.concat();
        let word = |word: &[u8]| u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        Ok(bytes.chunks_exact(4).map(word).collect())
    }
}

fn dispatch(pass: &mut ComputePass, pipeline: &ComputePipeline, group: &BindGroup, (x, y): (u32, u32)) {
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, group, &[]);
    pass.dispatch_workgroups(x, y, 1);
}

fn entry((binding, (buffer, offset, size)): (usize, (&Buffer, u64, u64))) -> BindGroupEntry<'_> {
    let size = BufferSize::new(size);
    BindGroupEntry {
        binding: binding as u32,
        resource: BindingResource::Buffer(BufferBinding { buffer, offset, size }),
    }
}
