//! Options that several commands have, and the parsers of their values.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ravel_abi::Machine;
use ravel_driver::{Passes, Target};
use ravel_engine::Backend;
use ravel_program::TuningOptions;

/// The parser of a backend's name.
pub(super) fn backend() -> impl TypedValueParser<Value = Backend> {
    one_of(&Backend::ALL, Backend::name, Backend::about)
}

/// The parser of the name of a backend that runs compiled code.
pub(super) fn compiled_backend() -> impl TypedValueParser<Value = Backend> {
    one_of(&[Backend::Cpu, Backend::Gpu, Backend::Model], Backend::name, Backend::about)
}

/// The parser of a machine's name.
pub(super) fn machine() -> impl TypedValueParser<Value = Machine> {
    one_of(&Machine::ALL, Machine::name, Machine::about)
}

/// The parser of a target's name.
pub(super) fn target() -> impl TypedValueParser<Value = &'static Target> {
    one_of(&Target::ALL, |target| target.name, |target| target.title)
}

/// The parser of one of these names; the help lists them all.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(|&one| PossibleValue::new(name(one)).help(about(one)));
    let named = move |text: String| all.iter().copied().find(|&one| name(one) == text);
    PossibleValuesParser::new(values).try_map(move |text| named(text).ok_or("no such name"))
}

/// The number of threads of the CPU backend.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Threads {
    /// The number of threads for the CPU backend, up to 1024; by default one for each processor.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number of threads that was asked for, or one for each processor.
    pub fn count(self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

/// The vectors of the CPU backend.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct VectorBits {
    /// The size of the vectors in which the CPU backend computes neighbouring elements, in bits; results are the same.
    #[arg(long = "lanes", value_name = "BITS", value_parser = vector_bits())]
    vector_bits: Option<u32>,
}

impl VectorBits {
    /// The number of bits; `None` if the setting of the target applies.
    pub fn bits(self) -> Option<u32> {
        self.vector_bits
    }
}

/// The parser of the size of vectors.
fn vector_bits() -> impl TypedValueParser<Value = u32> {
    let about = |bits| match bits {
        1 => "no vectors",
        128 => "vectors that every processor has",
        256 => "vectors of x86-64 processors with AVX2, where they pay",
        _ => "vectors of x86-64 processors with AVX-512, where they pay",
    };
    let name = |bits| match bits {
        1 => "1",
        128 => "128",
        256 => "256",
        _ => "512",
    };
    one_of(&[1, 128, 256, 512], name, about)
}

/// The rules of the optimiser that are switched off.
#[derive(Args, Clone, Debug)]
pub struct DisabledRules {
    /// Switch off these rules of the optimiser, separated by commas, such as map-reduce; `ravel dev --list-passes`
    /// and docs/passes.md list them. Only scatter-construct, inline, fill, one-chunk, sequentialise,
    /// copies-in-segments and rows-in-workgroups are always on: later stages rely on them.
    #[arg(long = "without", value_name = "RULES", value_delimiter = ',', value_parser = Passes::optional_rule)]
    pub rules: Vec<&'static str>,
}

/// The memory that the GPU backend uses for arrays local to threads.
#[derive(Args, Clone, Copy, Debug)]
pub struct Memory {
    /// The memory for arrays that are local to the threads of a GPU, such as 512M or 2G. The default, and the maximum, is the
    /// largest array that the device supports, or half of the machine's memory if that is less. Threads whose arrays do not
    /// fit run after others; a single thread that needs more fails. Results of threads do not count.
    #[arg(long, value_name = "SIZE", value_parser = ravel_program::memory_size)]
    max_memory: Option<u64>,
}

impl Memory {
    /// The number of bytes; without it, the device's limit applies.
    pub fn most(self) -> Option<u64> {
        self.max_memory
    }
}

/// The cases of test blocks to run, and the backends.
#[derive(Args, Debug)]
pub struct Selection {
    /// Programs, or folders to search for .dsl and .fut files.
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// The backends to run on, separated by commas.
    #[arg(long, value_parser = backend(), value_delimiter = ',', default_value = "cpu")]
    pub backend: Vec<Backend>,
    /// Run only the tests with this text in their names, such as `a.dsl:3 main #0 on cpu`.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Skip programs and cases with this tag; may be given several times.
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    #[command(flatten)]
    pub tuning: TuningOptions,
    /// Ignore the tuning files PROGRAM.tuning next to programs.
    #[arg(long)]
    pub no_tuning: bool,
    #[command(flatten)]
    pub without: DisabledRules,
    #[command(flatten)]
    pub vector_bits: VectorBits,
    #[command(flatten)]
    pub memory: Memory,
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    #[test]
    fn the_help_names_the_rules_that_cannot_be_switched_off() {
        let help = DisabledRules::augment_args(Command::new("ravel")).render_long_help().to_string();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, always_on) = help.split_once("Only ").expect("a list");
        let Passes { core, kernel } = Passes::all();
        let rules = core.iter().map(|pass| pass.rules).chain(kernel.iter().map(|pass| pass.rules));
        let mut needed: Vec<&str> =
            rules.flatten().copied().filter(|rule| Passes::optional_rule(rule).is_err()).collect();
        needed.dedup();
        assert!(needed.contains(&"one-chunk"), "{needed:?}");
        for rule in needed {
            assert!(always_on.contains(rule), "`{rule}` is not in: {always_on}");
        }
    }
}
