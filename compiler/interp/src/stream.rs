//! Streams, evaluated one chunk after the other.

use ravel_abi::Data;
use ravel_base::Span;
use ravel_core::{Stm, Stream, StreamSink};
use ravel_prim::PrimValue;

use crate::array::{Array, Value, count, put};
use crate::frame::Frame;
use crate::machine::{Halt, Outcome, internal};

/// The number of elements of the chunks of streams.
///
/// A program promises that its results do not depend on this number. `ravel test` checks the promise with other
/// numbers.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    /// The number for all other streams; at least 1.
    pub usual: usize,
    /// The number for the stream at one place in the source.
    pub at: Option<(Span, usize)>,
}

impl Default for Chunks {
    /// Few elements, so that small examples have several chunks too.
    fn default() -> Chunks {
        Chunks { usual: 5, at: None }
    }
}

impl Chunks {
    fn size(self, stm: &Stm) -> usize {
        let here = self.at.filter(|(span, _)| stm.origin.place() == Some(*span));
        here.map_or(self.usual, |(_, size)| size).max(1)
    }
}

/// The state of a sink.
enum SinkState {
    /// The array, whose first rows are filled, and the number of elements of a row.
    Map { array: Array, row: usize },
    /// The combined values of the chunks so far; before the first chunk, the neutral element if it is known.
    Reduce { acc: Vec<Value> },
}

impl<'p> Frame<'_, 'p> {
    /// The results of the sinks.
    pub fn stream(&mut self, stm: &'p Stm, stream: &'p Stream) -> Outcome<Vec<Value>> {
        let width = self.size(stream.width)?;
        let size = self.machine.chunks.size(stm);
        let sources =
            stream.sources.iter().map(|&array| self.array(array).cloned()).collect::<Outcome<Vec<_>>>()?;
        let mut sinks = self.stream_sinks(stm, stream, width)?;
        let (mut args, mut results) = (Vec::new(), Vec::new());
        let mut start = 0;
        while start < width || (start == 0 && stream.has_empty_chunk()) {
            self.machine.step()?;
            let here = size.min(width - start);
            args.extend([here, start].map(|count| Value::Scalar(PrimValue::I64(count as i64))));
            for source in &sources {
                let chunk = source.rows(start, here).map_err(Halt::failed_with)?;
                args.push(Value::Array(chunk.ok_or_else(|| internal("a source ends before the width"))?));
            }
            self.apply(&stream.chunk, &mut args, &mut results)?;
            let mut values = results.drain(..);
            for (sink, collected) in stream.sinks.iter().zip(&mut sinks) {
                let mut own = values.by_ref().take(sink.arity());
                match (collected, sink) {
                    (SinkState::Map { array, row }, _) => {
                        let value = own.next().ok_or_else(too_few)?;
                        let data = std::rc::Rc::make_mut(&mut array.data);
                        if !put(data, start * *row, here * *row, &value) {
                            return Err(internal("a mapped array is not as long as its chunk"));
                        }
                    }
                    (SinkState::Reduce { acc }, StreamSink::Reduce { op, .. }) if !acc.is_empty() => {
                        self.combine(op, acc, own)?;
                    }
                    (SinkState::Reduce { acc }, _) => acc.extend(own),
                }
            }
            drop(values);
            // An empty chunk is the only chunk, so the loop must end after it.
            start += here.max(1);
        }
        Ok(sinks.into_iter().flat_map(SinkState::results).collect())
    }

    fn stream_sinks(&self, stm: &Stm, stream: &Stream, width: usize) -> Outcome<Vec<SinkState>> {
        let mut binders = stm.binders.iter();
        let mut sinks = Vec::new();
        for sink in &stream.sinks {
            let mut own = binders.by_ref().take(sink.arity());
            sinks.push(match sink {
                StreamSink::Map => {
                    let &binder = own.next().ok_or_else(too_few)?;
                    let shape = self.shape(binder)?;
                    let data = Data::zeros(self.elem(binder), count(&shape)).map_err(Halt::failed_with)?;
                    let row = data.len() / width.max(1);
                    SinkState::Map { array: Array::new(shape, data), row }
                }
                StreamSink::Reduce { neutral, .. } => {
                    own.for_each(drop);
                    let neutral = neutral.iter().flatten().map(|&atom| self.value(atom));
                    SinkState::Reduce { acc: neutral.collect::<Outcome<Vec<_>>>()? }
                }
            });
        }
        Ok(sinks)
    }
}

impl SinkState {
    fn results(self) -> Vec<Value> {
        match self {
            SinkState::Map { array, .. } => vec![Value::Array(array)],
            SinkState::Reduce { acc } => acc,
        }
    }
}

fn too_few() -> Box<Halt> {
    internal("the function of a chunk returns fewer values than the sinks take")
}
