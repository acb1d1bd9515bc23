//! Perfectly nested maps as one space of several dimensions.
//!
//! ```text
//!   screma n { from xss, as map \(xs, a) -> { let r = screma m { from xs, iota s k map \(x, i) -> B to map } in r } to map }
//!
//!   the space n × m; at each point, B with     x an element of xss at both dimensions,
//!                                              a an element of as at the first,
//!                                              i = s + k times the second
//! ```
//!
//! Each input refers to dimensions by number. So a view of the result only changes the space and the numbers.

use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Origin, Screma, Sink, Source, Stm, Var, VarTable, atom_type,
    free_in_body,
};

/// Perfectly nested maps.
#[derive(Clone)]
pub struct Nest {
    /// The widths, outermost first.
    pub widths: Vec<Atom>,
    /// The inputs at a point.
    pub leaves: Vec<Leaf>,
    /// The computation at a point.
    pub body: Body,
    /// The origin of the inner maps.
    pub origin: Origin,
}

/// An input at a point.
#[derive(Clone)]
pub struct Leaf {
    /// Its value.
    pub elements: Elements,
    /// Its name in the body.
    pub param: Var,
}

/// The value of an input, by the dimensions of the point on which it depends, outermost first.
#[derive(Clone)]
pub enum Elements {
    /// An element or part of an array, at these dimensions of the point.
    Array {
        /// The array.
        array: Var,
        /// The dimensions.
        dims: Vec<usize>,
    },
    /// A start, and a stride along each of these dimensions.
    Iota {
        /// The start.
        start: Atom,
        /// The strides, by dimension.
        strides: Vec<(usize, Atom)>,
    },
}

impl Elements {
    /// The dimensions of the point on which it depends.
    pub fn dims(&self) -> Vec<usize> {
        match self {
            Elements::Array { dims, .. } => dims.clone(),
            Elements::Iota { strides, .. } => strides.iter().map(|&(dim, _)| dim).collect(),
        }
    }
}

impl Nest {
    /// The outer `depth` maps of a construct; `None` if they are not perfectly nested.
    pub fn of(vars: &VarTable, screma: &Screma, depth: usize) -> Option<Nest> {
        let mut nest =
            Nest { widths: Vec::new(), leaves: Vec::new(), body: Body::default(), origin: Origin::default() };
        nest.enter(screma)?;
        while nest.widths.len() < depth {
            let [Stm { binders, exp: Exp::Screma(inner), origin }] = &nest.body.stms[..] else { return None };
            let given = binders.iter().copied().map(Atom::Var);
            if !given.eq(nest.body.result.iter().copied()) {
                return None;
            }
            let inner = inner.clone();
            nest.origin = nest.origin.union(origin);
            nest.enter(&inner)?;
        }
        let used = free_in_body(vars, &nest.body);
        nest.leaves.retain(|leaf| used.contains(&leaf.param));
        Some(nest)
    }

    /// Adds the next inner map.
    fn enter(&mut self, screma: &Screma) -> Option<()> {
        if !only_maps(screma) || self.leaf(screma.width).is_some() {
            return None;
        }
        let dim = self.widths.len();
        self.widths.push(screma.width);
        let outer = self.leaves.clone();
        let known = |atom: Atom| outer.iter().find(|leaf| Atom::Var(leaf.param) == atom);
        for (source, &param) in screma.sources.iter().zip(&screma.map.params) {
            let elements = match *source {
                Source::Array(array) => match known(Atom::Var(array)).map(|leaf| leaf.elements.clone()) {
                    None => Elements::Array { array, dims: vec![dim] },
                    Some(Elements::Array { array, mut dims }) => {
                        dims.push(dim);
                        Elements::Array { array, dims }
                    }
                    Some(Elements::Iota { .. }) => return None,
                },
                Source::Iota { stride, .. } if known(stride).is_some() => return None,
                Source::Iota { start, stride } => match known(start).map(|leaf| leaf.elements.clone()) {
                    None => Elements::Iota { start, strides: vec![(dim, stride)] },
                    Some(Elements::Iota { start, mut strides }) => {
                        strides.push((dim, stride));
                        Elements::Iota { start, strides }
                    }
                    Some(Elements::Array { .. }) => return None,
                },
            };
            self.leaves.push(Leaf { elements, param });
        }
        self.body = screma.map.body.clone();
        Some(())
    }

    fn leaf(&self, atom: Atom) -> Option<&Leaf> {
        self.leaves.iter().find(|leaf| Atom::Var(leaf.param) == atom)
    }

    /// The construct of these maps.
    pub fn construct(&self, b: &mut Builder) -> Screma {
        self.maps_from(b, 0, &mut vec![None; self.leaves.len()])
    }

    /// The map over this dimension, which contains the maps over all inner ones. `taken` has, for each leaf that an outer
    /// map reads, the variable to which that map binds its element or row.
    fn maps_from(&self, b: &mut Builder, dim: usize, taken: &mut Vec<Option<Var>>) -> Screma {
        let (mut sources, mut params) = (Vec::new(), Vec::new());
        for (leaf, taken) in self.leaves.iter().zip(taken.iter_mut()) {
            let (source, is_last) = match &leaf.elements {
                Elements::Array { array, dims } if dims.contains(&dim) => {
                    (Source::Array(taken.unwrap_or(*array)), dims.last() == Some(&dim))
                }
                Elements::Iota { start, strides } => {
                    let Some(&(_, stride)) = strides.iter().find(|(at, _)| *at == dim) else { continue };
                    let start = taken.map_or(*start, Atom::Var);
                    (Source::Iota { start, stride }, strides.last().is_some_and(|&(at, _)| at == dim))
                }
                Elements::Array { .. } => continue,
            };
            let ty = match source {
                Source::Array(array) => b.vars()[array].ty.row(),
                Source::Iota { start, .. } => b.type_of(start),
            };
            let hint = b.vars()[leaf.param].hint;
            let param = if is_last { leaf.param } else { b.fresh(hint, ty) };
            *taken = Some(param);
            sources.push(source);
            params.push(param);
        }
        let body = match dim + 1 == self.widths.len() {
            true => self.body.clone(),
            false => {
                let inner = self.maps_from(b, dim + 1, taken);
                let types = self.body.result.iter().map(|&atom| {
                    let ty = atom_type(b.vars(), atom);
                    self.widths[dim + 1..].iter().rev().fold(ty, |ty, &width| ty.array_of(width))
                });
                let types: Vec<_> = types.collect();
                b.body(|b| b.bind_many(types, Exp::Screma(Box::new(inner))))
            }
        };
        let sinks = vec![Sink::Map; self.body.result.len()];
        let map = Lambda { params, body };
        Screma { width: self.widths[dim], sources, map, scans: Vec::new(), post: None, sinks }
    }
}

/// Whether a construct only maps.
pub fn only_maps(screma: &Screma) -> bool {
    screma.scans.is_empty() && screma.sinks.iter().all(|sink| *sink == Sink::Map)
}
