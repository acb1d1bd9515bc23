//! From functions to machine code: Cranelift compiles each by itself, so several are compiled at once, the largest first.

use std::cmp::Reverse;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, Context};
use ravel_base::{Diagnostic, Workers};

/// How many instructions of Cranelift's a thread is worth.
const ENOUGH: usize = 1000;

/// The machine code of a function.
#[derive(Debug)]
pub(crate) struct Code {
    /// The code.
    pub bytes: Vec<u8>,
    /// What its place must be a multiple of.
    pub alignment: usize,
}

/// This machine, with all its instructions.
pub(crate) fn machine() -> Result<OwnedTargetIsa, Diagnostic> {
    let bug = |what: &dyn std::fmt::Display| Diagnostic::bug(format!("Cranelift cannot be set up: {what}"));
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [("opt_level", "speed"), ("is_pic", "true"), ("enable_verifier", verify)] {
        flags.set(name, value).map_err(|error| bug(&error))?;
    }
    let builder = cranelift_native::builder().map_err(|error| bug(&error))?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| bug(&error))
}

/// The instructions that code for this machine may use.
pub(crate) fn features(isa: &OwnedTargetIsa) -> Vec<String> {
    let flags = isa.isa_flags().into_iter();
    let used = flags.filter(|flag| flag.name.starts_with("has_") && flag.as_bool() == Some(true));
    used.map(|flag| flag.name.to_owned()).collect()
}

/// Compiles functions; gives the code of each, in their order.
pub(crate) fn compile(functions: Vec<Function>, isa: &OwnedTargetIsa) -> Result<Vec<Code>, Diagnostic> {
    let instructions: usize = functions.iter().map(|function| function.dfg.num_insts()).sum();
    let mut waiting: Vec<_> = functions.into_iter().enumerate().collect();
    waiting.sort_by_key(|(_, function)| Reverse(function.dfg.num_insts()));
    let workers = Workers::new(1 + instructions / ENOUGH);
    let mut done = workers.each(waiting, |(number, function)| (number, code(function, isa)));
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, code)| code).collect()
}

fn code(function: Function, isa: &OwnedTargetIsa) -> Result<Code, Diagnostic> {
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
