//! # cpu: native code on the threads of this machine
//!
//! [`Program`] loads a blob (`ravel_abi::native` states its layout) and calls its entry points. A call borrows its
//! arguments, or copies an argument that it consumes into a block. The host program runs on a pool of threads, and the
//! threads take chunks of its segments. Results stay in their blocks.
//!
//! * `heap`, `block_pool`, `block`, `block_cache`: reference-counted blocks, and the blocks that outlive a call;
//! * `stack`: the stack limit of each thread;
//! * `threads`: the pools of threads; `team`: the threads that run a parallel region together; `ranges`: the chunks of
//!   each of them;
//! * `call`: one running call, and the services that its code may use;
//! * `allocator`: an allocator that ends the process if there is no memory;
//! * `math`: the library functions;
//! * `transfer`: values to blocks and back;
//! * `features`: the instructions of the processor; `hardware`: its figures.
//!
//! This crate does not depend on the compiler. Calling generated code is unsafe: the caller that loads a [`Blob`]
//! guarantees that the code generator produced it.

mod allocator;
mod block;
mod block_cache;
mod block_pool;
mod call;
mod features;
pub mod hardware;
mod heap;
mod math;
mod ranges;
mod stack;
mod team;
mod threads;
mod transfer;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::{Mmap, MmapOptions};
use ravel_abi::native::{HostFunction, Parameter, SegmentFunction, StripCode, StripVersion};
use ravel_abi::tuning::is_order_switch;
use ravel_abi::{
    Blob, EntryPoint, Failure, Listener, Messages, Profile, SegmentName, Signature, Trace, Tuning, Value,
    VersionCounts, Versions,
};
use rayon::ThreadPool;

pub use crate::allocator::Allocator;
use crate::block_cache::BlockCache;
use crate::call::Call;

/// A loaded program.
pub struct Program {
    code: Mmap,
    entries: Vec<EntryPoint>,
    /// The addresses of the functions.
    functions: Vec<usize>,
    segments: Vec<usize>,
    /// The strip functions.
    strip_codes: Vec<StripCode>,
    /// The address of the chosen version of each strip function, or 0 if its points run one by one.
    strips: Vec<usize>,
    segment_names: Vec<SegmentName>,
    messages: Messages,
    traces: Vec<Trace>,
    versions: Vec<Versions>,
    /// The names of the tuning parameters.
    names: Vec<String>,
    /// Their settings, in the same order.
    parameters: Vec<Parameter>,
    listener: Listener,
    pools: Mutex<BTreeMap<usize, Arc<ThreadPool>>>,
    block_cache: Arc<BlockCache>,
}

/// The options of a call.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads; 0 counts as 1.
    pub threads: usize,
    /// Set to true to stop the call.
    pub stop: Arc<AtomicBool>,
    /// The limit in bytes on the blocks of the call.
    pub memory: u64,
    /// The part of this limit that the private arrays of all threads may take together. It applies only to code in which
    /// the host allocates these arrays. In code for this machine, the threads allocate them.
    pub private_limit: u64,
    /// Records the time of each parallel segment.
    pub profile: Option<Arc<Profile>>,
}

impl Default for Options {
    /// All threads of the machine, and its memory.
    fn default() -> Options {
        Options {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stop: Arc::new(AtomicBool::new(false)),
            memory: ravel_abi::memory_limit(),
            private_limit: ravel_abi::memory_limit(),
            profile: None,
        }
    }
}

/// The cost of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The number of parallel regions.
    pub forks: u64,
    /// The number of allocated blocks.
    pub blocks: u64,
    /// The peak number of bytes in use.
    pub peak_bytes: u64,
    /// Bytes of the arrays copied in.
    pub bytes_in: u64,
    /// Bytes of the arrays copied out.
    pub bytes_out: u64,
    /// Which versions ran.
    pub versions: Vec<VersionCounts>,
}

impl Program {
    /// Loads a blob. It must come from the code generator, compiled for a machine like this one.
    pub fn load(blob: Blob) -> Result<Program, Failure> {
        if let Some(lacking) = blob.features.iter().find(|feature| !features::has(feature)) {
            let lacking = lacking.trim_start_matches("has_");
            return Err(Failure::System(format!(
                "the program was compiled for a processor with {lacking}, which this one lacks; \
                 compile it on this machine"
            )));
        }
        let system = |error: std::io::Error| Failure::System(format!("cannot load the program: {error}"));
        let mut code = MmapOptions::new().len(blob.code.len().max(1)).map_anon().map_err(system)?;
        code[..blob.code.len()].copy_from_slice(&blob.code);
        let code = code.make_exec().map_err(system)?;
        let Blob {
            entries,
            functions,
            segments,
            strips,
            segment_names,
            messages,
            traces,
            versions,
            parameters: names,
            ..
        } = blob;
        let functions = functions.iter().map(|&offset| code[offset..].as_ptr().addr()).collect();
        let (pools, block_cache, listener) = (Mutex::default(), Arc::default(), Listener::default());
        let mut program = Program {
            code,
            entries,
            functions,
            segments,
            strip_codes: strips,
            strips: Vec::new(),
            segment_names,
            messages,
            traces,
            versions,
            names,
            parameters: Vec::new(),
            listener,
            pools,
            block_cache,
        };
        program.tune(&Tuning::default());
        Ok(program)
    }

    /// Sets these tuning parameters; all others get their defaults.
    pub fn tune(&mut self, tuning: &Tuning) {
        let parameter = |name: &String| match tuning.get(name) {
            Some(value) => Parameter { is_set: 1, value },
            None => Parameter { is_set: 0, value: 0 },
        };
        self.parameters = self.names.iter().map(parameter).collect();
        let address = |strip: &StripCode| {
            let is_off = strip.switch.as_ref().and_then(|name| tuning.get(name)) == Some(0);
            let usable = |version: &&StripVersion| version.features.iter().all(|name| features::has(name));
            let version = strip.versions.iter().rfind(usable).filter(|_| !is_off);
            version.map_or(0, |version| self.code[version.offset..].as_ptr().addr())
        };
        self.strips = self.strip_codes.iter().map(address).collect();
    }

    /// The same program, with a listener for its traces.
    #[must_use]
    pub fn with_listener(self, listener: Listener) -> Program {
        Program { listener, ..self }
    }

    /// The signatures of the entry points.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.entries.iter().map(|entry| &entry.signature)
    }

    /// Calls an entry point. If points in another order than that of the source fail, the failure is that of the first point.
    pub fn call(
        &self,
        entry: &str,
        args: &[Value],
        options: &Options,
    ) -> Result<(Vec<Value>, Stats), Failure> {
        let entry = self
            .entries
            .iter()
            .find(|candidate| candidate.signature.name == entry)
            .ok_or_else(|| Failure::Arguments(format!("the program has no entry point `{entry}`")))?;
        let sizes = entry.signature.bind_sizes(args)?;
        let failure = match self.call_with((&self.parameters, &self.listener), entry, &sizes, args, options) {
            Err(failure @ Failure::Program { .. }) => failure,
            outcome => return outcome,
        };
        let Some(parameters) = self.in_source_order(&entry.signature) else { return Err(failure) };
        let options = Options { profile: None, ..options.clone() };
        match self.call_with((&parameters, &Listener::default()), entry, &sizes, args, &options) {
            outcome @ (Ok(_) | Err(Failure::Program { .. })) => outcome,
            Err(_) => Err(failure),
        }
    }

    /// The same settings of the tuning parameters, but the points of all nests run in the order of the source. `None` if those of this entry
    /// point do anyway.
    fn in_source_order(&self, entry: &Signature) -> Option<Vec<Parameter>> {
        let is_switch = |name: &String| is_order_switch(name) && entry.tuning_params.contains(name);
        let mut parameters = self.parameters.clone();
        let settings = self.names.iter().zip(&mut parameters).filter(|(name, _)| is_switch(name));
        let on = settings.filter(|(_, setting)| setting.is_set == 0 || setting.value > 0);
        let switched = on.map(|(_, setting)| *setting = Parameter { is_set: 1, value: 0 }).count();
        (switched > 0).then_some(parameters)
    }

    /// Calls an entry point with these tuning parameters, and a listener for its traces.
    fn call_with(
        &self,
        (parameters, listener): (&[Parameter], &Listener),
        entry: &EntryPoint,
        sizes: &[i64],
        args: &[Value],
        options: &Options,
    ) -> Result<(Vec<Value>, Stats), Failure> {
        let pool = self.pool(options.threads.max(1))?;
        let mut call = Call::new(self, parameters, listener, options);
        // SAFETY: the call ends in this function.
        let words = unsafe { call.arguments(entry, sizes, args) };
        let outcome = match words {
            Ok(words) => pool.install(|| call.run(entry, &words, args)),
            Err(failure) => Err(failure),
        };
        call.end();
        outcome
    }

    /// The pool with this many threads, started on first use.
    fn pool(&self, threads: usize) -> Result<Arc<ThreadPool>, Failure> {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pools.get(&threads) {
            return Ok(Arc::clone(pool));
        }
        let pool = Arc::new(threads::start(threads)?);
        pools.insert(threads, Arc::clone(&pool));
        Ok(pool)
    }

    fn host_function(&self, entry: &EntryPoint) -> HostFunction {
        // SAFETY: the code generator put a function of this type there.
        unsafe { std::mem::transmute::<*const u8, HostFunction>(self.code[entry.offset..].as_ptr()) }
    }

    fn segment_function(&self, number: u32) -> SegmentFunction {
        let offset = self.segments[number as usize];
        // SAFETY: the code generator put a function of this type there.
        unsafe { std::mem::transmute::<*const u8, SegmentFunction>(self.code[offset..].as_ptr()) }
    }
}
