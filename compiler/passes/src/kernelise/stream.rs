//! Streams in the code of a thread: all elements are one chunk. (`flatten` turns the chunks of a stream of host code into
//! points, by its rule `stream-chunks`.)

use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimValue;

use super::level::CodeLevel;
use super::scope::{Array, Result, Scope, Value, ZERO, array};

impl Scope<'_, '_, Thread> {
    /// The whole stream as one chunk, which is skipped if it has no elements and no empty chunk is required.
    pub fn one_chunk(&mut self, binders: &[core::Var], stream: &core::Stream) -> Result {
        let places = binders
            .iter()
            .map(
                |&binder| if self.cx.ty(binder).is_scalar() { Ok(None) } else { self.make(binder).map(Some) },
            )
            .collect::<Result<Vec<_>>>()?;
        if stream.has_empty_chunk() {
            for (value, &binder) in self.placed(stream, places)?.into_iter().zip(binders) {
                self.bind(binder, value)?;
            }
            return Ok(());
        }
        let (stms, result) = self.nested(|scope| {
            let values = scope.placed(stream, places.clone())?;
            Ok(scalars(values))
        })?;
        let then = Body { stms, result };
        let (stms, result) = self.nested(|scope| scope.neutrals(stream, &places))?;
        let otherwise = Body { stms, result };
        let size = self.cx.atom(stream.width)?;
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

    /// The results of the function for all elements, with arrays in their places.
    fn placed(&mut self, stream: &core::Stream, places: Vec<Option<Array>>) -> Result<Vec<Value>> {
        let mut args = vec![Value::Scalar(self.cx.atom(stream.width)?), Value::Scalar(ZERO)];
        for &source in &stream.sources {
            args.push(Value::Array(self.cx.array(source)?));
        }
        let values = self.apply(&stream.chunk, args, places.clone())?;
        let place = |(value, place): (Value, Option<Array>)| match place {
            Some(place) => {
                Thread::copy(self, &place, &array(value)?)?;
                Ok(Value::Array(place))
            }
            None => Ok(value),
        };
        values.into_iter().zip(places).map(place).collect()
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
