//! `stream_map` and `stream_red`: each becomes one stream of core IR.

use ravel_core::{Atom, Lambda, Stream, StreamSink, Type, Var};

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::sizes::{Ty, stated_sizes};
use crate::value::Value;

/// The function of a stream, applied to a chunk.
struct Chunk<'a> {
    lambda: Lambda,
    /// Its result.
    value: Value<'a>,
    /// The types of the leaves of the result.
    types: Vec<Type>,
}

impl<'a> Lowering<'_, 'a> {
    /// Applies the function to the chunks of the array, and concatenates the results.
    pub fn stream_map(&mut self, f: &Value<'a>, array: &Value<'a>, result: &Ty) -> Lowered<Value<'a>> {
        let Ty::Array(row, Some(width)) = result else {
            return Err(bug(self.span, "a stream over an array of unknown size"));
        };
        let (row, width) = (self.natural_ty((**row).clone()), self.natural(*width));
        let Chunk { lambda: chunk, value, types } =
            self.stream_chunk(f, array, |size| Ty::Array(Box::new(row), Some(size)))?;
        let sinks = vec![StreamSink::Map; types.len()];
        let sources = self.stream_sources(array)?;
        let arrays = self.builder.stream(Stream { width, sources, chunk, sinks });
        Ok(value.with_leaves(&mut arrays.into_iter()))
    }

    /// Applies the function to the chunks of the array, and combines the results with the operator.
    pub fn stream_red(
        &mut self,
        op: &Value<'a>,
        f: &Value<'a>,
        array: &Value<'a>,
        (ty, result): (&Ty, &Ty),
    ) -> Lowered<Value<'a>> {
        let Ty::Array(_, Some(width)) = ty else {
            return Err(bug(self.span, "a stream over an array of unknown size"));
        };
        let (result, width) = (self.natural_ty(result.clone()), self.natural(*width));
        let Chunk { lambda: chunk, value, types } = self.stream_chunk(f, array, |_| result)?;
        if types.is_empty() {
            return Ok(value);
        }
        let params: Vec<Var> =
            types.iter().chain(&types).map(|ty| self.builder.fresh(None, ty.clone())).collect();
        let mut operands = params.iter().map(|&param| Atom::Var(param));
        let (first, second) = (value.with_leaves(&mut operands), value.with_leaves(&mut operands));
        self.open();
        let combined = self.apply(op.clone(), vec![first, second])?;
        let mut results = Vec::new();
        for (leaf, ty) in self.leaves(&combined)?.into_iter().zip(&types) {
            let sizes: Vec<_> = ty.shape.iter().copied().map(Some).collect();
            results.push(self.retype(leaf, &sizes));
        }
        let op = self.close_lambda(params, results);
        let (sources, sinks) = (self.stream_sources(array)?, vec![StreamSink::Reduce { op, neutral: None }]);
        let combined = self.builder.stream(Stream { width, sources, chunk, sinks });
        Ok(value.with_leaves(&mut combined.into_iter()))
    }

    /// Applies the function to a chunk of the array. `ty` returns the type of the result for a given size of the chunk.
    fn stream_chunk(
        &mut self,
        f: &Value<'a>,
        array: &Value<'a>,
        ty: impl FnOnce(Atom) -> Ty,
    ) -> Lowered<Chunk<'a>> {
        let mark = self.mark();
        let mut params = vec![self.fresh_size(), self.fresh_size()];
        let size = Atom::Var(params[0]);
        let elements = array.map_leaves(&mut |leaf| {
            let ty = self.builder.type_of(leaf).row().array_of(size);
            let param = self.builder.fresh(None, ty);
            params.push(param);
            Ok::<_, Box<ravel_base::Diagnostic>>(Atom::Var(param))
        })?;
        self.open();
        let value = self.apply(f.clone(), vec![Value::Leaf(size), elements])?;
        let stated = stated_sizes(&value, &ty(size));
        let mut results = Vec::new();
        for (leaf, stated) in self.leaves(&value)?.into_iter().zip(stated) {
            let sizes = self.common_sizes(leaf, &stated, mark)?;
            results.push(self.retype(leaf, &sizes));
        }
        let types = results.iter().map(|&result| self.builder.type_of(result)).collect();
        Ok(Chunk { lambda: self.close_lambda(params, results), value, types })
    }

    fn stream_sources(&self, array: &Value<'a>) -> Lowered<Vec<Var>> {
        self.leaves(array)?.into_iter().map(|leaf| self.var(leaf)).collect()
    }
}
