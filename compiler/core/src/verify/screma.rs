//! Checks that the parts of a Screma fit together.

use ravel_prim::PrimType;

use super::check::Checker;
use super::{Fault, Verified, fault, require};
use crate::syntax::*;

/// Adds the name of the faulty part to the message.
pub(super) fn within<T>(part: &str, result: Verified<T>) -> Verified<T> {
    result.map_err(|fault| Fault { message: format!("{part}: {}", fault.message), ..fault })
}

/// The context in which the points of a Screma run.
pub(super) struct PointContext<'a> {
    /// The counters that the points may use.
    pub(super) counters: &'a [Var],
    /// The level of the points.
    pub(super) points: Level,
}

impl Checker<'_> {
    /// Checks a Screma that is not part of a segment, so that its points are thread code. Returns the types of its
    /// results.
    pub(super) fn screma(&mut self, screma: &Screma) -> Verified<Vec<Type>> {
        require(self.level != Level::Workgroup, || {
            "a construct that is not a segment is in the body of a workgroup".to_owned()
        })?;
        require(!screma.sinks.iter().any(is_concat), || {
            "a construct that is not a segment concatenates".to_owned()
        })?;
        self.screma_at(screma, PointContext { counters: &[], points: Level::Thread })
    }

    /// Checks a Screma whose points have this context, and returns the types of its results along its width.
    pub(super) fn screma_at(&mut self, screma: &Screma, place: PointContext<'_>) -> Verified<Vec<Type>> {
        let level = std::mem::replace(&mut self.level, Level::Thread);
        let results = self.parts(screma, place)?;
        self.level = level;
        Ok(results)
    }

    fn parts(&mut self, screma: &Screma, place: PointContext<'_>) -> Verified<Vec<Type>> {
        self.expect_scalar(screma.width, PrimType::I64)?;
        let mut elements = Vec::new();
        for source in &screma.sources {
            elements.push(match *source {
                Source::Array(array) => {
                    let ty = self.array(array)?;
                    require(ty.shape[0] == screma.width, || {
                        let (array, width) = (self.show(Atom::Var(array)), self.show(screma.width));
                        format!("the source `{array}` has type {}, not width {width}", self.show_type(ty))
                    })?;
                    ty.row()
                }
                Source::Iota { start, stride } => self.iota(start, stride)?,
            });
        }
        let concatenated = screma.sink_ranges().filter(|(sink, ..)| is_concat(sink));
        let mut own_size: Vec<usize> = concatenated.flat_map(|(_, _, values)| values).collect();
        let of_post = screma.post.as_ref().map(|_| std::mem::take(&mut own_size)).unwrap_or_default();
        let mut stream = within("map", self.point(&screma.map, &elements, &place, &own_size))?;
        let mut scanned = Vec::new();
        for scan in &screma.scans {
            scanned.extend(within("scan", self.operator(&scan.op, &scan.neutral))?);
        }
        require(stream.len() >= scanned.len(), || {
            format!("the scans take {} values, map returns {}", scanned.len(), stream.len())
        })?;
        for (given, taken) in stream.iter().zip(&scanned) {
            self.same(given, taken, || "an operand of a scan".to_owned())?;
        }
        if let Some(post) = &screma.post {
            require(!screma.scans.is_empty(), || "there is a post lambda but no scan".to_owned())?;
            stream = within("post", self.point(post, &stream, &place, &of_post))?;
        }
        let taken: usize = screma.sinks.iter().map(Sink::arity).sum();
        require(taken == stream.len(), || {
            format!("the sinks take {taken} values of the {} there are", stream.len())
        })?;
        let mut results = Vec::new();
        let mut rest = &stream[..];
        for sink in &screma.sinks {
            let (values, others) = rest.split_at(sink.arity());
            rest = others;
            results.extend(self.sink(sink, values, screma.width)?);
        }
        Ok(results)
    }

    /// Checks the code of a point, applied to values of these types, and returns the types of its results. The results in
    /// `own_size` may have an outer size that only the point knows.
    fn point(
        &mut self,
        lambda: &Lambda,
        args: &[Type],
        place: &PointContext<'_>,
        own_size: &[usize],
    ) -> Verified<Vec<Type>> {
        let mark = self.enter();
        place.counters.iter().for_each(|&counter| self.rebind(counter));
        self.level = place.points;
        let results = self.dependent_lambda(lambda, args)?;
        self.level = Level::Thread;
        self.leave(mark);
        for (at, ty) in results.iter().enumerate() {
            let outer = usize::from(own_size.contains(&at));
            let is_array = require(ty.rank() >= outer, || "a concatenated value is a scalar".to_owned());
            self.of_results(is_array.and_then(|()| self.require_in_scope(&ty.shape[outer..], ty)))?;
        }
        Ok(results)
    }

    /// Checks a lambda applied to values of these types and returns the types of its results.
    pub(super) fn lambda(&mut self, lambda: &Lambda, args: &[Type]) -> Verified<Vec<Type>> {
        let results = self.dependent_lambda(lambda, args)?;
        self.of_results(results.iter().try_for_each(|ty| self.require_in_scope(&ty.shape, ty)))?;
        Ok(results)
    }

    /// As [`Checker::lambda`], but the argument types may name the first parameters, and the types of
    /// the results may name variables of the lambda.
    pub(super) fn dependent_lambda(&mut self, lambda: &Lambda, args: &[Type]) -> Verified<Vec<Type>> {
        require(lambda.params.len() == args.len(), || {
            format!("{} parameters for {} values", lambda.params.len(), args.len())
        })?;
        let mark = self.enter();
        for (&param, arg) in lambda.params.iter().zip(args) {
            self.bind(param)?;
            self.expect(Atom::Var(param), arg)?;
        }
        let results = self.body(&lambda.body)?;
        self.leave(mark);
        Ok(results)
    }

    /// Demands that these sizes in the type of a result are in scope outside the lambda.
    pub(super) fn require_in_scope(&self, sizes: &[Atom], ty: &Type) -> Verified {
        let known = sizes.iter().all(|&size| self.ty(size).is_ok());
        require(known, || format!("the result type {} names a variable of the lambda", self.show_type(ty)))
    }

    /// Checks an operator with its neutral element and returns the types of the values it combines.
    fn operator(&mut self, op: &Lambda, neutral: &[Atom]) -> Verified<Vec<Type>> {
        require(!neutral.is_empty(), || "an operator on no values".to_owned())?;
        let types = self.types(neutral)?;
        let results = self.lambda(op, &[types.clone(), types.clone()].concat())?;
        let number = require(results.len() == types.len(), || {
            format!("the operator returns {} values, its neutral element has {}", results.len(), types.len())
        });
        self.of_results(number)?;
        for (result, ty) in results.iter().zip(&types) {
            self.of_results(self.same(result, ty, || "a result of the operator".to_owned()))?;
        }
        Ok(types)
    }

    /// Checks a sink that takes values of these types and returns the types of its results.
    fn sink(&mut self, sink: &Sink, values: &[Type], width: Atom) -> Verified<Vec<Type>> {
        match sink {
            Sink::Map => Ok(values.iter().map(|ty| ty.array_of(width)).collect()),
            Sink::Concat { count, size } => {
                self.expect_scalar(*count, PrimType::I64)?;
                self.expect_scalar(*size, PrimType::I64)?;
                Ok(vec![values[0].row().array_of(*count)])
            }
            Sink::Reduce { op, neutral, .. } => {
                let types = within("reduce", self.operator(op, neutral))?;
                for (value, ty) in values.iter().zip(&types) {
                    self.same(value, ty, || "an operand of a reduce".to_owned())?;
                }
                Ok(types)
            }
            Sink::Write { target, rank } => {
                let ty = self.array(*target)?;
                require((1..=ty.rank()).contains(rank), || {
                    format!("rank {rank} into {} dimensions", ty.rank())
                })?;
                self.indices(&values[..*rank])?;
                let part = Type::array(ty.elem, ty.shape[*rank..].to_vec());
                self.same(&values[*rank], &part, || "a value written".to_owned())?;
                Ok(vec![ty.clone()])
            }
            Sink::Combine { targets, op, neutral } => {
                let types = within("combine", self.operator(op, neutral))?;
                require(types.len() == targets.len(), || {
                    format!("{} targets for an operator on {} values", targets.len(), types.len())
                })?;
                self.indices(&values[..1])?;
                let mut results = Vec::new();
                for ((&target, value), ty) in targets.iter().zip(&values[1..]).zip(&types) {
                    self.same(value, ty, || "a value combined".to_owned())?;
                    let target_type = self.array(target)?.clone();
                    let target_name = || format!("a row of `{}`", self.show(Atom::Var(target)));
                    self.same(&target_type.row(), ty, target_name)?;
                    results.push(target_type);
                }
                if results.iter().any(|ty| ty.shape[0] != results[0].shape[0]) {
                    return fault("the targets of a combine differ in size");
                }
                Ok(results)
            }
        }
    }

    fn indices(&self, types: &[Type]) -> Verified {
        let index = Type::scalar(PrimType::I64);
        types.iter().try_for_each(|ty| self.same(ty, &index, || "an index".to_owned()))
    }
}

fn is_concat(sink: &Sink) -> bool {
    matches!(sink, Sink::Concat { .. })
}
