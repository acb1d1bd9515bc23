//! One running call: its context, and the services that the context points to.
//!
//! The context is the first field of the call, so that a service finds the call from the context pointer
//! that generated code passes. No service unwinds: those that could panic run in [`guarded`], which turns a
//! panic into a failure of the call.
#![allow(clippy::disallowed_types, reason = "a profile needs the time")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ravel_abi::native::{Context, FAILED, OK, Parameter, STOPPED};
use ravel_abi::{EntryPoint, Failure, Listener, MAX_CALLS, Profile, ResultType, Value, VersionCounter};
use ravel_prim::PrimValue;
use ravel_prim::elementary::sine_and_cosine;

use crate::heap::Heap;
use crate::ranges::{Range, Ranges};
use crate::team::Team;
use crate::{Options, Program, Stats, math, stack, transfer};

/// A running call.
#[repr(C)]
pub struct Call<'p> {
    context: Context,
    program: &'p Program,
    listener: &'p Listener,
    stop: &'p AtomicBool,
    profile: Option<&'p Profile>,
    heap: Heap,
    team: Team,
    ranges: Ranges,
    forks: AtomicU64,
    versions: VersionCounter,
    /// The least index of a point that has failed so far, and its failure.
    failure: Mutex<Option<(i64, Failure)>>,
    /// That index. Points after it need not run.
    least: AtomicI64,
}

// SAFETY: nothing writes to the context. Its `stop` pointer refers to an atomic, and its tables belong to the program,
// which is only read.
unsafe impl Sync for Call<'_> {}
// SAFETY: as above.
unsafe impl Send for Call<'_> {}

impl<'p> Call<'p> {
    /// A call of `program` that has not begun, with these tuning parameters and a listener for its traces.
    pub fn new(
        program: &'p Program,
        parameters: &'p [Parameter],
        listener: &'p Listener,
        options: &'p Options,
    ) -> Call<'p> {
        let context = Context {
            stop: options.stop.as_ptr().cast(),
            functions: program.functions.as_ptr(),
            allocate,
            retain,
            release,
            copy,
            fork,
            fail,
            add_call,
            trace,
            choose,
            out_of_stack,
            power: math::power,
            unary_f32: const { math::unary_f32() },
            unary_f64: const { math::unary_f64() },
            binary_f32: const { math::binary_f32() },
            binary_f64: const { math::binary_f64() },
            sin_cos_f32,
            sin_cos_f64,
            strips: program.strips.as_ptr(),
            code: program.code.as_ptr(),
            private_limit: i64::try_from(options.private_limit).unwrap_or(i64::MAX),
            threads: i64::try_from(options.threads.max(1)).unwrap_or(i64::MAX),
            parameters: parameters.as_ptr(),
        };
        Call {
            context,
            program,
            listener,
            stop: &options.stop,
            profile: options.profile.as_deref(),
            heap: Heap::new(options.threads, options.memory, &program.block_cache),
            team: Team::default(),
            ranges: Ranges::new(options.threads.max(1)),
            forks: AtomicU64::new(0),
            versions: VersionCounter::new(&program.versions),
            failure: Mutex::new(None),
            least: AtomicI64::new(i64::MAX),
        }
    }

    /// Ends the call and keeps its blocks for the next one.
    pub fn end(self) {
        self.heap.end();
    }

    /// The words of the arguments: sizes, then scalars and blocks.
    ///
    /// # Safety
    ///
    /// The arguments outlive the call.
    pub unsafe fn arguments(
        &mut self,
        entry: &EntryPoint,
        sizes: &[i64],
        args: &[Value],
    ) -> Result<Vec<u64>, Failure> {
        let mut words: Vec<u64> = sizes.iter().map(|&size| size as u64).collect();
        for (index, (arg, param)) in args.iter().zip(&entry.signature.params).enumerate() {
            // SAFETY: promised by the caller.
            let word = unsafe { transfer::to_word(&mut self.heap, arg, param.consumed) };
            words.push(word.map_err(|failure| failure.at(|| entry.signature.argument_place(index)))?);
        }
        Ok(words)
    }

    /// Runs the host function of an entry point on the current thread of the pool.
    pub fn run(
        &self,
        entry: &EntryPoint,
        words: &[u64],
        args: &[Value],
    ) -> Result<(Vec<Value>, Stats), Failure> {
        let types = &entry.signature.results;
        let mut results = vec![0_u64; width(types)];
        let function = self.program.host_function(entry);
        let context = std::ptr::from_ref(self).cast::<Context>();
        // SAFETY: the code is the compiler's; `words` and `results` are laid out as the signature says.
        let status = unsafe {
            function(context, stack::limit(), i64::from(MAX_CALLS), words.as_ptr(), results.as_mut_ptr())
        };
        match status {
            OK => {}
            STOPPED => return Err(Failure::stopped()),
            _ => return Err(self.recorded_failure()),
        }
        // SAFETY: the code has laid them out as the signature says.
        let values = unsafe { values(Some(&self.heap), types, &results) }
            .map_err(|failure| failure.at(|| entry.signature.results_place()))?;
        let stats = Stats {
            forks: self.forks.load(Ordering::Relaxed),
            blocks: self.heap.allocated(),
            peak_bytes: self.heap.peak(),
            bytes_in: args.iter().map(Value::array_bytes).sum(),
            bytes_out: values.iter().map(Value::array_bytes).sum(),
            versions: self.versions.counts(&self.program.versions),
        };
        Ok((values, stats))
    }

    /// The failure to report.
    fn recorded_failure(&self) -> Failure {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or_else(
            || Failure::Bug("the program failed without recording why".into()),
            |(_, failure)| failure,
        )
    }

    /// Records a failure of a point.
    fn note(&self, point: i64, failure: Failure) {
        let mut noted = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.as_ref().is_none_or(|&(least, _)| point < least) {
            *noted = Some((point, failure));
            self.least.store(point, Ordering::Relaxed);
        }
    }

    fn fork(&self, chunks: &Chunks) -> u32 {
        self.forks.fetch_add(1, Ordering::Relaxed);
        let begin = self.profile.map(|_| Instant::now());
        self.team.run(chunks.ranges.len() - 1, &|thread| catch_panic(self, (), || self.work(chunks, thread)));
        if let (Some(profile), Some(begin)) = (self.profile, begin) {
            profile.add(&self.program.segment_names[chunks.segment as usize], begin.elapsed());
        }
        if self.least.load(Ordering::Relaxed) != i64::MAX {
            FAILED
        } else if chunks.stopped.load(Ordering::Relaxed) {
            STOPPED
        } else {
            OK
        }
    }

    /// Takes and runs chunks until none is left, those of this thread first.
    fn work(&self, chunks: &Chunks, thread: usize) {
        let function = self.program.segment_function(chunks.segment);
        let context = std::ptr::from_ref(self).cast::<Context>();
        let stack_limit = stack::limit();
        let (before, own) = chunks.ranges.split_at(thread % chunks.ranges.len());
        for range in own.iter().chain(before) {
            while let Some(number) = range.take() {
                let first = number * chunks.chunk;
                if self.stop.load(Ordering::Relaxed) {
                    chunks.stopped.store(true, Ordering::Relaxed);
                }
                if chunks.stopped.load(Ordering::Relaxed) {
                    return;
                }
                // Only the failure of the least point is reported, so points after it need not run.
                if first > self.least.load(Ordering::Relaxed) {
                    break;
                }
                let end = first.saturating_add(chunks.chunk).min(chunks.points);
                // SAFETY: the code is the compiler's, and so is the environment, which outlives the fork.
                let status = unsafe {
                    function(context, stack_limit, chunks.calls, chunks.environment, number, first, end)
                };
                if status == STOPPED {
                    chunks.stopped.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

/// The chunks of one fork.
struct Chunks<'c> {
    segment: u32,
    environment: *const u64,
    points: i64,
    chunk: i64,
    /// The number of calls that may nest in a chunk.
    calls: i64,
    /// The chunks of each thread.
    ranges: &'c [Range],
    stopped: AtomicBool,
}

// SAFETY: the environment, the only part that is not `Sync` by itself, is only read while the fork lasts.
unsafe impl Sync for Chunks<'_> {}

/// The number of words of values of these types.
fn width(types: &[ResultType]) -> usize {
    types.iter().map(|ty| ty.rank + 1).sum()
}

/// The values of these types from their words. With a heap, an array takes over its block where the heap allows it; the
/// other arrays are copies.
///
/// # Safety
///
/// For each value, `words` has either a scalar, or sizes and a block of the heap with that many elements. If there is a
/// heap, its call is over.
unsafe fn values(heap: Option<&Heap>, types: &[ResultType], words: &[u64]) -> Result<Vec<Value>, Failure> {
    let mut rest = words;
    let value = |ty: &ResultType| {
        let (words, others) = rest.split_at(ty.rank + 1);
        rest = others;
        // SAFETY: promised by the caller.
        unsafe { transfer::from_words(heap, ty.elem, words) }
    };
    types.iter().map(value).collect()
}

/// The call to which a context belongs.
///
/// # Safety
///
/// The call passed this context to generated code, and that code is still running.
unsafe fn call_of<'a>(context: *const Context) -> &'a Call<'a> {
    // SAFETY: promised by the caller; the pointer was cast from a pointer to the whole call.
    unsafe { &*context.cast::<Call<'a>>() }
}

/// Runs a service. If it panics, the call fails and the result is `otherwise`.
fn catch_panic<T>(call: &Call, otherwise: T, service: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(service)).unwrap_or_else(|_| {
        call.note(0, Failure::Bug("the runtime panicked".into()));
        otherwise
    })
}

unsafe extern "C" fn allocate(context: *const Context, count: i64, bytes: u64, point: i64) -> *mut u8 {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    catch_panic(call, null_mut(), || match call.heap.allocate(count, bytes) {
        Ok(block) => block.as_ptr(),
        Err(failure) => {
            call.note(point, failure);
            null_mut()
        }
    })
}

unsafe extern "C" fn retain(context: *const Context, block: *mut u8) {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    if let Some(block) = NonNull::new(block) {
        // SAFETY: generated code retains blocks that it has a reference to.
        unsafe { call.heap.retain(block) };
    }
}

unsafe extern "C" fn release(context: *const Context, block: *mut u8) {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    if let Some(block) = NonNull::new(block) {
        // SAFETY: generated code releases references that it owns.
        catch_panic(call, (), || unsafe { call.heap.release(block) });
    }
}

unsafe extern "C" fn copy(to: *mut u8, from: *const u8, bytes: u64) {
    // SAFETY: generated code copies between places in blocks, each with at least `bytes` bytes after it.
    unsafe { std::ptr::copy(from, to, bytes as usize) };
}

unsafe extern "C" fn sin_cos_f32(angle: f32, cosine: *mut f32) -> f32 {
    let (sine, other) = sine_and_cosine(angle);
    // SAFETY: generated code gives the address of a word of its own.
    unsafe { cosine.write(other) };
    sine
}

unsafe extern "C" fn sin_cos_f64(angle: f64, cosine: *mut f64) -> f64 {
    let (sine, other) = sine_and_cosine(angle);
    // SAFETY: as above.
    unsafe { cosine.write(other) };
    sine
}

unsafe extern "C" fn fork(
    context: *const Context,
    segment: u32,
    environment: *const u64,
    points: i64,
    chunk: i64,
    calls: i64,
) -> u32 {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    if points <= 0 {
        return OK;
    }
    let chunk = chunk.max(1);
    catch_panic(call, FAILED, || {
        let (ranges, stopped) = (call.ranges.divide((points - 1) / chunk + 1), AtomicBool::new(false));
        call.fork(&Chunks { segment, environment, points, chunk, calls, ranges, stopped })
    })
}

unsafe extern "C" fn out_of_stack(context: *const Context, point: i64) {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    catch_panic(call, (), || call.note(point, Failure::out_of_stack()));
}

unsafe extern "C" fn fail(context: *const Context, message: u32, args: *const u64, point: i64) {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    catch_panic(call, (), || {
        let messages = &call.program.messages;
        let types = messages.args(message as usize).into_iter().flatten();
        // SAFETY: generated code gives as many words as the message has arguments.
        let read = |(number, ty)| PrimValue::from_bits(ty, unsafe { *args.add(number) });
        let args: Vec<PrimValue> = types.enumerate().map(read).collect();
        call.note(point, messages.fail(message as usize, &args));
    });
}

/// Adds call site number `site - 1` to the backtrace of a failure that leaves the function called there. If `site` is 0,
/// there is none to add.
unsafe extern "C" fn add_call(context: *const Context, site: u32, point: i64) {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    catch_panic(call, (), || {
        let mut noted = call.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some((failed, failure)), Some(message)) = (noted.as_mut(), (site as usize).checked_sub(1))
            // The site belongs to the recorded failure only if that is the failure of this point. Host code passes 0,
            // which stands for any point. Point 0 of a segment needs no other number: if it fails, its failure is the
            // recorded one, because no point comes before it.
            && (point == 0 || point == *failed)
        {
            call.program.messages.add_call(message, failure);
        }
    });
}

unsafe extern "C" fn trace(context: *const Context, trace: u32, words: *const u64) {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    catch_panic(call, (), || {
        let program = call.program;
        if !call.listener.listens() {
            return;
        }
        let trace = &program.traces[trace as usize];
        // SAFETY: generated code gives as many words as the trace has, laid out as results are.
        let shown =
            unsafe { values(None, &trace.values, std::slice::from_raw_parts(words, width(&trace.values))) };
        // A trace is dropped if there is no memory for it.
        if let Ok(shown) = shown {
            call.listener.send(&trace.line(&shown));
        }
    });
}

unsafe extern "C" fn choose(context: *const Context, versions: u32, cond: u64) {
    // SAFETY: generated code passes on the context that it got.
    let call = unsafe { call_of(context) };
    catch_panic(call, (), || call.versions.add(versions as usize, cond != 0));
}
