//! Checks that the parts of a stream fit together.

use ravel_prim::PrimType;

use super::check::Checker;
use super::screma::within;
use super::{Verified, require};
use crate::syntax::*;

impl Checker<'_> {
    /// Checks a stream and returns the types of its results.
    pub(super) fn stream(&mut self, stream: &Stream) -> Verified<Vec<Type>> {
        let level = std::mem::replace(&mut self.level, Level::Thread);
        require(level != Level::Workgroup, || "a stream is in the body of a workgroup".to_owned())?;
        let results = self.chunked(stream)?;
        self.level = level;
        Ok(results)
    }

    fn chunked(&mut self, stream: &Stream) -> Verified<Vec<Type>> {
        self.expect_scalar(stream.width, PrimType::I64)?;
        let Some(size) = stream.size().map(Atom::Var) else {
            return super::fault("a chunk without a parameter for its size");
        };
        let mut args = vec![Type::scalar(PrimType::I64); 2];
        for &source in &stream.sources {
            let ty = self.array(source)?;
            require(ty.shape[0] == stream.width, || {
                let (source, width) = (self.show(Atom::Var(source)), self.show(stream.width));
                format!("the source `{source}` has type {}, not width {width}", self.show_type(ty))
            })?;
            args.push(ty.row().array_of(size));
        }
        let values = within("chunk", self.dependent_lambda(&stream.chunk, &args))?;
        let taken: usize = stream.sinks.iter().map(StreamSink::arity).sum();
        require(taken == values.len(), || {
            format!("the sinks take {taken} values of the {} there are", values.len())
        })?;
        let mut results = Vec::new();
        let mut rest = &values[..];
        for sink in &stream.sinks {
            let (values, others) = rest.split_at(sink.arity());
            rest = others;
            match sink {
                StreamSink::Map => {
                    let ty = &values[0];
                    require(ty.shape.first() == Some(&size), || {
                        format!("a mapped value has type {}, not the size of the chunk", self.show_type(ty))
                    })?;
                    within("chunk", self.require_in_scope(&ty.shape[1..], ty))?;
                    results.push(ty.row().array_of(stream.width));
                }
                StreamSink::Reduce { op, neutral } => {
                    require(!values.is_empty(), || "an operator on no values".to_owned())?;
                    values.iter().try_for_each(|ty| within("chunk", self.require_in_scope(&ty.shape, ty)))?;
                    let combined = within("reduce", self.lambda(op, &[values, values].concat()))?;
                    require(combined.len() == values.len(), || {
                        format!(
                            "the operator combines {} values, but returns {}",
                            values.len(),
                            combined.len()
                        )
                    })?;
                    for (result, ty) in combined.iter().zip(values) {
                        self.same(result, ty, || "a result of the operator".to_owned())?;
                    }
                    for (atom, ty) in neutral.iter().flatten().zip(values) {
                        let neutral_type = self.ty(*atom)?;
                        self.same(&neutral_type, ty, || "a neutral element".to_owned())?;
                    }
                    require(neutral.as_ref().is_none_or(|neutral| neutral.len() == values.len()), || {
                        format!("the neutral element does not have {} values", values.len())
                    })?;
                    results.extend_from_slice(values);
                }
            }
        }
        Ok(results)
    }
}
