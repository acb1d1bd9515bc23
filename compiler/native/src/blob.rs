//! Builds the blob: the constants of the program, followed by the machine code of all functions.
//!
//! Functions call each other by number, through the context, never by address. So the code needs no relocations. If
//! Cranelift emits one, the code calls something that the context does not offer, which is a bug.

use cranelift_codegen::ir::{Function, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_abi::native::StripVersion;
use ravel_abi::{Blob, EntryPoint, SegmentName};
use ravel_base::{CallPath, Diagnostic, Span};
use ravel_kernel::{Distinct, MemProgram, MemorySites, Target};

use crate::code::{self, Code, Source};
use crate::emitter::BlobParts;
use crate::{Choice, function, host, segment};

/// The functions of a program.
struct Functions {
    /// The host functions of the entry points.
    hosts: Vec<Function>,
    /// The functions of the program, in the order of their numbers.
    functions: Vec<Function>,
    /// The segment functions, in the order of their numbers.
    segments: Vec<Function>,
    /// The name and the place of each segment function.
    parts: Vec<(String, Option<Span>)>,
    /// The strip functions, in the order of their numbers, before their registers are allocated.
    strips: Vec<ravel_x86::Code>,
    /// The traces, in the order of their numbers.
    traces: Vec<ravel_kernel::Trace>,
    /// The constants, which come before the code.
    data: Vec<u8>,
}

/// Compiles a program.
pub(crate) fn compile(
    program: &MemProgram,
    choice: Choice,
    describe: &dyn Fn(Span) -> String,
) -> Result<Blob, Diagnostic> {
    let isa = code::machine()?;
    let memory_sites = MemorySites::of(program);
    let functions = generate(program, &memory_sites, choice, &isa);
    let mut blob = Blob {
        code: functions.data,
        messages: program.described_messages(&memory_sites, describe),
        traces: functions.traces.iter().map(|trace| trace.to_abi(describe)).collect(),
        features: code::features(&isa),
        parameters: program.parameter_names(),
        ..Blob::default()
    };
    for (name, span) in functions.parts {
        blob.segment_names.push(SegmentName { name, place: span.map(describe) });
    }
    let (hosts, called) = (functions.hosts.len(), functions.functions.len());
    let segments = functions.segments.len();
    let by_cranelift = functions.hosts.into_iter().chain(functions.functions).chain(functions.segments);
    let extensions: Vec<_> = functions.strips.iter().map(ravel_x86::Code::extension).collect();
    let strips = functions.strips.into_iter().map(Source::Strip);
    let codes = code::compile(
        by_cranelift.map(|function| Source::Function(Box::new(function))).chain(strips).collect(),
        &isa,
    )?;
    let mut offsets = codes.into_iter().map(|code| append(&mut blob.code, code));
    for (entry, offset) in program.entries.iter().zip(offsets.by_ref().take(hosts)) {
        blob.entries.push(EntryPoint { signature: program.signature(entry), offset });
    }
    blob.functions.extend(offsets.by_ref().take(called));
    blob.segments.extend(offsets.by_ref().take(segments));
    for (offset, extension) in offsets.zip(extensions) {
        let features = extension.features().iter().copied().map(str::to_owned).collect();
        blob.strips.push(vec![StripVersion { features, offset }]);
    }
    Ok(blob)
}

/// The functions of a program as text.
pub(crate) fn clif(program: &MemProgram) -> Result<String, Diagnostic> {
    let functions = generate(program, &MemorySites::of(program), Choice::ByCost, &code::machine()?);
    let texts: Vec<String> = functions
        .hosts
        .iter()
        .chain(&functions.functions)
        .chain(&functions.segments)
        .map(|function| function.display().to_string())
        .collect();
    Ok(texts.join("\n"))
}

fn generate(
    program: &MemProgram,
    memory_sites: &MemorySites,
    choice: Choice,
    isa: &OwnedTargetIsa,
) -> Functions {
    let mut builder_context = FunctionBuilderContext::new();
    let target = program.target();
    let target = Target { vector_bits: target.vector_bits.min(code::vector_bits(isa)), ..target.clone() };
    let of_entries: Vec<Distinct> = program.entries.iter().map(|entry| Distinct::of(&entry.body)).collect();
    let host_functions = program.host_functions.iter().map(|function| Distinct::of(&function.body));
    let of_host_functions: Vec<Distinct> = host_functions.collect();
    let thread_functions = program.thread_functions.iter().map(|function| Distinct::of(&function.body));
    let of_thread_functions: Vec<Distinct> = thread_functions.collect();
    let mut shared = BlobParts { choice, ..BlobParts::new(memory_sites, &target) };
    let mut hosts = Vec::new();
    for (entry, distinct) in program.entries.iter().zip(&of_entries) {
        shared.distinct = Some(distinct);
        let mut function = named(&entry.name.to_string());
        host::emit(program, entry, &mut function, &mut builder_context, &**isa, &mut shared);
        hosts.push(function);
    }
    let mut functions = Vec::new();
    for (source, distinct) in program.host_functions.iter().zip(&of_host_functions) {
        shared.distinct = Some(distinct);
        let mut function = named(&format!("host_{}", source.name));
        function::emit(program, source, &mut function, &mut builder_context, &**isa, &mut shared);
        functions.push(function);
    }
    for (source, distinct) in program.thread_functions.iter().zip(&of_thread_functions) {
        shared.distinct = Some(distinct);
        let mut function = named(&format!("thread_{}", source.name));
        function::emit(program, source, &mut function, &mut builder_context, &**isa, &mut shared);
        functions.push(function);
    }
    let (mut segments, mut parts) = (Vec::new(), Vec::new());
    for (number, outlined) in std::mem::take(&mut shared.outlined).iter().enumerate() {
        let mut function = named(&format!("segment{number}"));
        segment::emit(program, outlined, &mut function, &mut builder_context, &**isa, &mut shared);
        segments.push(function);
        parts.push((outlined.name(), outlined.path.map(CallPath::span)));
    }
    let traces = shared.traces.into_iter().cloned().collect();
    Functions { hosts, functions, segments, parts, strips: shared.strips, traces, data: shared.data }
}

fn named(name: &str) -> Function {
    let mut function = Function::new();
    function.name = UserFuncName::testcase(name);
    function
}

/// Appends the code of a function to `all`. Returns its offset.
fn append(all: &mut Vec<u8>, code: Code) -> usize {
    all.resize(all.len().next_multiple_of(code.alignment), 0);
    let offset = all.len();
    all.extend_from_slice(&code.bytes);
    offset
}
