//! From functions to a blob: Cranelift compiles each; they are laid one behind the other, behind the
//! constants of the program.
//!
//! No function refers to another by address (all are called by number), so there is
//! nothing to relocate. A relocation would mean a call that the context does not offer.

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{Function, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, Context};
use cranelift_frontend::FunctionBuilderContext;
use ravel_abi::{Blob, EntryPoint, Message, MessagePart, Part, ResultType, Trace};
use ravel_base::{Diagnostic, Span};
use ravel_kernel::Program;

use crate::emitter::Shared;
use crate::{function, host, segment};

/// The functions of a program.
struct Functions {
    /// One for each entry point.
    hosts: Vec<Function>,
    /// In the order of their numbers.
    functions: Vec<Function>,
    /// In the order of their numbers.
    segments: Vec<Function>,
    /// What each of these is, with its place.
    parts: Vec<(String, Option<Span>)>,
    /// In the order of their numbers.
    traces: Vec<ravel_kernel::Trace>,
    /// The constants, which come before the code.
    data: Vec<u8>,
}

/// Compiles a program.
pub(crate) fn compile(program: &Program, describe: &dyn Fn(Span) -> String) -> Result<Blob, Diagnostic> {
    let isa = machine()?;
    let functions = generate(program, &isa);
    let mut blob = Blob {
        code: functions.data,
        messages: messages(program, describe),
        traces: functions.traces.iter().map(|trace| described(trace, describe)).collect(),
        features: features(&isa),
        ..Blob::default()
    };
    for (name, span) in functions.parts {
        blob.parts.push(Part { name, place: span.map(describe) });
    }
    for (entry, function) in program.entries.iter().zip(functions.hosts) {
        let offset = append(&mut blob.code, function, &isa)?;
        blob.entries.push(EntryPoint { signature: host::signature(entry), offset });
    }
    for function in functions.functions {
        let offset = append(&mut blob.code, function, &isa)?;
        blob.functions.push(offset);
    }
    for function in functions.segments {
        let offset = append(&mut blob.code, function, &isa)?;
        blob.segments.push(offset);
    }
    Ok(blob)
}

/// The functions of a program as text.
pub(crate) fn clif(program: &Program) -> Result<String, Diagnostic> {
    let functions = generate(program, &machine()?);
    let texts: Vec<String> = functions
        .hosts
        .iter()
        .chain(&functions.functions)
        .chain(&functions.segments)
        .map(|function| function.display().to_string())
        .collect();
    Ok(texts.join("\n"))
}

fn generate(program: &Program, isa: &OwnedTargetIsa) -> Functions {
    let mut builder_context = FunctionBuilderContext::new();
    let mut shared = Shared::default();
    let mut hosts = Vec::new();
    for entry in &program.entries {
        let mut function = named(&entry.name.to_string());
        host::emit(program, entry, &mut function, &mut builder_context, &**isa, &mut shared);
        hosts.push(function);
    }
    let mut functions = Vec::new();
    for source in &program.host_functions {
        let mut function = named(&format!("host_{}", source.name));
        function::emit(program, source, &mut function, &mut builder_context, &**isa, &mut shared);
        functions.push(function);
    }
    for source in &program.thread_functions {
        let mut function = named(&format!("thread_{}", source.name));
        function::emit(program, source, &mut function, &mut builder_context, &**isa, &mut shared);
        functions.push(function);
    }
    let (mut segments, mut parts) = (Vec::new(), Vec::new());
    for (number, outlined) in shared.outlined.iter().enumerate() {
        let mut function = named(&format!("segment{number}"));
        segment::emit(program, outlined, &mut function, &mut builder_context, &**isa);
        segments.push(function);
        parts.push((outlined.name(), outlined.segment.span));
    }
    let traces = shared.traces.into_iter().cloned().collect();
    Functions { hosts, functions, segments, parts, traces, data: shared.data }
}

fn named(name: &str) -> Function {
    let mut function = Function::new();
    function.name = UserFuncName::testcase(name);
    function
}

/// This machine, with all its instructions.
fn machine() -> Result<OwnedTargetIsa, Diagnostic> {
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
fn features(isa: &OwnedTargetIsa) -> Vec<String> {
    let flags = isa.isa_flags().into_iter();
    let used = flags.filter(|flag| flag.name.starts_with("has_") && flag.as_bool() == Some(true));
    used.map(|flag| flag.name.to_owned()).collect()
}

/// Compiles a function and appends it to the code; gives its place there.
fn append(code: &mut Vec<u8>, function: Function, isa: &OwnedTargetIsa) -> Result<usize, Diagnostic> {
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
    code.resize(code.len().next_multiple_of(alignment), 0);
    let offset = code.len();
    code.extend_from_slice(compiled.code_buffer());
    Ok(offset)
}

fn described(trace: &ravel_kernel::Trace, describe: &dyn Fn(Span) -> String) -> Trace {
    let value = |ty: &ravel_kernel::ResultType| ResultType { elem: ty.elem, rank: ty.rank };
    Trace {
        label: trace.label.as_str().to_owned(),
        place: trace.span.map(describe),
        values: trace.values.iter().map(value).collect(),
    }
}

fn messages(program: &Program, describe: &dyn Fn(Span) -> String) -> Vec<Message> {
    let part = |part: &ravel_kernel::MessagePart| match part {
        ravel_kernel::MessagePart::Text(text) => MessagePart::Text(text.clone()),
        ravel_kernel::MessagePart::Value(ty) => MessagePart::Value(*ty),
    };
    let message = |message: &ravel_kernel::Message| Message {
        parts: message.parts.iter().map(part).collect(),
        place: message.span.map(describe),
    };
    program.messages.iter().map(|(_, each)| message(each)).collect()
}
