//! Streams.
//!
//! * If `flatten` has given the stream a chunk size, its chunks are the points of a segment: they run in parallel, and each
//!   of them sequentially. Mapped values are stored in the chunk's part of the result. The reduced value of each chunk is
//!   stored, and a segment of one point combines them in order. Only the last chunk may be smaller than the chunk size, so
//!   memory for this size suffices for every chunk.
//! * Without a chunk size, all elements are one chunk.

use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::{PrimType, PrimValue};

use super::fixed_places::Carry;
use super::level::CodeLevel;
use super::scope::{Array, ONE, Result, Scope, Value, ZERO, array};
use super::sinks::Feed;
use super::view::Dim;

/// One chunk.
struct Chunk {
    size: Atom,
    start: Atom,
    slices: Vec<Array>,
}

impl Scope<'_, '_, Host> {
    /// A segment whose points are the chunks, each of this size.
    pub fn chunks(&mut self, binders: &[core::Var], stream: &core::Stream, size: i64) -> Result {
        let width = self.cx.atom(stream.width)?;
        let most = Atom::i64(size);
        let mut chunks = self.ceil_div(width, most);
        if stream.has_empty_chunk() {
            chunks = self.max(chunks, ONE);
        }
        let sources =
            stream.sources.iter().map(|&source| self.cx.array(source)).collect::<Result<Vec<_>>>()?;
        let kept = self.kept(binders, stream, chunks)?;
        self.segment("stream", &[chunks], SegmentKind::Map, |scope, point| {
            let (start, size) = scope.part_range(width, most, point[0]);
            let range = Dim::Range { start, count: size, stride: ONE };
            let slices = sources.iter().map(|source| scope.slice(None, source, &[range])).collect();
            let places = kept.iter().map(|kept| kept.place(scope, range, point[0])).collect();
            let values = scope.chunk_of(stream, Chunk { size, start, slices }, places)?;
            for (kept, value) in kept.iter().zip(values) {
                match (kept, value) {
                    (ChunkResult::Map(to), Value::Array(value)) => {
                        let to = scope.slice(None, to, &[range]);
                        Thread::copy(scope, &to, &value)?;
                    }
                    (ChunkResult::Map(to) | ChunkResult::Part(to), value) => scope.put(to, point, value)?,
                }
            }
            Ok(Vec::new())
        })?;
        let mut kept = kept.into_iter();
        let mut binders = binders;
        for sink in &stream.sinks {
            let (own, others) = binders.split_at(sink.arity().min(binders.len()));
            binders = others;
            let arrays: Vec<Array> = kept.by_ref().take(own.len()).map(ChunkResult::array).collect();
            match sink {
                core::StreamSink::Map => {
                    for (&binder, array) in own.iter().zip(arrays) {
                        self.bind(binder, Value::Array(array))?;
                    }
                }
                core::StreamSink::Reduce { op, neutral } => {
                    let neutral = neutral.as_deref();
                    self.one_point_segment("combine", own, |scope| {
                        scope.fold(own, op, neutral, &arrays, chunks)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Memory for the results of the chunks.
    fn kept(
        &mut self,
        binders: &[core::Var],
        stream: &core::Stream,
        chunks: Atom,
    ) -> Result<Vec<ChunkResult>> {
        let mut binders = binders.iter();
        let mut kept = Vec::new();
        for sink in &stream.sinks {
            for &binder in binders.by_ref().take(sink.arity()) {
                kept.push(match sink {
                    core::StreamSink::Map => ChunkResult::Map(self.make(binder)?),
                    core::StreamSink::Reduce { .. } => {
                        let ty = self.cx.ty(binder);
                        let mut shape = vec![chunks];
                        shape.extend(self.cx.shape(ty)?);
                        ChunkResult::Part(Host::alloc(self, self.cx.hint(binder), ty.elem, &shape)?)
                    }
                });
            }
        }
        Ok(kept)
    }
}

/// The destination of a value of the chunks.
enum ChunkResult {
    /// Into the chunk's part of the result.
    Map(Array),
    /// Into the element of the chunk's number.
    Part(Array),
}

impl ChunkResult {
    fn array(self) -> Array {
        match self {
            ChunkResult::Map(array) | ChunkResult::Part(array) => array,
        }
    }

    /// The preferred place of an array result of a chunk.
    fn place(&self, scope: &mut Scope<'_, '_, Thread>, range: Dim, chunk: Atom) -> Option<Array> {
        match self {
            ChunkResult::Map(array) => Some(scope.slice(None, array, &[range])),
            ChunkResult::Part(array) => (array.view.shape.len() > 1).then(|| scope.row(array, chunk)),
        }
    }
}

impl Scope<'_, '_, Thread> {
    /// The results of the function of a stream for a chunk; arrays are produced in these places if possible.
    fn chunk_of(
        &mut self,
        stream: &core::Stream,
        chunk: Chunk,
        places: Vec<Option<Array>>,
    ) -> Result<Vec<Value>> {
        let mut args = vec![Value::Scalar(chunk.size), Value::Scalar(chunk.start)];
        args.extend(chunk.slices.into_iter().map(Value::Array));
        self.apply(&stream.chunk, args, places)
    }

    /// The whole stream as one chunk, which is skipped if it has no elements and no empty chunk is required.
    pub fn one_chunk(&mut self, binders: &[core::Var], stream: &core::Stream) -> Result {
        let size = self.cx.atom(stream.width)?;
        let slices =
            stream.sources.iter().map(|&source| self.cx.array(source)).collect::<Result<Vec<_>>>()?;
        let chunk = Chunk { size, start: ZERO, slices };
        let places = binders
            .iter()
            .map(
                |&binder| if self.cx.ty(binder).is_scalar() { Ok(None) } else { self.make(binder).map(Some) },
            )
            .collect::<Result<Vec<_>>>()?;
        if stream.has_empty_chunk() {
            for (value, &binder) in self.placed(stream, chunk, places)?.into_iter().zip(binders) {
                self.bind(binder, value)?;
            }
            return Ok(());
        }
        let (stms, result) = self.nested(|scope| {
            let values = scope.placed(stream, chunk, places.clone())?;
            Ok(scalars(values))
        })?;
        let then = Body { stms, result };
        let (stms, result) = self.nested(|scope| scope.neutrals(stream, &places))?;
        let otherwise = Body { stms, result };
        let cond = self.is_less(ZERO, size);
        let mut reduced = Vec::new();
        for (&binder, place) in binders.iter().zip(places) {
            let value = place.map(Value::Array).unwrap_or_else(|| {
                let var = self.fresh(self.cx.hint(binder), self.cx.ty(binder).elem);
                reduced.push(var);
                Value::Scalar(Atom::Var(var))
            });
            self.bind(binder, value)?;
        }
        self.push(Stm::If { binders: reduced, cond, then, otherwise });
        Ok(())
    }

    /// The results without elements: arrays are stored in their places, scalars are returned.
    fn neutrals(&mut self, stream: &core::Stream, places: &[Option<Array>]) -> Result<Vec<Atom>> {
        let mut values = Vec::new();
        let mut places = places.iter();
        for sink in &stream.sinks {
            let own: Vec<&Option<Array>> = places.by_ref().take(sink.arity()).collect();
            match sink {
                core::StreamSink::Reduce { neutral: Some(neutral), .. } => {
                    for (place, &atom) in own.into_iter().zip(neutral) {
                        match (place, self.cx.value(atom)?) {
                            (Some(place), value) => Thread::copy(self, place, &array(value)?)?,
                            (None, value) => values.push(value),
                        }
                    }
                }
                // No element, but the verifier sees that all there are have been stored.
                _ => own.into_iter().flatten().try_for_each(|place| {
                    let zero = Atom::Const(PrimValue::zero(place.view.elem));
                    self.fill(place, &Value::Scalar(zero))
                })?,
            }
        }
        Ok(scalars(values))
    }

    /// The results of the function for a chunk, with arrays in their places.
    fn placed(
        &mut self,
        stream: &core::Stream,
        chunk: Chunk,
        places: Vec<Option<Array>>,
    ) -> Result<Vec<Value>> {
        let values = self.chunk_of(stream, chunk, places.clone())?;
        let place = |(value, place): (Value, Option<Array>)| match place {
            Some(place) => {
                Thread::copy(self, &place, &array(value)?)?;
                Ok(Value::Array(place))
            }
            None => Ok(value),
        };
        values.into_iter().zip(places).map(place).collect()
    }

    /// Combines the values of all chunks in order, beginning with the neutral element if it is known.
    pub fn fold(
        &mut self,
        binders: &[core::Var],
        op: &core::Lambda,
        neutral: Option<&[core::Atom]>,
        parts: &[Array],
        chunks: Atom,
    ) -> Result {
        let parts: Vec<Feed> = parts.iter().map(|part| Feed::of(None, part.clone())).collect();
        let mut carries = Vec::new();
        for (at, (part, &binder)) in parts.iter().zip(binders).enumerate() {
            let first = match neutral.and_then(|neutral| neutral.get(at)) {
                Some(&neutral) => self.cx.value(neutral)?,
                None => self.element(part, ZERO),
            };
            carries.push(match first {
                Value::Scalar(first) => Carry::Scalar(self.cx.hint(binder), first),
                Value::Array(first) => {
                    let place = self.make(binder)?;
                    Thread::copy(self, &place, &first)?;
                    Carry::Array(place)
                }
            });
        }
        let first = if neutral.is_some() { ZERO } else { ONE };
        let bound = self.sub(chunks, first);
        let finals = self.carried_loop(carries, |scope, combined| {
            let index = scope.fresh(None, PrimType::I64);
            let next = scope.add(Atom::Var(index), first);
            let mut args = combined.to_vec();
            args.extend(parts.iter().map(|part| scope.element(part, next)));
            Ok((LoopForm::For { index, bound }, scope.apply(op, args, Vec::new())?))
        })?;
        for (&binder, value) in binders.iter().zip(finals) {
            self.bind(binder, value)?;
        }
        Ok(())
    }
}

/// Those of the values that are scalars.
fn scalars(values: Vec<Value>) -> Vec<Atom> {
    let scalar = |value| match value {
        Value::Scalar(atom) => Some(atom),
        Value::Array(_) => None,
    };
    values.into_iter().filter_map(scalar).collect()
}
