//! Builds the blob: the constants of the program, followed by the machine code of all functions.
//!
//! Functions call each other by number, through the context, never by address. So the code needs no relocations. If
//! Cranelift emits one, the code calls something that the context does not offer, which is a bug.

use cranelift_codegen::ir::{Function, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_abi::native::{StripCode, StripVersion};
use ravel_abi::{Blob, EntryPoint, SegmentName};
use ravel_base::{CallPath, Diagnostic, Span};
use ravel_kernel::{Distinct, MemProgram, MemorySites, Target};
use ravel_x86::Extension;

use crate::code::{self, Code, Source};
use crate::emitter::BlobParts;
use crate::lanes::Switches;
use crate::{Processors, Settings, function, host, segment};

/// The versions of a strip function, with the instructions that they may have, and the tuning parameter that switches it off.
type StripParts = (Vec<(usize, Extension)>, Option<String>);

/// The functions of a program. Each is given by its position among all functions that were generated.
struct Functions {
    /// The host functions of the entry points.
    hosts: Vec<usize>,
    /// The functions of the program, in the order of their numbers.
    functions: Vec<usize>,
    /// The segment functions, in the order of their numbers.
    segments: Vec<usize>,
    /// The name and the place of each segment function.
    parts: Vec<(String, Option<Span>)>,
    /// The strip functions, in the order of their numbers, with the instructions that they may have.
    strips: Vec<StripParts>,
    /// The traces, in the order of their numbers.
    traces: Vec<ravel_kernel::Trace>,
    /// The versions, in the order of their numbers, with their places.
    versions: Vec<(ravel_kernel::Versions, Option<Span>)>,
    /// The constants, which come before the code.
    data: Vec<u8>,
}

/// Compiles a program.
pub(crate) fn compile(
    program: &MemProgram,
    settings: Settings,
    describe: &dyn Fn(Span) -> String,
) -> Result<Blob, Diagnostic> {
    let isa = code::machine(settings.processors)?;
    let memory_sites = MemorySites::of(program);
    let (functions, codes) =
        code::compile(&isa, |add| generate(program, &memory_sites, settings, &isa, add))?;
    let mut blob = Blob {
        code: functions.data,
        messages: program.described_messages(&memory_sites, describe),
        traces: functions.traces.iter().map(|trace| trace.to_abi(describe)).collect(),
        versions: functions.versions.iter().map(|(one, span)| one.to_abi(span.map(describe))).collect(),
        features: code::features(&isa),
        parameters: program.parameter_names(),
        ..Blob::default()
    };
    for (name, span) in functions.parts {
        blob.segment_names.push(SegmentName { name, place: span.map(describe) });
    }
    let mut place = |number: usize| append(&mut blob.code, &codes[number]);
    for (entry, number) in program.entries.iter().zip(functions.hosts) {
        blob.entries.push(EntryPoint { signature: program.signature(entry), offset: place(number) });
    }
    blob.functions.extend(functions.functions.into_iter().map(&mut place));
    blob.segments.extend(functions.segments.into_iter().map(&mut place));
    for (versions, switch) in functions.strips {
        let version = |(number, extension): (usize, Extension)| {
            let features = extension.features().iter().copied().map(str::to_owned).collect();
            StripVersion { features, offset: place(number) }
        };
        blob.strips.push(StripCode { switch, versions: versions.into_iter().map(version).collect() });
    }
    Ok(blob)
}

/// The functions of a program as text.
pub(crate) fn clif(program: &MemProgram) -> Result<String, Diagnostic> {
    let mut texts = Vec::new();
    generate(
        program,
        &MemorySites::of(program),
        Settings::default(),
        &code::machine(Processors::This)?,
        &mut |source| {
            if let Source::Function(function) = source {
                texts.push(function.display().to_string());
            }
        },
    );
    Ok(texts.join("\n"))
}

/// The functions that were generated so far. Each one goes on to register allocation at once.
pub(crate) struct Generated<'g> {
    /// Passes a function on.
    add: &'g mut dyn FnMut(Source),
    /// Their number.
    count: usize,
    /// The strip functions among them.
    strips: Vec<StripParts>,
}

impl Generated<'_> {
    /// Adds a function. Returns its position among all functions.
    fn add(&mut self, function: Function) -> usize {
        self.next(Source::Function(Box::new(function)))
    }

    /// Adds a strip function, of which the last version that a processor can run is the best. Returns its number among the
    /// strip functions.
    pub fn add_strip(&mut self, versions: Vec<ravel_x86::Code>, switch: Option<String>) -> usize {
        let version = |code: ravel_x86::Code| {
            let extension = code.extension();
            (self.next(Source::Strip(code)), extension)
        };
        let versions = versions.into_iter().map(version).collect();
        self.strips.push((versions, switch));
        self.strips.len() - 1
    }

    fn next(&mut self, source: Source) -> usize {
        (self.add)(source);
        self.count += 1;
        self.count - 1
    }
}

fn generate(
    program: &MemProgram,
    memory_sites: &MemorySites,
    settings: Settings,
    isa: &OwnedTargetIsa,
    add: &mut dyn FnMut(Source),
) -> Functions {
    let mut builder_context = FunctionBuilderContext::new();
    let target = program.target();
    let target = Target {
        vector_bits: target.vector_bits.min(code::vector_bits(isa, settings.processors)),
        ..target.clone()
    };
    let of_entries: Vec<Distinct> = program.entries.iter().map(|entry| Distinct::of(&entry.body)).collect();
    let host_functions = program.host_functions.iter().map(|function| Distinct::of(&function.body));
    let of_host_functions: Vec<Distinct> = host_functions.collect();
    let thread_functions = program.thread_functions.iter().map(|function| Distinct::of(&function.body));
    let of_thread_functions: Vec<Distinct> = thread_functions.collect();
    let generated = Generated { add, count: 0, strips: Vec::new() };
    let mut shared = BlobParts { settings, ..BlobParts::new(memory_sites, &target, generated) };
    let mut hosts = Vec::new();
    for (entry, distinct) in program.entries.iter().zip(&of_entries) {
        shared.distinct = Some(distinct);
        shared.switches = Some(Switches::of(entry.name.as_str()));
        let mut function = named(&entry.name.to_string());
        host::emit(program, entry, &mut function, &mut builder_context, &**isa, &mut shared);
        hosts.push(shared.generated.add(function));
    }
    shared.switches = None;
    let mut functions = Vec::new();
    for (source, distinct) in program.host_functions.iter().zip(&of_host_functions) {
        shared.distinct = Some(distinct);
        let mut function = named(&format!("host_{}", source.name));
        function::emit(program, source, &mut function, &mut builder_context, &**isa, &mut shared);
        functions.push(shared.generated.add(function));
    }
    for (source, distinct) in program.thread_functions.iter().zip(&of_thread_functions) {
        shared.distinct = Some(distinct);
        let mut function = named(&format!("thread_{}", source.name));
        function::emit(program, source, &mut function, &mut builder_context, &**isa, &mut shared);
        functions.push(shared.generated.add(function));
    }
    let (mut segments, mut parts) = (Vec::new(), Vec::new());
    for (number, outlined) in std::mem::take(&mut shared.outlined).iter().enumerate() {
        let mut function = named(&format!("segment{number}"));
        segment::emit(program, outlined, &mut function, &mut builder_context, &**isa, &mut shared);
        segments.push(shared.generated.add(function));
        parts.push((outlined.name(), outlined.path.map(CallPath::span)));
    }
    let traces = shared.traces.into_iter().cloned().collect();
    Functions {
        hosts,
        functions,
        segments,
        parts,
        strips: shared.generated.strips,
        traces,
        versions: shared.versions,
        data: shared.data,
    }
}

fn named(name: &str) -> Function {
    let mut function = Function::new();
    function.name = UserFuncName::testcase(name);
    function
}

/// Appends the code of a function to `all`. Returns its offset.
fn append(all: &mut Vec<u8>, code: &Code) -> usize {
    all.resize(all.len().next_multiple_of(code.alignment), 0);
    let offset = all.len();
    all.extend_from_slice(&code.bytes);
    offset
}
