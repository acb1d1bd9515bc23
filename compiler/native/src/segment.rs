//! Segments: the host starts them by `fork`; each of their phases is a function of its own that
//! runs the points of one chunk.
//!
//! A phase function finds what the segment captures as words in its environment.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Function, InstBuilder, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_base::Diagnostic;
use ravel_kernel::{Body, GridSegment, Points, Program, SegmentKind, Thread, Uses, Var, VarTable, Visit};

use crate::emitter::{Emitter, Shared};
use crate::stack;

/// A segment function to be made.
pub(crate) struct Outlined<'p> {
    /// The variables of the entry point or function.
    pub vars: &'p VarTable,
    /// The segment.
    pub threads: Threads<'p>,
    /// What the function does with its points.
    pub phase: Phase,
    /// The variables whose values the environment begins with.
    pub captured: Vec<Var>,
}

impl Outlined<'_> {
    /// A word for readers.
    pub(crate) fn name(&self) -> String {
        let hint = self.threads.segment.hint.map(|hint| hint.to_string());
        match self.phase {
            Phase::Map => hint.unwrap_or_else(|| "map".to_owned()),
            Phase::Fold => hint.unwrap_or_else(|| "fold".to_owned()),
            Phase::Prefix => hint.map_or(String::new(), |hint| hint + ", ") + "prefixes",
        }
    }
}

/// A segment whose points are threads.
#[derive(Clone, Copy)]
pub(crate) struct Threads<'p> {
    /// The segment.
    pub segment: &'p GridSegment,
    /// What becomes of the results of the body.
    pub kind: &'p SegmentKind,
    /// The code of one point.
    pub body: &'p Body<Thread>,
}

/// Segments of blocks are not compiled yet.
pub(crate) fn refuse_blocks(program: &Program) -> Result<(), Diagnostic> {
    struct Blocks(bool);
    impl Visit for Blocks {
        fn grid_segment(&mut self, segment: &GridSegment) {
            self.0 |= matches!(segment.points, Points::Blocks(_));
        }
    }
    let mut blocks = Blocks(false);
    program.host_functions.iter().for_each(|function| blocks.body(&function.body));
    program.entries.iter().for_each(|entry| blocks.body(&entry.body));
    match blocks.0 {
        true => Err(Diagnostic::bug("native: blocks are not supported by this backend yet")),
        false => Ok(()),
    }
}

/// What a segment function does with its points.
#[derive(Clone, Copy)]
pub(crate) enum Phase {
    /// Runs the body.
    Map,
    /// Combines the results of the body, and stores what they come to among the partial results.
    Fold,
    /// Combines the results of the body with what came before the chunk, and stores each prefix.
    Prefix,
}

/// What a segment function knows besides the variables it captured.
pub(crate) struct Chunk {
    /// Its number.
    pub number: Value,
    /// Its first point.
    pub first: Value,
    /// The point behind its last one.
    pub last: Value,
    /// Where the partial results are (of reductions and scans).
    pub partials: Value,
}

impl<'p> Emitter<'p, '_> {
    /// Runs a segment from the host.
    pub fn segment(&mut self, segment: &'p GridSegment) {
        let Points::Threads { kind, body } = &segment.points else {
            unreachable!("programs with segments of blocks are refused")
        };
        let threads = Threads { segment, kind, body };
        match kind {
            SegmentKind::Map => {
                let mut points = self.index(1);
                for &(_, size) in &segment.space {
                    let size = self.atom(size);
                    points = self.builder.ins().imul(points, size);
                }
                let captured = self.captured(segment);
                let environment = self.environment(&captured, None);
                let chunk = self.atom(segment.chunk);
                let function = Outlined { vars: self.vars, threads, phase: Phase::Map, captured };
                self.fork(function, environment, points, chunk);
            }
            SegmentKind::Reduce(combiners) => self.reduce(threads, combiners),
            SegmentKind::Scan(combiners) => self.scan(threads, combiners),
        }
    }

    /// The scalars and blocks that a segment uses but does not bind.
    pub fn captured(&self, segment: &GridSegment) -> Vec<Var> {
        let Uses { mut scalars, blocks, .. } = Uses::of_segment(segment, self.vars);
        scalars.extend(blocks.iter().map(|block| block.block));
        scalars
    }

    /// Stores the environment of a segment function for the next fork; gives its address.
    pub fn environment(&mut self, captured: &[Var], partials: Option<Value>) -> Value {
        let mut words = Vec::new();
        for &var in captured {
            let value = self.value(var);
            words.push(self.word_of(value));
        }
        words.extend(partials);
        self.spill(&words)
    }
}

/// Makes a segment function.
pub(crate) fn emit<'p>(
    program: &'p Program,
    outlined: &Outlined<'p>,
    function: &mut Function,
    builder_context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
) {
    // A thread starts no segments and has no constants.
    let mut none = Shared::default();
    let types = [I64; 4];
    let (mut emitter, given) =
        Emitter::begin(function, builder_context, isa, program, outlined.vars, &types, &mut none);
    emitter.on_stack = stack::blocks(outlined.threads.body, outlined.vars);
    let environment = given[0];
    for (number, &var) in outlined.captured.iter().enumerate() {
        let value = emitter.load_word(emitter.var_type(var), environment, number);
        emitter.bind(var, value);
    }
    let partials = match outlined.phase {
        Phase::Map => environment,
        Phase::Fold | Phase::Prefix => emitter.load_word(I64, environment, outlined.captured.len()),
    };
    let chunk = Chunk { number: given[1], first: given[2], last: given[3], partials };
    match (outlined.phase, outlined.threads.kind) {
        (Phase::Fold, SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners)) => {
            emitter.fold_chunk(outlined.threads, combiners, &chunk);
        }
        (Phase::Prefix, SegmentKind::Scan(combiners)) => {
            emitter.prefix_chunk(outlined.threads, combiners, &chunk);
        }
        _ => {
            emitter.points(outlined.threads, &chunk, Vec::new(), |emitter, _| {
                emitter.body(outlined.threads.body)
            });
        }
    }
    emitter.finish(isa);
}
