//! The composition of two streams of equal width, the second of which reads results of the first.
//!
//! ```text
//!   P = sources → chunk → sinks        C = sources → chunk → sinks
//!
//!   composed chunk function:  P's, then C's, which reads P's mapped results of the chunk
//! ```
//!
//! Both streams have the same chunks, since these depend on the width alone. A screma that only maps and reduces is a
//! stream too: it applies the same function to every chunk of its elements. So one composition moves maps into the
//! chunks of a stream, and consumers that map or reduce its result.
//!
//! ```text
//!   screma n { from xs, iota a b  map f  to map  to reduce ⊕ (e) }
//!   --------------------------------------------------------------------------------
//!   stream n { from xs  chunk \(k, at, xs') -> {
//!       screma k { from xs', iota (a + at * b) b  map f  to map  to reduce ⊕ (e) }
//!     }  to map  to reduce ⊕ (e) }
//! ```

use ravel_base::Symbol;
use ravel_core::{
    Atom, Builder, Exp, Lambda, Origin, Screma, Sink, Source, Stm, Stream, StreamSink, Substitution, Type,
    Var, VarTable, copy_lambda,
};
use ravel_prim::{BinOp, PrimType};

use super::compose::FusedArrays;
use super::graph::Node;
use crate::{Premise, Refusal};

/// The premise of rules that merge two chunk functions.
pub const NO_EMPTY_CHUNK: Premise = Premise {
    name: "no-empty-chunk",
    about: "a function of a stream that could not receive an empty chunk before fusion cannot receive one after it",
    otherwise: "the chunks of {} are never empty",
};

/// Refuses if only one of two streams receives an empty chunk when there are no elements.
pub fn empty_chunk(vars: &VarTable, nodes: [&Node; 2]) -> Option<Refusal> {
    let has_empty_chunk = nodes.map(|node| node.stream().map(Stream::has_empty_chunk));
    let without = match has_empty_chunk {
        [Some(true), Some(false)] => nodes[1],
        [Some(false), Some(true)] => nodes[0],
        _ => return None,
    };
    Some(Refusal::of(NO_EMPTY_CHUNK).blame(without.hint(vars), without.span()))
}

/// A stream and the binders of its statement.
pub struct BoundStream {
    binders: Vec<Var>,
    stream: Stream,
}

/// Whether the construct can be computed in chunks: it neither scans nor writes.
pub fn is_chunkable(screma: &Screma) -> bool {
    screma.scans.is_empty() && screma.sinks.iter().all(|sink| matches!(sink, Sink::Map | Sink::Reduce { .. }))
}

/// A stream, or a screma that can be computed in chunks, as a stream.
pub fn chunked(vars: &mut VarTable, stm: Stm) -> Option<BoundStream> {
    match stm.exp {
        Exp::Stream(stream) => Some(BoundStream { binders: stm.binders, stream: *stream }),
        Exp::Screma(screma) => Some(as_stream(vars, stm.binders, *screma, stm.origin)),
        _ => None,
    }
}

/// The composition: its binders and the stream.
pub fn compose(
    vars: &mut VarTable,
    producer: BoundStream,
    consumer: BoundStream,
    fused: &FusedArrays,
) -> (Vec<Var>, Exp) {
    let BoundStream { binders: made, stream: p } = producer;
    let BoundStream { mut binders, stream: c } = consumer;
    let (mut sources, mut chunk) = (p.sources, p.chunk);
    // Both receive the size of the chunk and its start.
    let counts = c.chunk.params.iter().zip(&chunk.params).take(2);
    let mut substitution: Substitution = counts.map(|(&own, &other)| (own, Atom::Var(other))).collect();
    for (&source, &slice) in c.sources.iter().zip(c.slices()) {
        let mapped = made.iter().position(|&array| array == source && fused.arrays.contains(&array));
        if let Some(at) = mapped {
            substitution.insert(slice, chunk.body.result[at]);
        } else if let Some(at) = sources.iter().position(|&other| other == source) {
            substitution.insert(slice, Atom::Var(chunk.params[2 + at]));
        } else {
            substitution.binder(vars, slice);
            sources.push(source);
            chunk.params.push(slice);
        }
    }
    let mut rest = c.chunk.body;
    substitution.body(vars, &mut rest);
    let values = std::mem::replace(&mut chunk.body.result, rest.result);
    chunk.body.stms.extend(rest.stms);
    let mut sinks = c.sinks;
    let mut left = made.into_iter().zip(values);
    for sink in p.sinks {
        let own: Vec<(Var, Atom)> = left.by_ref().take(sink.arity()).collect();
        if !own.iter().any(|(array, _)| fused.gone.contains(array)) {
            sinks.push(sink);
            for (binder, value) in own {
                binders.push(binder);
                chunk.body.result.push(value);
            }
        }
    }
    (binders, Exp::Stream(Box::new(Stream { width: c.width, sources, chunk, sinks })))
}

/// A screma that maps and reduces, as a stream.
fn as_stream(vars: &mut VarTable, binders: Vec<Var>, screma: Screma, origin: Origin) -> BoundStream {
    let mut b = Builder::resume(std::mem::take(vars));
    b.set_origin(origin);
    let count = |name| (Some(Symbol::new(name)), Type::scalar(PrimType::I64));
    let [size, start] = ["k", "at"].map(count).map(|(hint, ty)| b.fresh(hint, ty));
    let mut arrays: Vec<Var> = Vec::new();
    let mut params = vec![size, start];
    b.begin();
    let sources = screma.sources.iter().map(|source| match *source {
        Source::Array(array) => {
            let at = arrays.iter().position(|&other| other == array).unwrap_or_else(|| {
                let row = b.vars()[array].ty.row();
                params.push(b.fresh(b.vars()[array].hint, row.array_of(Atom::Var(size))));
                arrays.push(array);
                arrays.len() - 1
            });
            Source::Array(params[2 + at])
        }
        Source::Iota { start: first, stride } => {
            let at = b.convert(b.type_of(first).elem, Atom::Var(start));
            let distance = b.binary(BinOp::Mul, at, stride);
            Source::Iota { start: b.binary(BinOp::Add, first, distance), stride }
        }
    });
    let sources = sources.collect();
    let mut sinks = Vec::new();
    let mut results = Vec::new();
    let mut taken = binders.iter();
    for sink in &screma.sinks {
        for &binder in taken.by_ref().take(sink.results()) {
            let ravel_core::VarInfo { hint, ty } = b.vars()[binder].clone();
            let ty = if *sink == Sink::Map { ty.row().array_of(Atom::Var(size)) } else { ty };
            results.push(b.fresh(hint, ty));
        }
        sinks.push(match sink {
            Sink::Reduce { op, neutral, .. } => {
                StreamSink::Reduce { op: op.clone(), neutral: Some(neutral.clone()) }
            }
            _ => StreamSink::Map,
        });
    }
    let result = results.iter().copied().map(Atom::Var).collect();
    b.emit(results, Exp::Screma(Box::new(Screma { width: Atom::Var(size), sources, ..screma })));
    let body = b.end(result);
    let chunk = Lambda { params, body };
    (*vars, _) = b.finish();
    // The operators now occur twice, so one copy gets fresh variables.
    for sink in &mut sinks {
        if let StreamSink::Reduce { op, .. } = sink {
            *op = copy_lambda(vars, op);
        }
    }
    BoundStream { binders, stream: Stream { width: screma.width, sources: arrays, chunk, sinks } }
}
