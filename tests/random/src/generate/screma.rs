//! The parallel construct, with all its sources and sinks.

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::{BinOp, PrimType};

use super::operators::Operator;
use super::scope::Regions;
use super::{Writer, boolean, long};

/// A result of the map lambda, as a sink needs it.
enum ResultKind {
    Value(Type),
    /// A position that no other index writes; it may be out of bounds.
    OwnPosition,
    /// Any position.
    Position,
}

impl Writer {
    pub fn screma(&mut self, depth: usize) {
        let width = self.width();
        // Choose the sinks first: nothing else may use the arrays that they consume.
        let (sinks, wants) = self.sinks();
        let writes = wants.iter().any(|want| matches!(want, ResultKind::OwnPosition));
        let (sources, params) = self.sources(width, writes);
        let counter = sources.iter().position(|source| {
            matches!(source, Source::Iota { start, stride } if *start == Atom::i64(0) && *stride == Atom::i64(1))
        });
        let (mut scans, mut post) = (Vec::new(), None);
        let map = if self.choices.once_in(4) {
            let operators: Vec<Operator> = (0..=self.choices.below(2)).map(|_| self.operator()).collect();
            let scanned: Vec<Type> = operators.iter().flat_map(|operator| operator.types(&self.b)).collect();
            let passing = self.passing();
            let values: Vec<Type> = scanned.iter().chain(&passing).cloned().collect();
            let map = self.lambda(&params, |writer, args| {
                writer.counts(counter.map(|at| args[at]), width);
                writer.statements(depth + 1, 2);
                let mut results: Vec<Atom> = values.iter().map(|ty| writer.value_of(ty)).collect();
                results.push(counter.map_or(Atom::i64(0), |at| args[at]));
                results
            });
            scans = operators
                .into_iter()
                .map(|Operator { op, neutral, .. }| Scan { op, neutral, path: None })
                .collect();
            let types: Vec<(Type, Regions)> =
                values.into_iter().chain([long()]).map(|ty| (ty, Regions::new())).collect();
            let last = types.len() - 1;
            post = Some(self.lambda(&types, |writer, args| {
                if depth < 2 {
                    writer.statements(depth + 1, 2);
                }
                let index = counter.is_some().then(|| args[last]);
                writer.deliver(&wants, index, width)
            }));
            map
        } else {
            self.lambda(&params, |writer, args| {
                let index = counter.map(|at| args[at]);
                writer.counts(index, width);
                writer.statements(depth + 1, 3);
                writer.deliver(&wants, index, width)
            })
        };
        let screma = Screma { width, sources, map, scans, post, sinks };
        for result in self.at_some_level(|b| b.screma_of(screma)) {
            self.add_value(result);
        }
    }

    /// Writes a construct, which may ask for workgroups.
    pub fn at_some_level<T>(&mut self, write: impl FnOnce(&mut Builder) -> T) -> T {
        let attributes = match self.choices.once_in(3) {
            true => vec![Symbol::new("flattening(block)")],
            false => Vec::new(),
        };
        let outer = self.b.set_origin(Origin { attributes, ..Origin::default() });
        let written = write(&mut self.b);
        self.b.set_origin(outer);
        written
    }

    /// A width: usually that of an array in scope, so that constructs can fuse.
    fn width(&mut self) -> Atom {
        match self.array_where(|_| true) {
            Some(array) if !self.choices.once_in(4) => self.b.vars()[array].ty.shape[0],
            _ => self.size().atom,
        }
    }

    /// Adds an index, which is below the width, to the scope.
    fn counts(&mut self, index: Option<Atom>, width: Atom) {
        self.scope.counters.extend(index.map(|index| (index, width)));
    }

    /// The types of values that bypass the scans.
    fn passing(&mut self) -> Vec<Type> {
        (0..self.choices.below(3)).map(|_| Type::scalar(self.prim())).collect()
    }

    /// A scalar, usually a new one, or an array of this type.
    fn value_of(&mut self, ty: &Type) -> Atom {
        match ty.is_scalar() {
            true if ty.elem == PrimType::Bool || self.choices.below(3) == 0 => self.scalar(ty.elem),
            true => self.arithmetic_of(ty.elem),
            false => Atom::Var(self.array_of(ty)),
        }
    }

    fn sinks(&mut self) -> (Vec<Sink>, Vec<ResultKind>) {
        let (mut sinks, mut wants) = (Vec::new(), Vec::new());
        for _ in 0..=self.choices.below(3) {
            let sink = match self.choices.below(10) {
                0..=4 => None,
                5 | 6 => {
                    let operator = self.operator();
                    wants.extend(operator.types(&self.b).into_iter().map(ResultKind::Value));
                    let Operator { op, neutral, commutative } = operator;
                    Some(Sink::Reduce { op, neutral, commutative })
                }
                7 | 8 => self.write_sink(&mut wants),
                _ => self.combined(&mut wants),
            };
            sinks.push(sink.unwrap_or_else(|| {
                let row = self.row();
                wants.push(ResultKind::Value(row));
                Sink::Map
            }));
        }
        (sinks, wants)
    }

    /// The type of a mapped element: usually a scalar, sometimes an array.
    fn row(&mut self) -> Type {
        let elem = self.prim();
        match self.choices.below(6) {
            4 => boolean(),
            5 => Type::scalar(elem).array_of(self.size().atom),
            _ => Type::scalar(elem),
        }
    }

    /// A sink that writes into a consumed array, if there is one; appends the kinds of the results that it takes.
    fn write_sink(&mut self, wants: &mut Vec<ResultKind>) -> Option<Sink> {
        let target = self.consume(|_| true)?;
        let ty = self.b.vars()[target].ty.clone();
        let rank = 1 + self.choices.below(ty.rank());
        wants.push(ResultKind::OwnPosition);
        wants.extend((1..rank).map(|_| ResultKind::Position));
        wants.push(ResultKind::Value(Type::array(ty.elem, ty.shape[rank..].to_vec())));
        Some(Sink::Write { target, rank })
    }

    fn combined(&mut self, wants: &mut Vec<ResultKind>) -> Option<Sink> {
        // The minimum of two floats is not exactly commutative.
        let target = self.consume(|ty| ty.rank() == 1 && !ty.elem.is_float())?;
        let ty = self.b.vars()[target].ty.clone();
        let Operator { op, neutral, .. } = self.simple_operator(ty.elem);
        wants.extend([ResultKind::Position, ResultKind::Value(ty.row())]);
        Some(Sink::Combine { targets: vec![target], op, neutral })
    }

    fn sources(&mut self, width: Atom, counted: bool) -> (Vec<Source>, Vec<(Type, Regions)>) {
        let (mut sources, mut params) = (Vec::new(), Vec::new());
        for _ in 0..self.choices.below(4) {
            let Some(array) = self.array_where(|ty| ty.shape[0] == width) else { break };
            params.push((self.b.vars()[array].ty.row(), self.regions_of(array)));
            sources.push(Source::Array(array));
            // Often it has no other use.
            if self.choices.below(3) < 2 {
                self.scope.arrays.retain(|&known| known != array);
            }
        }
        if counted || self.choices.below(2) == 1 || sources.is_empty() {
            sources.push(Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) });
            params.push((long(), Regions::new()));
        }
        if self.choices.once_in(6) {
            let integers: Vec<PrimType> =
                self.scope.palette.iter().copied().filter(|ty| ty.is_integer()).collect();
            let ty = self.choices.any(&integers);
            sources.push(Source::Iota { start: self.scalar(ty), stride: self.scalar(ty) });
            params.push((Type::scalar(ty), Regions::new()));
        }
        (sources, params)
    }

    /// The values for the sinks.
    fn deliver(&mut self, wants: &[ResultKind], index: Option<Atom>, width: Atom) -> Vec<Atom> {
        let deliver = |writer: &mut Writer, want: &ResultKind| match (want, index) {
            (ResultKind::Value(ty), _) => writer.value_of(ty),
            (ResultKind::OwnPosition, Some(index)) => match writer.choices.below(4) {
                0 | 1 => index,
                2 => writer.b.binary(BinOp::Sub, width, index),
                _ => writer.b.binary(BinOp::Add, index, Atom::i64(1)),
            },
            (ResultKind::OwnPosition, None) => Atom::i64(-1),
            // The other indices of a position that is unique in its first index.
            (ResultKind::Position, _) => match writer.choices.below(3) {
                0 => Atom::i64(0),
                1 => writer.b.binary(BinOp::And, index.unwrap_or(Atom::i64(1)), Atom::i64(3)),
                _ => writer.long(),
            },
        };
        wants.iter().map(|want| deliver(self, want)).collect()
    }
}
