//! The command line as a type; its comments are the help.

mod bench;
mod tools;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ravel_driver::Passes;
use ravel_program::{TuningOptions, output};

pub use bench::Bench;
pub use tools::{Completions, Doctor, Repl};

/// Compiles and runs data-parallel array programs on CPU and GPU.
#[derive(Debug, Parser)]
#[command(name = "ravel", version, long_version = VERSION.as_str(), arg_required_else_help = true, after_help = AFTER)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Example:
  echo 1000000 | ravel run programs/sobol/pi.dsl

Exit codes: 0 fine, 1 an error in program, data or surroundings, 2 wrong usage, \
3 something this version cannot do yet, 4 a bug in the compiler.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run an entry point on values from standard input or a file.
    Run(Run),
    /// Make an executable of a program, which needs nothing else to run.
    Build(Build),
    /// Check a program without running it: is it right, and can this version compile it?
    Check(Check),
    /// Tell what became of the parallel operators of a program: what was fused, and what stopped the rest.
    Explain(Explain),
    /// Evaluate expressions and definitions at a prompt.
    Repl(Repl),
    /// Run the test blocks of programs.
    Test(Test),
    /// Measure how fast programs run on the datasets of their test blocks.
    Bench(Bench),
    /// Make random values, or translate values between text and binary.
    Dataset(Dataset),
    /// Look into the compiler: stages, passes, dumps.
    Dev(Dev),
    /// List the devices that programs can run on.
    Devices(Devices),
    /// Try what works on this machine, and say what to install.
    Doctor(Doctor),
    /// Write a script that completes the arguments of `ravel` in a shell.
    Completions(Completions),
    /// Write the manual page.
    #[command(hide = true)]
    Man,
}

/// What `--version` says behind the name: version, backends and target.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let backends =
        Backend::value_variants().iter().map(|&backend| ravel_engine::Backend::from(backend).name());
    format!(
        "{}\nbackends: {}\ntarget: {}-{}",
        env!("CARGO_PKG_VERSION"),
        backends.collect::<Vec<_>>().join(", "),
        std::env::consts::ARCH,
        std::env::consts::OS
    )
});

/// Where a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Backend {
    /// Native code on the processor's threads.
    Cpu,
    /// WGSL on a graphics processor.
    Gpu,
    /// The reference interpreter: slow, and right by definition.
    Interp,
}

impl From<Backend> for ravel_engine::Backend {
    fn from(backend: Backend) -> ravel_engine::Backend {
        match backend {
            Backend::Cpu => ravel_engine::Backend::Cpu,
            Backend::Gpu => ravel_engine::Backend::Gpu,
            Backend::Interp => ravel_engine::Backend::Interp,
        }
    }
}

/// What code is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// Native code for the processor's threads.
    Cpu,
    /// WGSL for graphics processors.
    Gpu,
}

impl From<Machine> for ravel_driver::dev::Machine {
    fn from(machine: Machine) -> ravel_driver::dev::Machine {
        match machine {
            Machine::Cpu => ravel_driver::dev::Machine::Cpu,
            Machine::Gpu => ravel_driver::dev::Machine::Gpu,
        }
    }
}

/// How many threads the CPU backend uses.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Threads {
    /// How many threads the CPU backend uses, up to 1024; all processors by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// Their number; all processors without it.
    pub fn count(self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

/// The rules of the optimiser that are switched off.
#[derive(Args, Clone, Debug)]
pub struct Without {
    /// Switch off these rules of the optimiser, separated by commas, such as map-reduce; `ravel dev --list-passes`
    /// and docs/passes.md list them.
    #[arg(long = "without", value_name = "RULES", value_delimiter = ',', value_parser = Passes::optional_rule)]
    pub rules: Vec<&'static str>,
}

/// How much memory the GPU backend uses for the arrays of threads.
#[derive(Args, Clone, Copy, Debug)]
pub struct Memory {
    /// How much memory the arrays of all threads may take together on a GPU, such as 512M or 2G. By default, and
    /// at most, it is what the device can have as one array, or half of the machine's memory if that is less. Threads
    /// for whose arrays there is no room wait for others; a single one that needs more fails. What they give, also to be
    /// added up, is not counted.
    #[arg(long, value_name = "SIZE", value_parser = ravel_program::memory_size)]
    max_memory: Option<u64>,
}

impl Memory {
    /// So many bytes; what the device can have without it.
    pub fn most(self) -> Option<u64> {
        self.max_memory
    }
}

/// Which cases of which test blocks are run, and where.
#[derive(Args, Debug)]
pub struct Selection {
    /// Programs, or folders to search for .dsl and .fut files.
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// The backends to run on, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "cpu")]
    pub backend: Vec<Backend>,
    /// Run only what has this text in its name, such as `a.dsl:3 main #0 on cpu`.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Leave out programs and cases with this tag; may be given several times.
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    #[command(flatten)]
    pub tuning: TuningOptions,
    /// Leave alone the tuning files that stand beside programs, as PROGRAM.tuning.
    #[arg(long)]
    pub no_tuning: bool,
    #[command(flatten)]
    pub memory: Memory,
}

/// Arguments of `ravel run`.
#[derive(Args, Debug)]
#[command(after_help = "\
Values are read in Futhark's text or binary format, one for each parameter of the entry point:
  echo '3 [1.5, 2.5]' | ravel run scale.dsl
  ravel run scale.dsl --npy-in factor.npy --npy-in xs.npy --npy-out ys.npy")]
pub struct Run {
    /// The program, a .dsl or .fut file.
    pub file: PathBuf,
    /// The entry point to call.
    #[arg(short, long, default_value = "main")]
    pub entry: String,
    /// Where to run it.
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: Backend,
    /// Read the arguments from this file instead of standard input.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Read the arguments from NumPy's files, one for each parameter, instead of standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    pub npy_in: Vec<PathBuf>,
    /// Write the results in the binary format.
    #[arg(short, long)]
    pub binary: bool,
    /// Do not print the results.
    #[arg(short, long)]
    pub no_print_result: bool,
    /// Write the results to NumPy's files, one for each, instead of standard output.
    #[arg(long, value_name = "FILE", value_parser = output(), conflicts_with_all = ["binary", "no_print_result"])]
    pub npy_out: Vec<PathBuf>,
    /// Run this often after one warm-up run (which is not timed); print the results once.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: Option<u32>,
    /// Write the time of each run, in microseconds, to this file, one a line.
    #[arg(short, long, value_name = "FILE", value_parser = output())]
    pub timing: Option<PathBuf>,
    /// Print counts and times to standard error.
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub without: Without,
    #[command(flatten)]
    pub tuning: TuningOptions,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub memory: Memory,
}

/// Arguments of `ravel build`.
#[derive(Args, Debug)]
#[command(after_help = "\
The executable takes the options of Futhark's executables, and serves its server protocol with --server:
  ravel build dot.dsl && echo '[1, 2] [3, 4]' | ./dot
  ./dot --help

Those who embed programs take parts of them, each a file in the folder that -o names. Where a manifest is \
written in place of another program's, the parts that the old one names are removed:
  ravel build dot.dsl --emit wgsl,spirv,manifest -o parts")]
pub struct Build {
    /// The program, a .dsl or .fut file.
    pub file: PathBuf,
    /// The file to write, with --emit the folder; by default the program's name without its extension.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What it shall run on: cpu by default, with --emit what the parts are for.
    #[arg(long, value_enum)]
    pub backend: Option<Machine>,
    /// Make it a server from the start, as clients expect that give it no options.
    #[arg(long)]
    pub server: bool,
    /// Write these parts of the program into a folder instead, for those who embed it; separated by commas.
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',', conflicts_with = "server")]
    pub emit: Vec<Part>,
}

/// A part of a compiled program that `ravel build` can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The GPU's kernels, a file each.
    Wgsl,
    /// The same as Vulkan gets them.
    Spirv,
    /// The CPU's functions, before Cranelift compiles them.
    Clif,
    /// The CPU's code as an object file.
    Object,
    /// Entry points, types and what a runtime needs to know, as JSON.
    Manifest,
}

/// Arguments of `ravel check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Nothing is printed for a program that is right. The exit code is 1 where it is wrong, and 3 where it is \
right but its entry points use what this version cannot compile yet; with --backend, also where it is that \
backend that cannot. What hangs on the device at hand is found by running the program.

Every error has a code with a page about it, which shows a program that is refused and one that is not:
  ravel check --explain E0201")]
pub struct Check {
    /// The program, a .dsl or .fut file.
    #[arg(required_unless_present = "explain")]
    pub file: Option<PathBuf>,
    /// Check also what this backend cannot do yet.
    #[arg(long, value_enum)]
    pub backend: Option<Backend>,
    /// Warn of what Ravel adds to Futhark's language.
    #[arg(long)]
    pub strict_futhark: bool,
    /// Explain this error code instead.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["file", "backend", "strict_futhark"])]
    pub explain: Option<String>,
}

/// Arguments of `ravel explain`.
#[derive(Args, Debug)]
#[command(after_help = "\
Every map, reduce, scan, scatter, filter and so on of the program is shown with the rules that fired on \
it, the rules that did not and why, and the construct in which it ended. Constructs are what is left \
behind the optimiser: each goes over its elements once. Below them stands as how many segments each \
runs, and which arrays it makes for whom. Where a rule did not fire, the caret is on what is to blame:
  ravel explain step.dsl
  ravel explain --entry main --backend gpu step.dsl | less

What a rule is, docs/passes.md tells; each firing of one shows ravel dev --trace RULE.")]
pub struct Explain {
    /// The program, a .dsl or .fut file.
    pub file: PathBuf,
    /// Explain this entry point alone.
    #[arg(short, long)]
    pub entry: Option<String>,
    /// The machine that it is compiled for.
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: Machine,
    /// Tell it as JSON, for programs.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `ravel test`.
#[derive(Args, Debug)]
#[command(after_help = "\
A test block is a comment that begins with `-- ==`:
  -- ==
  -- entry: main
  -- input { 1 [2, 3] }
  -- output { [3, 4] }
  -- input @ data.in.gz
  -- error: out of bounds
  -- \"large\" nobench random input { i32 [1000]i32 }
  -- auto output
  -- script input { make 100i64 }

Entry points that give a bool for whatever they are given, and what optimisation makes of the program:
  -- property: reversed_twice_is_itself     (with #[prop] in front of the entry point)
  -- structure { screma 1 replicate 0 }
  -- structure gpu { segmap 1 }

Tests tagged `disable` or `notest` are left out, and so are those tagged `no_BACKEND` on that backend and \
`compiled` on the interpreter. Floats may differ by 0.002, relative to the largest element above one. \
A test that needs what this version cannot do yet is counted as limited, and is no failure.")]
pub struct Test {
    #[command(flatten)]
    pub selection: Selection,
    /// How many programs to test at once; as many as there are processors by default.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How many seconds a test may take on one backend; one that takes longer is stopped, and has failed.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = bench::seconds)]
    pub timeout: f64,
    /// Write a report in JUnit's XML to this file.
    #[arg(long, value_name = "FILE", value_parser = output())]
    pub junit: Option<PathBuf>,
    /// Fail when a test meets a limitation.
    #[arg(long)]
    pub no_limitations: bool,
}

/// Arguments of `ravel dataset`.
#[derive(Args, Debug)]
#[command(after_help = "\
Integers fill their type and floats lie between 0 and 1, unless bounds say otherwise. The same seed gives \
the same values everywhere. Without --generate values are read from standard input, in either format.
  ravel dataset -b --i32-bounds=0:9 -g '[100]i32' -g 5i64 > data.in
  ravel dataset < data.in")]
pub struct Dataset {
    /// Make a random value of this type, such as `i32` or `[10][2]f32`; a value stands for itself.
    #[arg(short, long, value_name = "TYPE")]
    pub generate: Vec<String>,
    #[command(flatten)]
    pub bounds: TypeBounds,
    /// Where the random numbers begin.
    #[arg(short, long, default_value_t = 1)]
    pub seed: u64,
    /// Write binary values.
    #[arg(short, long)]
    pub binary: bool,
    /// Write the types of the values instead.
    #[arg(short, long)]
    pub types: bool,
}

/// The bounds of random numbers, for all values that are made.
#[derive(Args, Debug)]
pub struct TypeBounds {
    /// Bounds, both included, of numbers of type i8.
    #[arg(long = "i8-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i8: Option<String>,
    /// Bounds, both included, of numbers of type i16.
    #[arg(long = "i16-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i16: Option<String>,
    /// Bounds, both included, of numbers of type i32.
    #[arg(long = "i32-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i32: Option<String>,
    /// Bounds, both included, of numbers of type i64.
    #[arg(long = "i64-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i64: Option<String>,
    /// Bounds, both included, of numbers of type u8.
    #[arg(long = "u8-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u8: Option<String>,
    /// Bounds, both included, of numbers of type u16.
    #[arg(long = "u16-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u16: Option<String>,
    /// Bounds, both included, of numbers of type u32.
    #[arg(long = "u32-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u32: Option<String>,
    /// Bounds, both included, of numbers of type u64.
    #[arg(long = "u64-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u64: Option<String>,
    /// Bounds, both included, of numbers of type f16.
    #[arg(long = "f16-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub f16: Option<String>,
    /// Bounds, both included, of numbers of type f32.
    #[arg(long = "f32-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub f32: Option<String>,
    /// Bounds, both included, of numbers of type f64.
    #[arg(long = "f64-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub f64: Option<String>,
}

/// Arguments of `ravel devices`.
#[derive(Args, Debug)]
#[command(after_help = "\
Programs run on the first of the usable graphics adapters. To have another one, set RAVEL_ADAPTER to a part of \
its name:
  RAVEL_ADAPTER=llvmpipe ravel run --backend gpu dot.dsl")]
pub struct Devices {
    /// Fail when no graphics adapter is usable.
    #[arg(long)]
    pub gpu: bool,
}

/// Arguments of `ravel dev`.
#[derive(Args, Debug)]
pub struct Dev {
    /// A program, or with --from a file of core IR, or of kernel IR if that pass is over kernel IR.
    #[arg(required_unless_present = "list_passes")]
    pub file: Option<PathBuf>,
    /// Print the program behind this pass, in core IR or kernel IR.
    #[arg(long, value_name = "PASS", conflicts_with_all = ["trace", "emit"])]
    pub dump_after: Option<String>,
    /// Show each firing of this rule: where, and the statements before and behind it.
    #[arg(long, value_name = "RULE", conflicts_with = "emit")]
    pub trace: Option<String>,
    /// Write the program behind every pass that changed it into this folder, first in core IR, then in kernel IR.
    #[arg(long, value_name = "DIR")]
    pub dump_all: Option<PathBuf>,
    /// Take FILE as the IR of this pass and start the pipeline with it.
    #[arg(long, value_name = "PASS")]
    pub from: Option<String>,
    /// Run these passes, separated by commas, instead of the pipeline: first those over core IR.
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    pub passes: Option<Vec<String>>,
    /// Let the rules fire only so often, over core IR first; putting functions in place is free.
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    #[command(flatten)]
    pub without: Without,
    /// Print this form of the program.
    #[arg(long, value_enum)]
    pub emit: Option<Emit>,
    /// The machine that kernel IR is made for (WGSL is for the GPU, CLIF for the CPU).
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: Machine,
    /// List the passes and what they do.
    #[arg(long, exclusive = true)]
    pub list_passes: bool,
    /// Print what each pass took and which rules fired, to standard error.
    #[arg(long)]
    pub time_passes: bool,
}

/// A form of the program that `ravel dev` can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The optimised core IR.
    Core,
    /// The kernel IR.
    Kernel,
    /// The GPU's kernels.
    Wgsl,
    /// The CPU's functions, before Cranelift compiles them.
    Clif,
}
