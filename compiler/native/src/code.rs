//! From functions to machine code: Cranelift compiles each by itself, so several are compiled at once, the largest first.

use std::panic;
use std::sync::{Mutex, PoisonError};
use std::thread;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, Context};
use ravel_base::Diagnostic;

/// How many instructions of Cranelift's a thread is worth.
const ENOUGH: usize = 1000;

/// What such a thread has as its stack: Cranelift goes into trees of expressions by recursion.
const STACK: usize = 1 << 26;

/// The machine code of a function.
#[derive(Debug)]
pub(crate) struct Code {
    /// The code.
    pub bytes: Vec<u8>,
    /// What its place must be a multiple of.
    pub alignment: usize,
}

/// Functions that wait, with their numbers; what is compiled next stands last.
type Queue = Mutex<Vec<(usize, Function)>>;

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
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let helpers = (processors - 1).min(instructions / ENOUGH);
    let mut waiting: Vec<_> = functions.into_iter().enumerate().collect();
    waiting.sort_by_key(|(_, function)| function.dfg.num_insts());
    let queue = Mutex::new(waiting);
    let mut done = thread::scope(|scope| {
        let spawn =
            || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || work(&queue, isa)).ok();
        let helpers: Vec<_> = (0..helpers).filter_map(|_| spawn()).collect();
        let mut done = work(&queue, isa);
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|payload| panic::resume_unwind(payload)));
        }
        done
    });
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, code)| code).collect()
}

/// Compiles what waits until nothing does.
fn work(queue: &Queue, isa: &OwnedTargetIsa) -> Vec<(usize, Result<Code, Diagnostic>)> {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop();
    std::iter::from_fn(|| next().map(|(number, function)| (number, code(function, isa)))).collect()
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
