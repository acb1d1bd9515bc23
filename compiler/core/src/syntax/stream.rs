//! The construct that computes in chunks: `stream_map` and `stream_red` of the language.
//!
//! It is not a [`Screma`](super::Screma), because its function takes a chunk of many elements. The program promises
//! that the chunk size does not change the result, so the construct has no chunk size. A pass chooses one for the machine
//! when it turns the chunks into the points of a segment.

use super::{Atom, Lambda, Type, Var, VarTable};
use crate::builder::atom_type;

/// A computation in chunks: sources → chunk → sinks.
///
/// The sources are cut into consecutive chunks, and `chunk` is applied to the slices of each. Its
/// results are distributed to the sinks, [`StreamSink::arity`] values each. No chunk is empty, with
/// one exception: if the width is zero and a sink reduces without a neutral element, there is one
/// chunk without elements.
///
/// The binders are the results of the sinks, in order. A sink has as many results as it takes values.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// The number of elements (i64).
    pub width: Atom,
    /// Arrays whose outer size is the width.
    pub sources: Vec<Var>,
    /// The function of a chunk. Its parameters are the chunk's size, the index of its first element
    /// (both i64), and its slice of each source.
    pub chunk: Lambda,
    /// The consumers of the values.
    pub sinks: Vec<StreamSink>,
}

/// A consumer of values of a [`Stream`].
#[derive(Clone, Debug, PartialEq)]
pub enum StreamSink {
    /// Stores the value, an array of the chunk's size, in the chunk's slice of a new array.
    Map,
    /// Combines the values of all chunks in order with an associative operator. If there is one
    /// chunk, its value is the result.
    Reduce {
        /// The operator. It has twice as many parameters as the sink takes values.
        op: Lambda,
        /// Its neutral element, if one is known: the result for width 0, and the first operand
        /// for other widths.
        neutral: Option<Vec<Atom>>,
    },
}

impl StreamSink {
    /// The number of values that the sink takes, which is the number of its results.
    pub fn arity(&self) -> usize {
        match self {
            StreamSink::Map => 1,
            StreamSink::Reduce { op, .. } => op.params.len() / 2,
        }
    }
}

impl Stream {
    /// The parameter of `chunk` for the chunk's size.
    pub fn size(&self) -> Option<Var> {
        self.chunk.params.first().copied()
    }

    /// The parameters of `chunk` for the slices of the sources.
    pub fn slices(&self) -> &[Var] {
        &self.chunk.params[2..]
    }

    /// Whether there is one chunk even for width 0, because a sink reduces without a neutral element.
    pub fn has_empty_chunk(&self) -> bool {
        self.sinks.iter().any(|sink| matches!(sink, StreamSink::Reduce { neutral: None, .. }))
    }

    /// All lambdas: first `chunk`, then the operators of the sinks.
    pub fn lambdas(&self) -> impl Iterator<Item = &Lambda> {
        let operators = self.sinks.iter().filter_map(|sink| match sink {
            StreamSink::Reduce { op, .. } => Some(op),
            StreamSink::Map => None,
        });
        std::iter::once(&self.chunk).chain(operators)
    }

    /// The types of the results, sink by sink.
    pub fn types(&self, vars: &VarTable) -> Vec<Type> {
        let mut values = self.chunk.body.result.iter().map(|&atom| atom_type(vars, atom));
        let mut types = Vec::new();
        for sink in &self.sinks {
            for value in values.by_ref().take(sink.arity()) {
                types.push(match sink {
                    // The verifier refuses a scalar here, and looks at the types first.
                    StreamSink::Map if value.is_scalar() => value,
                    StreamSink::Map => value.row().array_of(self.width),
                    StreamSink::Reduce { .. } => value,
                });
            }
        }
        types
    }
}
