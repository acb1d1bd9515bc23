//! The construct that computes in chunks: `stream_map` and `stream_red` of the language.
//!
//! It stays apart from [`Screma`](super::Screma) because its function sees many elements at once and
//! how many is not said: whoever runs it cuts where he likes, and the program promises that the
//! cuts do not matter.

use super::{Atom, Lambda, Type, Var, VarTable};
use crate::builder::atom_type;

/// A computation in chunks: sources → chunk → sinks.
///
/// The sources are cut into stretches one behind the other, `chunk` is applied to each, and what it
/// gives is dealt to the sinks, each taking [`StreamSink::arity`] values. No chunk is empty; but
/// where something is reduced without a neutral element and the width is zero there is one chunk,
/// of no elements.
///
/// The binders are the results of the sinks, in order: as many as the values they take.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// How many elements (i64).
    pub width: Atom,
    /// Arrays whose outer size is the width.
    pub sources: Vec<Var>,
    /// Applied to every chunk: to its size, the index of its first element (both i64), and its
    /// stretch of each source.
    pub chunk: Lambda,
    /// Where the values go.
    pub sinks: Vec<StreamSink>,
}

/// Where values of a [`Stream`] go.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamSink {
    /// Into the stretch of a new array that is the chunk's: an array of as many elements.
    Map,
    /// Combined with those of the other chunks, in their order. The operator is associative; the
    /// value of a single chunk is the result.
    Reduce {
        /// The operator: twice as many parameters as it takes values.
        op: Lambda,
        /// Its neutral element, if one is known: the result for width 0, behind which the values of
        /// the chunks follow.
        neutral: Option<Vec<Atom>>,
    },
}

impl StreamSink {
    /// How many values it takes, which is how many binders it fills.
    pub fn arity(&self) -> usize {
        match self {
            StreamSink::Map => 1,
            StreamSink::Reduce { op, .. } => op.params.len() / 2,
        }
    }
}

impl Stream {
    /// The size of a chunk, as `chunk` knows it.
    pub fn size(&self) -> Option<Var> {
        self.chunk.params.first().copied()
    }

    /// The parameters for the stretches of the sources.
    pub fn stretches(&self) -> &[Var] {
        self.chunk.params.get(2..).unwrap_or_default()
    }

    /// Is something reduced without a neutral element, so that there is a chunk even of no elements?
    pub fn needs_a_chunk(&self) -> bool {
        self.sinks.iter().any(|sink| matches!(sink, StreamSink::Reduce { neutral: None, .. }))
    }

    /// All lambdas: that of a chunk first.
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
                    StreamSink::Map if !value.is_scalar() => value.row().array_of(self.width),
                    _ => value,
                });
            }
        }
        types
    }
}
