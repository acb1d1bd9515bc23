//! Parallel intrinsics: each becomes one screma.

use ravel_base::Limitation;
use ravel_core::{
    Atom, Exp, Lambda, Origin, Scan, Screma, Sink, Source, Type, Var, free_in_body, screma_types,
};

use crate::cx::{Lowered, Lowering};
use crate::errors::{bug, limitation};
use crate::sizes::{Ty, stated_sizes};
use crate::value::Value;

/// The name of the rule by which a scatter becomes a screma, after figure 2 of Henriksen et al., "Modular Acceleration:
/// Tricky Cases of Functional High-Performance Computing" (FHPC 2018).
pub(crate) const SCATTER: &str = "scatter-construct";

impl<'a> Lowering<'_, 'a> {
    /// Applies the function to every element.
    ///
    /// If the shape of the function's result does not depend on the element, it is the shape of an element of the
    /// result. Otherwise the type of the result states the shape.
    pub fn map(&mut self, f: &Value<'a>, array: &Value<'a>, result: &Ty) -> Lowered<Value<'a>> {
        let Ty::Array(row, Some(width)) = result else {
            return Err(bug(self.span, "a map over an array of unknown size"));
        };
        let row = self.natural_ty((**row).clone());
        let width = self.natural(*width);
        let mark = self.mark();
        let (params, element) = self.elements(array)?;
        self.open();
        let value = self.apply(f.clone(), vec![element])?;
        let mut results = Vec::new();
        let stated = stated_sizes(&value, &row);
        for (leaf, stated) in self.leaves(&value)?.into_iter().zip(stated) {
            let sizes = self.common_sizes(leaf, &stated, mark)?;
            results.push(self.retype(leaf, &sizes));
        }
        let sinks = vec![Sink::Map; results.len()];
        let map = self.close_lambda(params, results);
        let sources = self.sources(array)?;
        let checks = self.checks_beyond([width], array.data());
        let counts = !checks.is_empty() && {
            let free = free_in_body(self.builder.vars(), &map.body);
            map.params.iter().all(|param| !free.contains(param))
        };
        let arrays = self.builder.screma(width, sources, map, sinks);
        let value = value.with_leaves(&mut arrays.into_iter());
        // A function that ignores the elements uses only the size.
        if counts { value.map_leaves(&mut |leaf| Ok(self.dependent(leaf, &checks))) } else { Ok(value) }
    }

    /// The sizes of a function's result, which must be the same for all elements. A size that was computed before
    /// `mark` does not depend on the element. For any other size the stated one is used. If none is stated, rows may
    /// differ in size, which is a limitation.
    pub fn common_sizes(
        &self,
        leaf: Atom,
        stated: &[Option<Atom>],
        mark: usize,
    ) -> Lowered<Vec<Option<Atom>>> {
        let shape = self.builder.type_of(leaf).shape.into_iter().enumerate();
        let known = shape.map(|(depth, size)| match stated.get(depth).copied().flatten() {
            _ if self.defined_before(size, mark) => Ok(Some(size)),
            Some(stated) => Ok(Some(stated)),
            None => Err(limitation(Limitation::IrregularArray, self.span)),
        });
        known.collect()
    }

    /// The reduction of an array.
    pub fn reduce(
        &mut self,
        op: &Value<'a>,
        neutral: &Value<'a>,
        array: &Value<'a>,
        commutative: bool,
    ) -> Lowered<Value<'a>> {
        let (op, atoms) = self.operator(op, neutral, array)?;
        if atoms.is_empty() {
            return Ok(neutral.clone());
        }
        let sinks = vec![Sink::Reduce { op, neutral: atoms, commutative }];
        let results = self.identity_screma(array, Vec::new(), sinks)?;
        Ok(neutral.with_leaves(&mut results.into_iter()))
    }

    /// The scan of an array.
    pub fn scan(&mut self, op: &Value<'a>, neutral: &Value<'a>, array: &Value<'a>) -> Lowered<Value<'a>> {
        let (op, atoms) = self.operator(op, neutral, array)?;
        if atoms.is_empty() {
            return Ok(array.clone());
        }
        let sinks = vec![Sink::Map; atoms.len()];
        let scan = Scan { op, neutral: atoms, path: Some(self.path()) };
        let results = self.identity_screma(array, vec![scan], sinks)?;
        Ok(array.with_leaves(&mut results.into_iter()))
    }

    /// The target after values are written to positions, which one array for each dimension states. A scatter becomes a
    /// screma with a write sink; the origin records this as the rule scatter-construct.
    pub fn scatter(
        &mut self,
        target: &Value<'a>,
        indices: &Value<'a>,
        values: &Value<'a>,
    ) -> Lowered<Value<'a>> {
        let indices = self.leaves(indices)?;
        let values = self.leaves(values)?;
        let rank = indices.len();
        let mut stream = Vec::new();
        let mut sinks = Vec::new();
        for (leaf, value) in self.leaves(target)?.into_iter().zip(&values) {
            let outer = self.builder.type_of(*value).shape[0];
            let row = &self.builder.type_of(leaf).shape[rank..];
            let sizes: Vec<_> = std::iter::once(outer).chain(row.iter().copied()).map(Some).collect();
            stream.extend(indices.iter().copied());
            stream.push(self.retype(*value, &sizes));
            sinks.push(Sink::Write { target: self.var(leaf)?, rank });
        }
        let outer = self.builder.set_origin(Origin::default());
        let mut origin = outer.clone();
        origin.add_rule(SCATTER);
        self.builder.set_origin(origin);
        let results = self.stream(&stream, sinks);
        self.builder.set_origin(outer);
        Ok(target.with_leaves(&mut results?.into_iter()))
    }

    /// The target after values are combined into the elements at positions.
    pub fn reduce_by_index(
        &mut self,
        target: &Value<'a>,
        op: &Value<'a>,
        neutral: &Value<'a>,
        index: &Value<'a>,
        values: &Value<'a>,
    ) -> Lowered<Value<'a>> {
        let (op, neutral) = self.operator(op, neutral, target)?;
        let targets =
            self.leaves(target)?.into_iter().map(|leaf| self.var(leaf)).collect::<Lowered<Vec<_>>>()?;
        let mut stream = self.leaves(index)?;
        for (value, &target) in self.leaves(values)?.into_iter().zip(&targets) {
            let outer = self.builder.type_of(value).shape[0];
            let row = &self.builder.vars()[target].ty.shape[1..];
            let sizes: Vec<_> = std::iter::once(outer).chain(row.iter().copied()).map(Some).collect();
            stream.push(self.retype(value, &sizes));
        }
        let results = self.stream(&stream, vec![Sink::Combine { targets, op, neutral }])?;
        Ok(target.with_leaves(&mut results.into_iter()))
    }

    /// Parameters for the leaves of one element of the array, and the element.
    fn elements(&mut self, array: &Value<'a>) -> Lowered<(Vec<Var>, Value<'a>)> {
        let mut params = Vec::new();
        let element = array.map_leaves(&mut |leaf| {
            let row = self.builder.type_of(leaf).row();
            let param = self.builder.fresh(None, row);
            params.push(param);
            Ok::<_, Box<ravel_base::Diagnostic>>(Atom::Var(param))
        })?;
        Ok((params, element))
    }

    fn sources(&self, array: &Value<'a>) -> Lowered<Vec<Source>> {
        let leaves = self.leaves(array)?;
        leaves.into_iter().map(|leaf| self.var(leaf).map(Source::Array)).collect()
    }

    /// An operator on elements of the array as a lambda, and its neutral element.
    fn operator(
        &mut self,
        op: &Value<'a>,
        neutral: &Value<'a>,
        array: &Value<'a>,
    ) -> Lowered<(Lambda, Vec<Atom>)> {
        let rows: Vec<Vec<Option<Atom>>> = self
            .leaves(array)?
            .into_iter()
            .map(|leaf| self.builder.type_of(leaf).row().shape.into_iter().map(Some).collect())
            .collect();
        let neutral = self.leaves(neutral)?;
        let neutral: Vec<Atom> =
            neutral.into_iter().zip(&rows).map(|(leaf, sizes)| self.retype(leaf, sizes)).collect();
        let (mut params, first) = self.elements(array)?;
        let (others, second) = self.elements(array)?;
        params.extend(others);
        self.open();
        let combined = self.apply(op.clone(), vec![first, second])?;
        let combined = self.leaves(&combined)?;
        let results = combined.into_iter().zip(&rows).map(|(leaf, sizes)| self.retype(leaf, sizes)).collect();
        Ok((self.close_lambda(params, results), neutral))
    }

    /// A screma that maps the elements of the array by the identity.
    fn identity_screma(
        &mut self,
        array: &Value<'a>,
        scans: Vec<Scan>,
        sinks: Vec<Sink>,
    ) -> Lowered<Vec<Atom>> {
        let leaves = self.leaves(array)?;
        self.screma(&leaves, scans, sinks)
    }

    /// A screma that passes the elements of these arrays to the sinks, in order.
    fn stream(&mut self, arrays: &[Atom], sinks: Vec<Sink>) -> Lowered<Vec<Atom>> {
        self.screma(arrays, Vec::new(), sinks)
    }

    fn screma(&mut self, arrays: &[Atom], scans: Vec<Scan>, sinks: Vec<Sink>) -> Lowered<Vec<Atom>> {
        let mut sources: Vec<(Atom, Var)> = Vec::new();
        let mut stream = Vec::new();
        for &array in arrays {
            let known = sources.iter().find(|(known, _)| *known == array).map(|(_, param)| *param);
            let param = known.unwrap_or_else(|| {
                let row = self.builder.type_of(array).row();
                let param = self.builder.fresh(None, row);
                sources.push((array, param));
                param
            });
            stream.push(Atom::Var(param));
        }
        let Some(&(first, _)) = sources.first() else { return Ok(Vec::new()) };
        let width = self.builder.type_of(first).shape[0];
        self.open();
        let map = self.close_lambda(sources.iter().map(|(_, param)| *param).collect(), stream);
        let sources = sources
            .into_iter()
            .map(|(array, _)| self.var(array).map(Source::Array))
            .collect::<Lowered<Vec<_>>>()?;
        let screma = Screma { width, sources, map, scans, post: None, sinks };
        let types: Vec<Type> = screma_types(self.builder.vars(), &screma);
        Ok(self.builder.bind_many(types, Exp::Screma(Box::new(screma))))
    }
}
