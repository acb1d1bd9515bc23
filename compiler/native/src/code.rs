//! Compiles functions to machine code. Each function is compiled independently of the others, so they are compiled in
//! parallel, the largest first, and while other functions are still generated.

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, Context};
use ravel_base::Diagnostic;
use ravel_x86::Extension;

use crate::backlog::Backlog;
use crate::{Processors, lanes};

/// The number of instructions that justify one more thread.
const INSTRUCTIONS_PER_THREAD: usize = 1000;

/// The alignment of strip functions, which have vectors among their constants.
const STRIP_ALIGNMENT: usize = 64;

/// A function to compile.
pub(crate) enum Source {
    /// By Cranelift.
    Function(Box<Function>),
    /// By the emitter for x86-64.
    Strip(ravel_x86::Code),
}

impl Source {
    /// The number of its instructions.
    fn instructions(&self) -> usize {
        match self {
            Source::Function(function) => function.dfg.num_insts(),
            Source::Strip(strip) => strip.instructions(),
        }
    }
}

/// The machine code of a function.
#[derive(Debug)]
pub(crate) struct Code {
    /// The code.
    pub bytes: Vec<u8>,
    /// The alignment of its offset, in bytes.
    pub alignment: usize,
}

/// The extensions of x86-64-v2, by Cranelift's names.
const X86_64_V2: [&str; 6] =
    ["has_sse3", "has_ssse3", "has_cmpxchg16b", "has_sse41", "has_sse42", "has_popcnt"];

/// The target of Cranelift: this machine with all its instruction set extensions, or nearly all machines of its architecture.
pub(crate) fn machine(processors: Processors) -> Result<OwnedTargetIsa, Diagnostic> {
    let bug = |what: &dyn std::fmt::Display| Diagnostic::bug(format!("Cranelift cannot be set up: {what}"));
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [("opt_level", "speed"), ("is_pic", "true"), ("enable_verifier", verify)] {
        flags.set(name, value).map_err(|error| bug(&error))?;
    }
    let mut builder = cranelift_native::builder_with_options(processors == Processors::This)
        .map_err(|error| bug(&error))?;
    if processors == Processors::All && cfg!(target_arch = "x86_64") {
        for extension in X86_64_V2 {
            builder.enable(extension).map_err(|error| bug(&error))?;
        }
    }
    builder.finish(settings::Flags::new(flags)).map_err(|error| bug(&error))
}

/// The instruction set extensions that the code may use.
pub(crate) fn features(isa: &OwnedTargetIsa) -> Vec<String> {
    let flags = isa.isa_flags().into_iter();
    let used = flags.filter(|flag| flag.name.starts_with("has_") && flag.as_bool() == Some(true));
    used.map(|flag| flag.name.to_owned()).collect()
}

/// The largest setting `vector_bits` for which there is an emitter.
pub(crate) fn vector_bits(isa: &OwnedTargetIsa, processors: Processors) -> u32 {
    if processors == Processors::All && cfg!(target_arch = "x86_64") {
        return Extension::Avx512.bits();
    }
    let features = features(isa);
    let has = |name: &&str| features.iter().any(|feature| feature == name);
    let runs = |extension: Extension| extension.features().iter().all(has);
    if runs(Extension::Avx512) {
        Extension::Avx512.bits()
    } else if runs(Extension::Avx2) {
        Extension::Avx2.bits()
    } else {
        lanes::BITS
    }
}

/// Compiles the functions that `generate` hands over. Returns the result of `generate`, and the code of each function, in
/// the same order.
pub(crate) fn compile<G>(
    isa: &OwnedTargetIsa,
    generate: impl FnOnce(&mut dyn FnMut(Source)) -> G,
) -> Result<(G, Vec<Code>), Diagnostic> {
    let (generated, codes) = Backlog::process(
        INSTRUCTIONS_PER_THREAD,
        |source| code(source, isa),
        |add| generate(&mut |source| add(source.instructions(), source)),
    );
    Ok((generated, codes.into_iter().collect::<Result<_, _>>()?))
}

fn code(source: Source, isa: &OwnedTargetIsa) -> Result<Code, Diagnostic> {
    match source {
        Source::Function(function) => cranelift(*function, isa),
        Source::Strip(strip) => Ok(Code { bytes: strip.bytes(), alignment: STRIP_ALIGNMENT }),
    }
}

fn cranelift(function: Function, isa: &OwnedTargetIsa) -> Result<Code, Diagnostic> {
    let mut context = Context::for_function(function);
    let compiled =
        context.compile(&**isa, &mut ControlPlane::default()).map_err(|error| match error.inner {
            CodegenError::Verifier(errors) => Diagnostic::bug(format!("ill-formed Cranelift code: {errors}")),
            other => Diagnostic::bug(format!("Cranelift does not compile {}: {other}", error.func.name)),
        })?;
    if let Some(relocation) = compiled.buffer.relocs().first() {
        return Err(Diagnostic::bug(format!("native code needs the relocation {relocation:?}")));
    }
    let alignment = (compiled.buffer.alignment as usize).max(16);
    Ok(Code { bytes: compiled.code_buffer().to_vec(), alignment })
}
