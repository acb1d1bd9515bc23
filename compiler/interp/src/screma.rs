//! Scremas, evaluated one index after the other, and segments, one row of the index space after the other.

use std::ops::Range;
use std::rc::Rc;

use ravel_abi::Data;
use ravel_core::{Lambda, Screma, Segment, Sink, Source, Stm, Var};
use ravel_prim::PrimValue;

use crate::array::{Array, Value, count, iota, put};
use crate::frame::Frame;
use crate::machine::{Halt, Outcome, internal};

/// The elements of a source.
enum Elements {
    Array(Array),
    Iota { start: PrimValue, stride: PrimValue },
}

impl Elements {
    fn at(&self, index: usize) -> Outcome<Value> {
        let element = match self {
            Elements::Array(array) => array.row(index).map_err(Halt::failed_with)?,
            Elements::Iota { start, stride } => iota(*start, *stride, index).map(Value::Scalar),
        };
        element.ok_or_else(|| internal("a source ends before the width"))
    }
}

/// The state of a sink.
enum SinkState<'p> {
    Map(Rows),
    Concat(Parts),
    Reduce { op: &'p Lambda, neutral: Vec<Value>, acc: Vec<Value>, rows: Vec<Rows> },
    Write { array: Array, rank: usize },
    Combine { arrays: Vec<Array>, op: &'p Lambda },
}

/// An array that is filled by parts, for each row of the space.
struct Parts {
    rows: Rows,
    /// The number of parts.
    points: usize,
    /// The number of elements of the array.
    count: usize,
    /// The number of elements of each part except the last.
    size: usize,
}

impl Parts {
    /// Writes the part of the point of this number in the whole space.
    fn put(&mut self, number: usize, part: &Value) -> Outcome<()> {
        let misfit = || internal("a concatenated value does not have the size of its part");
        let (before, point) = (number / self.points * self.count, number % self.points);
        let first = point.saturating_mul(self.size).min(self.count);
        let here = self.size.min(self.count - first);
        let is_part = matches!(part, Value::Array(array) if array.shape[0] == here);
        let Rows { row, data, .. } = &mut self.rows;
        let is_put = is_part && put(data, (before + first) * *row, here * *row, part);
        is_put.then_some(()).ok_or_else(misfit)
    }
}

/// An array that is filled row by row.
struct Rows {
    shape: Vec<usize>,
    /// The number of elements of a row.
    row: usize,
    data: Data,
}

impl Rows {
    /// Writes a value to the row of this number.
    fn put(&mut self, number: usize, value: &Value) -> Outcome<()> {
        let misfit = || internal("a value does not fit its sink");
        put(&mut self.data, number * self.row, self.row, value).then_some(()).ok_or_else(misfit)
    }

    fn array(self) -> Value {
        Value::Array(Array::new(self.shape, self.data))
    }
}

impl<'p> Frame<'_, 'p> {
    /// The results of the sinks.
    pub fn screma(&mut self, stm: &'p Stm, screma: &'p Screma) -> Outcome<Vec<Value>> {
        let width = self.size(screma.width)?;
        let mut sinks = self.sinks(stm, screma, &[width])?;
        self.points(screma, (None, 0..width), &mut sinks)?;
        Ok(sinks.into_iter().flat_map(SinkState::results).collect())
    }

    /// The results of the sinks of a segment.
    pub fn segment(&mut self, stm: &'p Stm, segment: &'p Segment) -> Outcome<Vec<Value>> {
        let sizes = segment.space().map(|(_, size)| self.size(size)).collect::<Outcome<Vec<_>>>()?;
        let mut sinks = self.sinks(stm, &segment.screma, &sizes)?;
        let Some((&width, outer)) = sizes.split_last() else {
            return Err(internal("a segment without space"));
        };
        let rows = outer.iter().fold(1usize, |rows, &size| rows.saturating_mul(size));
        for row in 0..rows {
            self.machine.step()?;
            let mut rest = row;
            for (&(counter, _), &size) in segment.outer.iter().zip(outer).rev() {
                self.bind(counter, Value::Scalar(PrimValue::I64((rest % size) as i64)))?;
                rest /= size;
            }
            let first = row * width;
            self.points(&segment.screma, (Some(segment.index), first..first + width), &mut sinks)?;
            sinks.iter_mut().try_for_each(|sink| sink.end_row(row))?;
        }
        Ok(sinks.into_iter().flat_map(SinkState::results).collect())
    }

    /// Evaluates one row of points along the innermost dimension. `numbers` are their numbers in the whole space.
    fn points(
        &mut self,
        screma: &'p Screma,
        (counter, numbers): (Option<Var>, Range<usize>),
        sinks: &mut [SinkState<'p>],
    ) -> Outcome<()> {
        let sources = screma.sources.iter().map(|source| self.source(source)).collect::<Outcome<Vec<_>>>()?;
        let neutral = |frame: &Self, atoms: &[_]| atoms.iter().map(|&atom| frame.value(atom)).collect();
        let mut scans: Vec<Vec<Value>> =
            screma.scans.iter().map(|scan| neutral(self, &scan.neutral)).collect::<Outcome<_>>()?;
        let mut args = Vec::new();
        let mut stream = Vec::new();
        for (index, number) in numbers.enumerate() {
            self.machine.step()?;
            if let Some(counter) = counter {
                self.bind(counter, Value::Scalar(PrimValue::I64(index as i64)))?;
            }
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
            for sink in sinks.iter_mut() {
                self.collect(sink, number, &mut values)?;
            }
        }
        Ok(())
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

    /// The initial states of the sinks of a screma over a space of these sizes.
    fn sinks(&mut self, stm: &'p Stm, screma: &'p Screma, space: &[usize]) -> Outcome<Vec<SinkState<'p>>> {
        let outer = &space[..space.len().saturating_sub(1)];
        let mut binders = stm.binders.iter();
        let mut sinks = Vec::new();
        for sink in &screma.sinks {
            let own: Vec<Var> = binders.by_ref().take(sink.results()).copied().collect();
            sinks.push(match sink {
                Sink::Map => match own[..] {
                    [binder] => SinkState::Map(self.rows(binder, space)?),
                    _ => return Err(internal("a sink without a binder")),
                },
                Sink::Concat { count, size } => match own[..] {
                    [binder] => {
                        let (count, size) = (self.size(*count)?, self.size(*size)?);
                        let points = space.last().map_or(0, |&points| points);
                        if points.saturating_mul(size) < count {
                            return Err(internal("a concatenation has too few points"));
                        }
                        let rows = self.rows(binder, &[outer, &[count]].concat())?;
                        SinkState::Concat(Parts { rows, points, count, size })
                    }
                    _ => return Err(internal("a sink without a binder")),
                },
                Sink::Reduce { op, neutral, .. } => {
                    let neutral =
                        neutral.iter().map(|&atom| self.value(atom)).collect::<Outcome<Vec<_>>>()?;
                    let rows = match outer {
                        [] => Vec::new(),
                        _ => own.iter().map(|&binder| self.rows(binder, outer)).collect::<Outcome<_>>()?,
                    };
                    SinkState::Reduce { op, acc: neutral.clone(), neutral, rows }
                }
                Sink::Write { target, rank } => {
                    SinkState::Write { array: self.target(stm, *target)?, rank: *rank }
                }
                Sink::Combine { targets, op, .. } => {
                    let arrays =
                        targets.iter().map(|&target| self.target(stm, target)).collect::<Outcome<_>>()?;
                    SinkState::Combine { arrays, op }
                }
            });
        }
        Ok(sinks)
    }

    /// Allocates the array of a binder, whose outer dimensions must be `dimensions`; the rest is a row.
    fn rows(&self, binder: Var, dimensions: &[usize]) -> Outcome<Rows> {
        let shape = self.shape(binder)?;
        if !shape.starts_with(dimensions) {
            return Err(internal("a result does not have the sizes of the space"));
        }
        let data = Data::zeros(self.elem(binder), count(&shape)).map_err(Halt::failed_with)?;
        let row = shape[dimensions.len()..].iter().product();
        Ok(Rows { shape, row, data })
    }

    fn target(&mut self, stm: &Stm, target: ravel_core::Var) -> Outcome<Array> {
        match self.operand(stm, ravel_core::Atom::Var(target))? {
            Value::Array(array) => Ok(array),
            Value::Scalar(_) => Err(internal("a scalar is written to")),
        }
    }

    /// Takes a sink's own values from those of a point. `number` is the point's number in the whole space.
    fn collect(
        &mut self,
        sink: &mut SinkState<'p>,
        number: usize,
        values: &mut dyn Iterator<Item = Value>,
    ) -> Outcome<()> {
        let misfit = || internal("a value does not fit its sink");
        match sink {
            SinkState::Map(rows) => rows.put(number, &values.next().ok_or_else(too_few)?),
            SinkState::Concat(parts) => parts.put(number, &values.next().ok_or_else(too_few)?),
            SinkState::Reduce { op, acc, .. } => {
                let count = acc.len();
                self.combine(op, acc, values.take(count))
            }
            SinkState::Write { array, rank } => {
                let indices = values.take(*rank).map(position).collect::<Outcome<Vec<_>>>()?;
                let value = values.next().ok_or_else(too_few)?;
                match array.position(&indices) {
                    Some((at, length)) => put(Rc::make_mut(&mut array.data), at, length, &value)
                        .then_some(())
                        .ok_or_else(misfit),
                    None => Ok(()),
                }
            }
            SinkState::Combine { arrays, op } => {
                let at = values.next().map(position).ok_or_else(too_few)??;
                let count = arrays.len();
                let new: Vec<Value> = values.take(count).collect();
                let inside = |array: &Array| usize::try_from(at).ok().filter(|&at| at < array.shape[0]);
                let Some(at) = arrays.first().and_then(inside) else { return Ok(()) };
                let rows =
                    arrays.iter().map(|array| array.row(at).map_err(Halt::failed_with)?.ok_or_else(misfit));
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

    /// Calls a lambda. Drains `args`, and appends the results to `results`.
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

impl SinkState<'_> {
    /// Stores the reduction of a row of the space, and starts the next one from the neutral element.
    fn end_row(&mut self, row: usize) -> Outcome<()> {
        let SinkState::Reduce { neutral, acc, rows, .. } = self else { return Ok(()) };
        rows.iter_mut().zip(&*acc).try_for_each(|(rows, value)| rows.put(row, value))?;
        if !rows.is_empty() {
            acc.clone_from(neutral);
        }
        Ok(())
    }

    fn results(self) -> Vec<Value> {
        match self {
            SinkState::Map(rows) | SinkState::Concat(Parts { rows, .. }) => vec![rows.array()],
            SinkState::Reduce { acc, rows, .. } if rows.is_empty() => acc,
            SinkState::Reduce { rows, .. } => rows.into_iter().map(Rows::array).collect(),
            SinkState::Write { array, .. } => vec![Value::Array(array)],
            SinkState::Combine { arrays, .. } => arrays.into_iter().map(Value::Array).collect(),
        }
    }
}

fn too_few() -> Box<Halt> {
    internal("a lambda takes or returns another number of values")
}

fn position(value: Value) -> Outcome<i64> {
    match value {
        Value::Scalar(PrimValue::I64(position)) => Ok(position),
        _ => Err(internal("a position is not an i64")),
    }
}
