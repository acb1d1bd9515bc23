//! The command line as types; their doc comments are the help text.

mod bench;
mod common;
mod profile;
mod tools;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ravel_abi::Machine;
use ravel_driver::Target;
use ravel_engine::Backend;
use ravel_program::{TuningOptions, output};

pub use bench::Bench;
pub use common::{DisabledRules, Memory, Selection, Threads, VectorBits};
use common::{backend, compiled_backend, machine, target};
pub use profile::Profile;
pub use tools::{Completions, Doctor, Repl};

/// Compiles and runs data-parallel array programs on CPU and GPU.
#[derive(Debug, Parser)]
#[command(name = "ravel", version, long_version = VERSION.as_str(), arg_required_else_help = true, after_help = AFTER)]
pub struct Arguments {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Examples:
  echo 1000000 | ravel run programs/sobol/pi.dsl    run a program on the CPU
  ravel explain programs/sobol/pi.dsl               see which operators were fused
  ravel test programs                               run the test blocks of all programs in a folder

Exit codes: 0 success, 1 an error in the program, its data or the environment, 2 wrong usage, \
3 a limitation of this version, 4 a bug in the compiler.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run an entry point on values from standard input or a file.
    Run(Run),
    /// Compile a program to an executable that needs no other files.
    Build(Build),
    /// Check a program for errors without running it.
    Check(Check),
    /// Show which parallel operators of a program were fused, and what prevented other fusions.
    Explain(Explain),
    /// Evaluate expressions and definitions at a prompt.
    Repl(Repl),
    /// Run the test blocks of programs.
    Test(Test),
    /// Measure the run times of programs on the datasets of their test blocks.
    Bench(Bench),
    /// Count what the parallel segments of a program cost on a model of a GPU.
    Profile(Profile),
    /// Generate random values, or convert values between text and binary.
    Dataset(Dataset),
    /// Inspect the compiler: run chosen passes, dump intermediate programs, trace rules.
    Dev(Dev),
    /// List the devices that programs can run on.
    Devices(Devices),
    /// Test every backend on this machine, and say what to install.
    Doctor(Doctor),
    /// Write a shell script that completes the arguments of `ravel`.
    Completions(Completions),
    /// Write the manual page.
    #[command(hide = true)]
    Man,
}

/// The text of `--version` after the name: version, backends and target.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let backends = Backend::ALL.map(Backend::name);
    format!(
        "{}\nbackends: {}\ntarget: {}-{}",
        env!("CARGO_PKG_VERSION"),
        backends.join(", "),
        std::env::consts::ARCH,
        std::env::consts::OS
    )
});

/// Arguments of `ravel run`.
#[derive(Args, Debug)]
#[command(after_help = "\
The arguments are read in Futhark's text or binary format, one for each parameter of the entry point:
  echo '3 [1.5, 2.5]' | ravel run scale.dsl
  ravel run scale.dsl --npy-in factor.npy --npy-in xs.npy --npy-out ys.npy")]
pub struct Run {
    /// The program, a .dsl or .fut file.
    pub file: PathBuf,
    /// The entry point to call.
    #[arg(short, long, default_value = "main")]
    pub entry: String,
    /// The backend to run on.
    #[arg(long, value_parser = backend(), default_value = "cpu")]
    pub backend: Backend,
    /// Read the arguments from this file instead of standard input.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Read the arguments from NumPy files, one for each parameter, instead of standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    pub npy_in: Vec<PathBuf>,
    /// Write the results in the binary format.
    #[arg(short, long)]
    pub binary: bool,
    /// Do not print the results.
    #[arg(short, long)]
    pub no_print_result: bool,
    /// Write the results to NumPy files, one for each, instead of standard output.
    #[arg(long, value_name = "FILE", value_parser = output(), conflicts_with_all = ["binary", "no_print_result"])]
    pub npy_out: Vec<PathBuf>,
    /// The number of timed runs, after one warm-up run that is not timed; the results are printed once.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: Option<u32>,
    /// Write the times of the runs of --runs to this file, in microseconds, one per line.
    #[arg(short, long, value_name = "FILE", value_parser = output())]
    pub timing: Option<PathBuf>,
    /// Print counts of launches and bytes, the versions of nests that ran, the fill of bins, and times, to standard error.
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub without: DisabledRules,
    #[command(flatten)]
    pub tuning: TuningOptions,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub vector_bits: VectorBits,
    #[command(flatten)]
    pub memory: Memory,
}

/// Arguments of `ravel build`.
#[derive(Args, Debug)]
#[command(after_help = "\
The executable takes the options of Futhark's executables, and its option --server starts Futhark's server protocol:
  ravel build dot.dsl && echo '[1, 2] [3, 4]' | ./dot
  ./dot --help

To embed a program in another one, write its parts into the folder that -o names, one file each. A new manifest \
replaces that of another program in the folder, and the parts that the old one names are removed:
  ravel build dot.dsl --emit wgsl,spirv,manifest -o parts")]
pub struct Build {
    /// The program, a .dsl or .fut file.
    pub file: PathBuf,
    /// The file to write, or with --emit the folder; by default the program's name without its extension.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The backend to compile for: cpu by default, or the one that the parts of --emit belong to.
    #[arg(long, value_parser = machine())]
    pub backend: Option<Machine>,
    #[command(flatten)]
    pub vector_bits: VectorBits,
    /// Build an executable that starts as a server, for clients that pass no options.
    #[arg(long)]
    pub server: bool,
    /// Write these parts of the program into a folder instead of an executable; separated by commas.
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',', conflicts_with = "server")]
    pub emit: Vec<Part>,
}

/// A part of a compiled program that `ravel build` can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The GPU kernels, one file each, in the version that needs no subgroups.
    Wgsl,
    /// The same kernels as SPIR-V, the form that Vulkan takes.
    Spirv,
    /// The CPU functions in Cranelift's intermediate language.
    Clif,
    /// The CPU code as an object file.
    Object,
    /// Entry points, types and the data that a runtime needs, as JSON.
    Manifest,
}

/// Arguments of `ravel check`.
#[derive(Args, Debug)]
#[command(after_help = "\
A correct program gives no output. The exit code is 1 if the program has errors. It is 3 if the program is \
correct, but its entry points need something that this version, or with --backend that backend, cannot compile yet. \
Limits of the device itself only show when the program runs.

Every error has a code. The page of a code shows a rejected program and an accepted one:
  ravel check step.dsl
  ravel check --explain E0201")]
pub struct Check {
    /// The program, a .dsl or .fut file.
    #[arg(required_unless_present = "explain")]
    pub file: Option<PathBuf>,
    /// Check also for limitations of this backend.
    #[arg(long, value_parser = backend())]
    pub backend: Option<Backend>,
    /// Warn about uses of Ravel's additions to Futhark's language.
    #[arg(long)]
    pub strict_futhark: bool,
    /// Print the page of this error code instead.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["file", "backend", "strict_futhark"])]
    pub explain: Option<String>,
}

/// Arguments of `ravel explain`.
#[derive(Args, Debug)]
#[command(after_help = "\
The report lists every parallel operator of the program: map, reduce, scan, scatter, filter and so on. For each it \
names the rewrite rules that fired, the rules that did not fire with the reason, and the construct that it became \
part of. A caret marks what prevented a rule. The constructs of the optimised program follow: each traverses its \
elements once. For each the report has its segments, that is kernels or parallel loops, the arrays that it \
materialises, and their uses:
  ravel explain step.dsl
  ravel explain --entry main --backend gpu step.dsl | less
  ravel explain --without nest step.dsl

With --ran the program runs too, and the report says how often each version of a nest ran:
  echo '[[1, 2], [3, 4]]' | ravel explain --ran --backend gpu sums.dsl

docs/passes.md describes the rules; `ravel dev --trace RULE` shows each firing of one.")]
pub struct Explain {
    /// The program, a .dsl or .fut file.
    pub file: PathBuf,
    /// Explain only this entry point.
    #[arg(short, long)]
    pub entry: Option<String>,
    /// The backend to compile for.
    #[arg(long, value_parser = compiled_backend(), default_value = "cpu")]
    pub backend: Backend,
    #[command(flatten)]
    pub without: DisabledRules,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
    /// Run the entry point (`main` if none is named) as `ravel run` does, and report which versions of each nest ran.
    #[arg(long)]
    pub ran: bool,
    /// With --ran, read the arguments from this file instead of standard input.
    #[arg(long, value_name = "FILE", requires = "ran")]
    pub input: Option<PathBuf>,
    #[command(flatten)]
    pub tuning: TuningOptions,
}

/// Arguments of `ravel test`.
#[derive(Args, Debug)]
#[command(after_help = "\
A test block is a comment that begins with `-- ==`. Each `input` is a case, and the line after it its expected outcome:
  -- ==
  -- entry: main
  -- input { 1 [2, 3] }
  -- output { [3, 4] }
  -- input @ data.in.gz
  -- error: out of bounds
  -- \"large\" nobench random input { i32 [1000]i32 }
  -- auto output
  -- script input { make 100i64 }

A block can also state properties, entry points that must return true for random arguments, and how often a form \
occurs in the optimised program:
  -- property: reversed_twice_is_itself     (the entry point needs the attribute #[prop])
  -- structure { screma 1 replicate 0 }
  -- structure flat { segment 1 dimension 2 }
  -- structure gpu { segmap 1 }

Tests tagged `disable` or `notest` are skipped, as are tests tagged `no_BACKEND` on that backend and `compiled` on \
the interpreter. Floats may differ by 0.002, relative to the largest element if that is above one. A test that meets a \
limitation of this version counts as limited and not as failed.

  ravel test --backend cpu,gpu,interp programs")]
pub struct Test {
    #[command(flatten)]
    pub selection: Selection,
    /// The number of programs to test in parallel; by default the number of processors.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The time limit of a test on one backend, in seconds; a test that takes longer is stopped and fails.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = bench::seconds)]
    pub timeout: f64,
    /// The seed of the random arguments of properties. The same seed gives the same arguments.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Write a report in JUnit's XML format to this file.
    #[arg(long, value_name = "FILE", value_parser = output())]
    pub junit: Option<PathBuf>,
    /// Fail if a test meets a limitation.
    #[arg(long)]
    pub no_limitations: bool,
}

/// Arguments of `ravel dataset`.
#[derive(Args, Debug)]
#[command(after_help = "\
By default, integers range over their whole type and floats over the interval from 0 to 1. The same seed gives the same values on \
every machine. Without --generate, values are read from standard input, in text or binary, and converted.
  ravel dataset -b --i32-bounds=0:9 -g '[100]i32' -g 5i64 > data.in
  ravel dataset < data.in")]
pub struct Dataset {
    /// Generate a random value of this type, such as `i32` or `[10][2]f32`; a value such as `5i64` is written as it is.
    #[arg(short, long, value_name = "TYPE")]
    pub generate: Vec<String>,
    #[command(flatten)]
    pub bounds: TypeBounds,
    /// The seed of the random numbers.
    #[arg(short, long, default_value_t = 1)]
    pub seed: u64,
    /// Write the values in the binary format.
    #[arg(short, long)]
    pub binary: bool,
    /// Write only the types of the values.
    #[arg(short, long)]
    pub types: bool,
}

/// The bounds of random numbers, for all generated values.
#[derive(Args, Debug)]
pub struct TypeBounds {
    /// Inclusive bounds of random numbers of type i8.
    #[arg(long = "i8-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i8: Option<String>,
    /// Inclusive bounds of random numbers of type i16.
    #[arg(long = "i16-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i16: Option<String>,
    /// Inclusive bounds of random numbers of type i32.
    #[arg(long = "i32-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i32: Option<String>,
    /// Inclusive bounds of random numbers of type i64.
    #[arg(long = "i64-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub i64: Option<String>,
    /// Inclusive bounds of random numbers of type u8.
    #[arg(long = "u8-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u8: Option<String>,
    /// Inclusive bounds of random numbers of type u16.
    #[arg(long = "u16-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u16: Option<String>,
    /// Inclusive bounds of random numbers of type u32.
    #[arg(long = "u32-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u32: Option<String>,
    /// Inclusive bounds of random numbers of type u64.
    #[arg(long = "u64-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub u64: Option<String>,
    /// Inclusive bounds of random numbers of type f16.
    #[arg(long = "f16-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub f16: Option<String>,
    /// Inclusive bounds of random numbers of type f32.
    #[arg(long = "f32-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub f32: Option<String>,
    /// Inclusive bounds of random numbers of type f64.
    #[arg(long = "f64-bounds", value_name = "LEAST:GREATEST", allow_hyphen_values = true)]
    pub f64: Option<String>,
}

/// Arguments of `ravel devices`.
#[derive(Args, Debug)]
#[command(after_help = "\
GPU programs run on the first usable adapter of the list. To choose another one, set RAVEL_ADAPTER to a part of its \
name:
  RAVEL_ADAPTER=llvmpipe ravel run --backend gpu dot.dsl

A program is compiled for a target, a description of a machine. The settings of a target determine the generated \
code, and are the same wherever Ravel runs. The figures of this machine are read from the processor, the system and the \
drivers; the generated code does not depend on them:
  ravel devices --target            the CPU and the usable adapters, with the settings of their targets
  ravel devices --target a100       a target that the machine model knows; `ravel profile --device a100` uses it
  ravel devices --target --json     the same for programs to read")]
pub struct Devices {
    /// Fail if no graphics adapter is usable.
    #[arg(long)]
    pub gpu: bool,
    /// Describe the machines that were found in full, or the target of this name.
    #[arg(long, value_name = "NAME", num_args = 0..=1, value_parser = target())]
    pub target: Option<Option<&'static Target>>,
    /// Print the descriptions as JSON.
    #[arg(long, requires = "target")]
    pub json: bool,
}

/// Arguments of `ravel dev`.
#[derive(Args, Debug)]
#[command(after_help = "\
The compiler lowers a program to core IR, runs passes over it, translates it to kernel IR, runs passes over that, and \
generates WGSL or native code. Every pass consists of rules; docs/passes.md describes them.

  ravel dev step.dsl                            print the optimised core IR
  ravel dev --emit wgsl step.dsl                print the GPU kernels
  ravel dev --trace map-reduce step.dsl         show each firing of a rule
  ravel dev --without map-reduce step.dsl       compile with a rule switched off
  ravel dev --dump-all out step.dsl             write the program after every pass to out/
  ravel dev --from fuse-vertical out/04-simplify.core    resume at a pass from a dump")]
pub struct Dev {
    /// A program. With --from, a file in the form that the pass rewrites: core IR or kernel IR.
    #[arg(required_unless_present = "list_passes")]
    pub file: Option<PathBuf>,
    /// Print the program after the last run of this pass, in core IR or kernel IR.
    #[arg(long, value_name = "PASS", conflicts_with_all = ["trace", "emit"])]
    pub dump_after: Option<String>,
    /// Show each firing of this rule: its place, and the statements before and after it.
    #[arg(long, value_name = "RULE", conflicts_with = "emit")]
    pub trace: Option<String>,
    /// Write the program after every pass that changed it into this folder, first in core IR, then in kernel IR.
    #[arg(long, value_name = "DIR")]
    pub dump_all: Option<PathBuf>,
    /// Read FILE as IR text and start the pipeline with this pass.
    #[arg(long, value_name = "PASS")]
    pub from: Option<String>,
    /// Run these passes, separated by commas, instead of the pipeline; those over core IR run first.
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    pub passes: Option<Vec<String>>,
    /// Stop all rules after this many firings, counted over core IR and then kernel IR; inlining is not counted.
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    #[command(flatten)]
    pub without: DisabledRules,
    /// Print this form of the program.
    #[arg(long, value_enum)]
    pub emit: Option<Emit>,
    /// The backend to compile for; --emit wgsl implies gpu, --emit clif implies cpu.
    #[arg(long, value_parser = compiled_backend(), default_value = "cpu")]
    pub backend: Backend,
    /// List the passes with their rules.
    #[arg(long, exclusive = true)]
    pub list_passes: bool,
    /// Print the time of each pass and the rules that fired, to standard error.
    #[arg(long)]
    pub time_passes: bool,
}

/// A form of the program that `ravel dev` can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The optimised core IR.
    Core,
    /// The core IR with segments: what runs in parallel.
    Flat,
    /// The kernel IR.
    Kernel,
    /// The GPU kernels and the launch plan.
    Wgsl,
    /// The CPU functions in Cranelift's intermediate language.
    Clif,
}
