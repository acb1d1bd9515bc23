//! The parallel construct, one index after the other.

use std::rc::Rc;

use ravel_abi::Data;
use ravel_core::{Lambda, Screma, Sink, Source, Stm};
use ravel_prim::PrimValue;

use crate::array::{Array, Value, count, iota, put};
use crate::machine::{Frame, Halt, Outcome, internal};

/// A source, evaluated.
enum Elements {
    Array(Array),
    Iota { start: PrimValue, stride: PrimValue },
}

impl Elements {
    fn at(&self, index: usize) -> Outcome<Value> {
        let element = match self {
            Elements::Array(array) => array.row(index).map_err(Halt::because)?,
            Elements::Iota { start, stride } => iota(*start, *stride, index).map(Value::Scalar),
        };
        element.ok_or_else(|| internal("a source ends before the width"))
    }
}

/// What a sink has collected.
enum Collected<'p> {
    Map { shape: Vec<usize>, row: usize, data: Data },
    Reduce { op: &'p Lambda, acc: Vec<Value> },
    Write { array: Array, rank: usize },
    Combine { arrays: Vec<Array>, op: &'p Lambda },
}

impl<'p> Frame<'_, 'p> {
    /// The results of the sinks.
    pub fn screma(&mut self, stm: &'p Stm, screma: &'p Screma) -> Outcome<Vec<Value>> {
        let width = self.size(screma.width)?;
        let sources = screma.sources.iter().map(|source| self.source(source)).collect::<Outcome<Vec<_>>>()?;
        let mut sinks = self.sinks(stm, screma, width)?;
        let neutral = |frame: &Self, atoms: &[_]| atoms.iter().map(|&atom| frame.value(atom)).collect();
        let mut scans: Vec<Vec<Value>> =
            screma.scans.iter().map(|scan| neutral(self, &scan.neutral)).collect::<Outcome<_>>()?;
        let mut args = Vec::new();
        let mut stream = Vec::new();
        for index in 0..width {
            self.machine.step()?;
            for source in &sources {
                args.push(source.at(index)?);
            }
            self.apply(&screma.map, &mut args, &mut stream)?;
            let mut at = 0;
            for (scan, acc) in screma.scans.iter().zip(&mut scans) {
                let scanned = stream.get_mut(at..at + acc.len()).ok_or_else(too_few)?;
                self.combine(&scan.op, acc, scanned.iter().cloned())?;
                scanned.clone_from_slice(acc);
                at += acc.len();
            }
            if let Some(post) = &screma.post {
                args.append(&mut stream);
                self.apply(post, &mut args, &mut stream)?;
            }
            let mut values = stream.drain(..);
            for sink in &mut sinks {
                self.collect(sink, index, &mut values)?;
            }
        }
        Ok(sinks.into_iter().flat_map(Collected::results).collect())
    }

    fn source(&self, source: &Source) -> Outcome<Elements> {
        Ok(match *source {
            Source::Array(array) => Elements::Array(self.array(array)?.clone()),
            Source::Iota { start, stride } => match (self.value(start)?, self.value(stride)?) {
                (Value::Scalar(start), Value::Scalar(stride)) => Elements::Iota { start, stride },
                _ => return Err(internal("an iota of arrays")),
            },
        })
    }

    fn sinks(&mut self, stm: &'p Stm, screma: &'p Screma, width: usize) -> Outcome<Vec<Collected<'p>>> {
        let mut binders = stm.binders.iter();
        let mut sinks = Vec::new();
        for sink in &screma.sinks {
            let binder = binders.next().copied();
            binders.by_ref().take(sink.results().saturating_sub(1)).for_each(drop);
            sinks.push(match sink {
                Sink::Map => {
                    let binder = binder.ok_or_else(|| internal("a sink without a binder"))?;
                    let shape = self.shape(binder)?;
                    if shape.first() != Some(&width) {
                        return Err(internal("a mapped result is not as long as the width"));
                    }
                    let data = Data::zeros(self.elem(binder), count(&shape)).map_err(Halt::because)?;
                    let row = data.len() / width.max(1);
                    Collected::Map { shape, row, data }
                }
                Sink::Reduce { op, neutral, .. } => {
                    let acc = neutral.iter().map(|&atom| self.value(atom)).collect::<Outcome<_>>()?;
                    Collected::Reduce { op, acc }
                }
                Sink::Write { target, rank } => {
                    Collected::Write { array: self.target(stm, *target)?, rank: *rank }
                }
                Sink::Combine { targets, op, .. } => {
                    let arrays =
                        targets.iter().map(|&target| self.target(stm, target)).collect::<Outcome<_>>()?;
                    Collected::Combine { arrays, op }
                }
            });
        }
        Ok(sinks)
    }

    fn target(&mut self, stm: &Stm, target: ravel_core::Var) -> Outcome<Array> {
        match self.operand(stm, ravel_core::Atom::Var(target))? {
            Value::Array(array) => Ok(array),
            Value::Scalar(_) => Err(internal("a scalar is written to")),
        }
    }

    /// Takes a sink's values of one index.
    fn collect(
        &mut self,
        sink: &mut Collected<'p>,
        index: usize,
        values: &mut dyn Iterator<Item = Value>,
    ) -> Outcome<()> {
        let misfit = || internal("a value does not fit its sink");
        match sink {
            Collected::Map { row, data, .. } => {
                let value = values.next().ok_or_else(too_few)?;
                put(data, index * *row, *row, &value).then_some(()).ok_or_else(misfit)
            }
            Collected::Reduce { op, acc } => {
                let count = acc.len();
                self.combine(op, acc, values.take(count))
            }
            Collected::Write { array, rank } => {
                let indices = values.take(*rank).map(position).collect::<Outcome<Vec<_>>>()?;
                let value = values.next().ok_or_else(too_few)?;
                match array.position(&indices) {
                    Some((at, length)) => put(Rc::make_mut(&mut array.data), at, length, &value)
                        .then_some(())
                        .ok_or_else(misfit),
                    None => Ok(()),
                }
            }
            Collected::Combine { arrays, op } => {
                let at = values.next().map(position).ok_or_else(too_few)??;
                let count = arrays.len();
                let new: Vec<Value> = values.take(count).collect();
                let inside = |array: &Array| usize::try_from(at).ok().filter(|&at| at < array.shape[0]);
                let Some(at) = arrays.first().and_then(inside) else { return Ok(()) };
                let rows =
                    arrays.iter().map(|array| array.row(at).map_err(Halt::because)?.ok_or_else(misfit));
                let mut acc = rows.collect::<Outcome<Vec<_>>>()?;
                self.combine(op, &mut acc, new.into_iter())?;
                for (array, value) in arrays.iter_mut().zip(&acc) {
                    let length = array.row_len();
                    if !put(Rc::make_mut(&mut array.data), at * length, length, value) {
                        return Err(misfit());
                    }
                }
                Ok(())
            }
        }
    }

    /// `acc = op acc values`.
    pub fn combine(
        &mut self,
        op: &'p Lambda,
        acc: &mut Vec<Value>,
        values: impl Iterator<Item = Value>,
    ) -> Outcome<()> {
        let mut args = std::mem::take(acc);
        args.extend(values);
        self.apply(op, &mut args, acc)
    }

    /// Calls a lambda; the arguments are drained, the results appended.
    pub fn apply(
        &mut self,
        lambda: &'p Lambda,
        args: &mut Vec<Value>,
        results: &mut Vec<Value>,
    ) -> Outcome<()> {
        if lambda.params.len() != args.len() {
            return Err(too_few());
        }
        for (&param, arg) in lambda.params.iter().zip(args.drain(..)) {
            self.bind(param, arg)?;
        }
        self.body(&lambda.body, results)
    }
}

impl Collected<'_> {
    fn results(self) -> Vec<Value> {
        match self {
            Collected::Map { shape, data, .. } => vec![Value::Array(Array::new(shape, data))],
            Collected::Reduce { acc, .. } => acc,
            Collected::Write { array, .. } => vec![Value::Array(array)],
            Collected::Combine { arrays, .. } => arrays.into_iter().map(Value::Array).collect(),
        }
    }
}

fn too_few() -> Box<Halt> {
    internal("a lambda takes or gives another number of values")
}

fn position(value: Value) -> Outcome<i64> {
    match value {
        Value::Scalar(PrimValue::I64(position)) => Ok(position),
        _ => Err(internal("a position is no i64")),
    }
}
