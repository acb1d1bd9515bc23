//! The accesses of a point to the arrays outside of its segment, as functions of the counters of the segment.
//!
//! The analysis steers a choice of layout, which changes no result. So it may be wrong: a scalar that a loop computes counts
//! as unknown, and both sides of a branch count as executed.

use std::collections::{BTreeMap, BTreeSet};

use ravel_core::*;
use ravel_prim::BinOp;

/// The index of an access along one dimension, or another scalar, as a function of counters.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Index {
    /// The counters of the segment that it follows: if one of these grows by 1, so does the index, or it falls by 1.
    follows: BTreeSet<Var>,
    /// The counters of the segment on which it depends in another way.
    varies: BTreeSet<Var>,
    /// Whether it follows the counter of a loop of the thread: the accesses of a thread go through the dimension.
    walks: Option<Walk>,
    /// Whether it may depend on the point in an unknown way.
    is_unknown: bool,
}

/// How far the accesses of a thread go along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Walk {
    /// A constant number of steps.
    Constant,
    /// A number of steps that only the program knows.
    Long,
}

impl Index {
    fn counter(var: Var) -> Index {
        Index { follows: BTreeSet::from([var]), ..Index::default() }
    }

    fn walk(steps: Atom) -> Index {
        let walk = if steps.var().is_some() { Walk::Long } else { Walk::Constant };
        Index { walks: Some(walk), ..Index::default() }
    }

    fn unknown() -> Index {
        Index { is_unknown: true, ..Index::default() }
    }

    /// Whether it is the same for all accesses of all points.
    fn is_invariant(&self) -> bool {
        *self == Index::default()
    }

    /// The sum or difference of two.
    fn plus(&self, other: &Index) -> Index {
        let both = self.follows.intersection(&other.follows);
        let varies: BTreeSet<Var> = self.varies.union(&other.varies).chain(both).copied().collect();
        let follows =
            self.follows.union(&other.follows).filter(|var| !varies.contains(var)).copied().collect();
        let is_unknown = self.is_unknown || other.is_unknown;
        Index { follows, varies, walks: self.walks.max(other.walks), is_unknown }
    }

    /// One of two, chosen by a condition.
    fn or(&self, other: &Index) -> Index {
        let varies: BTreeSet<Var> = self.varies.union(&other.varies).copied().collect();
        let follows =
            self.follows.union(&other.follows).filter(|var| !varies.contains(var)).copied().collect();
        let is_unknown = self.is_unknown || other.is_unknown;
        Index { follows, varies, walks: self.walks.max(other.walks), is_unknown }
    }

    /// A function of it that is not known.
    fn scrambled(&self) -> Index {
        let varies = self.follows.union(&self.varies).copied().collect();
        Index {
            follows: BTreeSet::new(),
            varies,
            walks: None,
            is_unknown: self.is_unknown || self.walks.is_some(),
        }
    }

    /// Whether it follows this counter of the segment.
    pub(super) fn follows(&self, counter: Var) -> bool {
        self.follows.contains(&counter)
    }

    /// Whether it depends on this counter of the segment otherwise, or may do so.
    pub(super) fn is_irregular(&self, counter: Var) -> bool {
        self.is_unknown || self.varies.contains(&counter)
    }

    /// Whether the accesses of all points together reach all of a dimension of this size, as far as can be seen.
    pub(super) fn covers(&self, size: Atom) -> bool {
        match self.walks {
            _ if !self.follows.is_empty() => true,
            Some(Walk::Long) => true,
            Some(Walk::Constant) => size.var().is_none(),
            None => false,
        }
    }
}

/// An array as a part of another one.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The other array.
    pub array: Var,
    /// For each dimension of the other array, what the view selects.
    dims: Vec<Dim>,
}

#[derive(Clone, Debug)]
enum Dim {
    /// A position.
    At(Index),
    /// Positions along this dimension of the view, from `start` on, at a distance of 1 or -1 if they are `close`.
    Along { dim: usize, start: Index, is_close: bool },
}

impl View {
    fn whole(array: Var, rank: usize) -> View {
        let along = |dim| Dim::Along { dim, start: Index::default(), is_close: true };
        View { array, dims: (0..rank).map(along).collect() }
    }

    /// The view in which each dimension becomes what `change` says.
    fn each(&self, mut change: impl FnMut(usize) -> Dim) -> View {
        let dims = self.dims.iter().map(|old| match old {
            Dim::At(_) => old.clone(),
            Dim::Along { dim, start, is_close } => {
                let scaled = |index: &Index| match *is_close || index.is_invariant() {
                    true => start.plus(index),
                    false => start.plus(&Index { walks: index.walks, ..index.scrambled() }),
                };
                match change(*dim) {
                    Dim::At(index) => Dim::At(scaled(&index)),
                    Dim::Along { dim, start: first, is_close: also } => {
                        Dim::Along { dim, start: scaled(&first), is_close: *is_close && also }
                    }
                }
            }
        });
        View { array: self.array, dims: dims.collect() }
    }

    /// The part at these indices of its first dimensions.
    fn at(&self, indices: &[Index]) -> View {
        self.each(|dim| match indices.get(dim) {
            Some(index) => Dim::At(index.clone()),
            None => Dim::Along { dim: dim - indices.len(), start: Index::default(), is_close: true },
        })
    }

    /// The indices into the other array if this part of it is accessed from one end to the other.
    fn indices(&self, vars: &VarTable) -> Vec<Index> {
        let shape = &vars[self.array].ty.shape;
        let index = |(dim, &size): (&Dim, &Atom)| match dim {
            Dim::At(index) => index.clone(),
            Dim::Along { start, .. } => start.plus(&Index::walk(size)),
        };
        self.dims.iter().zip(shape).map(index).collect()
    }

    /// The order in memory of the dimensions of the view, outermost first, if this is the order of the other array's.
    pub(super) fn order(&self, of_array: &[usize]) -> Vec<usize> {
        let kept = |&dim: &usize| match self.dims[dim] {
            Dim::At(_) => None,
            Dim::Along { dim, .. } => Some(dim),
        };
        of_array.iter().filter_map(kept).collect()
    }

    /// The indices into the other array of an access to the view.
    pub(super) fn resolved(&self, indices: &[Index], vars: &VarTable) -> Vec<Index> {
        self.at(indices).indices(vars)
    }
}

/// An access to an element, or to a part from one end to the other.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The array, by the name that the segment uses.
    pub array: Var,
    /// The index along each of its dimensions.
    pub indices: Vec<Index>,
}

/// The accesses of the points of a segment to arrays that are bound outside.
pub(super) fn accesses(vars: &VarTable, segment: &Segment) -> Vec<Access> {
    let mut scan = Accesses::new(vars);
    for (counter, _) in segment.space() {
        scan.scalars.insert(counter, Index::counter(counter));
    }
    let Lambda { params, body } = &segment.screma.map;
    for (&param, source) in params.iter().zip(&segment.screma.sources) {
        let counter = Index::counter(segment.index);
        let index = match source {
            Source::Iota { stride: Atom::Const(stride), .. } if stride.as_i64() == Some(1) => counter,
            Source::Iota { .. } | Source::Array(_) => counter.scrambled(),
        };
        scan.scalars.insert(param, index);
    }
    scan.body(body);
    body.result.iter().for_each(|&result| scan.whole(result));
    scan.seen
}

/// The arrays of host code that are views of others.
pub(super) struct HostViews<'a>(Accesses<'a>);

impl<'a> HostViews<'a> {
    pub(super) fn new(vars: &'a VarTable) -> HostViews<'a> {
        HostViews(Accesses::new(vars))
    }

    /// Whether the statement only names views of arrays and scalars. If so, adds its views.
    pub(super) fn add(&mut self, stm: &Stm) -> bool {
        let is_view = match &stm.exp {
            Exp::Atom(_) | Exp::Slice(..) | Exp::Rearrange(..) => true,
            Exp::Assert { .. } => stm.trace_label().is_none(),
            _ => false,
        };
        if is_view {
            self.0.stm(stm);
        }
        is_view
    }

    /// The view that an array is.
    pub(super) fn get(&self, array: Var) -> Option<&View> {
        self.0.views.get(&array)
    }

    /// The array that it is a view of, or itself.
    pub(super) fn base(&self, array: Var) -> Var {
        self.get(array).map_or(array, |view| view.array)
    }

    /// All views.
    pub(super) fn finish(self) -> BTreeMap<Var, View> {
        self.0.views
    }
}

struct Accesses<'a> {
    vars: &'a VarTable,
    scalars: BTreeMap<Var, Index>,
    views: BTreeMap<Var, View>,
    /// The arrays that the point itself makes.
    own: BTreeSet<Var>,
    seen: Vec<Access>,
}

impl<'a> Accesses<'a> {
    fn new(vars: &'a VarTable) -> Accesses<'a> {
        let (scalars, views, own) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Accesses { vars, scalars, views, own, seen: Vec::new() }
    }

    fn scalar(&self, atom: Atom) -> Index {
        atom.var().and_then(|var| self.scalars.get(&var).cloned()).unwrap_or_default()
    }

    /// The array as a part of one outside; `None` if the point makes it.
    fn view(&self, array: Var) -> Option<View> {
        match self.own.contains(&array) {
            true => None,
            false => {
                let whole = || View::whole(array, self.vars[array].ty.rank());
                Some(self.views.get(&array).cloned().unwrap_or_else(whole))
            }
        }
    }

    fn bind_view(&mut self, binder: Var, view: Option<View>) {
        match view {
            Some(view) => _ = self.views.insert(binder, view),
            None => _ = self.own.insert(binder),
        }
    }

    /// Another name for a value.
    fn rename(&mut self, binder: Var, value: Atom) {
        match value {
            Atom::Var(var) if !self.vars[var].ty.is_scalar() => {
                let view = self.view(var);
                self.bind_view(binder, view);
            }
            _ => _ = self.scalars.insert(binder, self.scalar(value)),
        }
    }

    fn access(&mut self, array: Var, indices: &[Index]) {
        if let Some(view) = self.view(array) {
            let indices = view.at(indices).indices(self.vars);
            self.seen.push(Access { array: view.array, indices });
        }
    }

    /// If the value is an array, all of it is read.
    fn whole(&mut self, value: Atom) {
        if let Atom::Var(var) = value
            && !self.vars[var].ty.is_scalar()
        {
            self.access(var, &[]);
        }
    }

    /// Binds what the thread computes in a way that is not followed.
    fn made(&mut self, binders: &[Var]) {
        for &binder in binders {
            match self.vars[binder].ty.is_scalar() {
                true => _ = self.scalars.insert(binder, Index::unknown()),
                false => _ = self.own.insert(binder),
            }
        }
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm) {
        let binders = &stm.binders;
        match (&stm.exp, &binders[..]) {
            (Exp::Atom(value), &[binder]) => self.rename(binder, *value),
            (Exp::Convert(_, a), &[binder]) => _ = self.scalars.insert(binder, self.scalar(*a)),
            (Exp::Binary(BinOp::Add | BinOp::Sub, a, b), &[binder]) => {
                _ = self.scalars.insert(binder, self.scalar(*a).plus(&self.scalar(*b)));
            }
            (Exp::Binary(BinOp::Min | BinOp::Max, a, b), &[binder]) => {
                _ = self.scalars.insert(binder, self.scalar(*a).or(&self.scalar(*b)));
            }
            (Exp::Unary(_, a) | Exp::Trust(a), &[binder]) => {
                _ = self.scalars.insert(binder, self.scalar(*a).scrambled());
            }
            (Exp::Binary(_, a, b) | Exp::Compare(_, a, b), &[binder]) => {
                let index = self.scalar(*a).scrambled().or(&self.scalar(*b).scrambled());
                self.scalars.insert(binder, index);
            }
            (Exp::Index(array, indices), &[binder]) => {
                let indices: Vec<Index> = indices.iter().map(|&index| self.scalar(index)).collect();
                self.access(*array, &indices);
                let sum = indices.iter().fold(Index::default(), |sum, index| sum.or(&index.scrambled()));
                let from_own = self.own.contains(array);
                self.scalars.insert(binder, if from_own { Index::unknown() } else { sum });
            }
            (Exp::Slice(array, dims), &[binder]) => {
                let view = self.view(*array).map(|view| self.slice(&view, dims));
                self.bind_view(binder, view);
            }
            (Exp::Rearrange(array, perm), &[binder]) => {
                let place = |dim| perm.iter().position(|&from| from == dim).expect("verified: a permutation");
                let along = |dim| Dim::Along { dim: place(dim), start: Index::default(), is_close: true };
                let view = self.view(*array).map(|view| view.each(along));
                self.bind_view(binder, view);
            }
            (Exp::Manifest(_, array, _), &[binder]) => {
                let view = self.view(*array);
                self.bind_view(binder, view);
            }
            (Exp::Assert { values, .. }, _) => {
                binders.iter().zip(values).for_each(|(&binder, &value)| self.rename(binder, value));
            }
            (Exp::If { then, otherwise, .. }, _) => {
                self.body(then);
                self.body(otherwise);
                for ((&binder, &yes), &no) in binders.iter().zip(&then.result).zip(&otherwise.result) {
                    match self.vars[binder].ty.is_scalar() {
                        true => _ = self.scalars.insert(binder, self.scalar(yes).or(&self.scalar(no))),
                        false => {
                            self.whole(yes);
                            self.whole(no);
                            self.own.insert(binder);
                        }
                    }
                }
            }
            (Exp::Loop(Loop { params, form, body }), _) => {
                for &(param, value) in params {
                    match self.vars[param].ty.is_scalar() {
                        true => _ = self.scalars.insert(param, Index::unknown()),
                        false => self.rename(param, value),
                    }
                }
                if let LoopForm::For { index, bound } = form {
                    self.scalars.insert(*index, Index::walk(*bound));
                }
                self.body(body);
                self.made(binders);
            }
            (Exp::Screma(screma), _) => {
                self.screma(screma);
                self.made(binders);
            }
            (Exp::Copy(array) | Exp::Reshape(array), _) => {
                self.whole(Atom::Var(*array));
                self.made(binders);
            }
            (Exp::Update { array, value, .. }, &[binder]) => {
                self.whole(*value);
                let view = self.view(*array);
                self.bind_view(binder, view);
            }
            (Exp::ArrayLit(values), _) => {
                values.iter().for_each(|&value| self.whole(value));
                self.made(binders);
            }
            (Exp::Replicate { value, .. }, _) => {
                self.whole(*value);
                self.made(binders);
            }
            (Exp::Concat(arrays), _) => {
                arrays.iter().for_each(|&array| self.whole(Atom::Var(array)));
                self.made(binders);
            }
            (Exp::Call(call), _) => {
                call.args.iter().for_each(|&arg| self.whole(arg));
                self.made(binders);
            }
            _ => self.made(binders),
        }
    }

    fn slice(&self, view: &View, dims: &[DimSlice]) -> View {
        let mut kept = 0;
        let dims: Vec<Dim> = dims
            .iter()
            .map(|dim| match *dim {
                DimSlice::Fix(index) => Dim::At(self.scalar(index)),
                DimSlice::Range { start, stride, .. } => {
                    kept += 1;
                    let is_close =
                        matches!(stride, Atom::Const(stride) if matches!(stride.as_i64(), Some(1 | -1)));
                    Dim::Along { dim: kept - 1, start: self.scalar(start), is_close }
                }
            })
            .collect();
        view.each(|dim| dims[dim].clone())
    }

    /// A construct, which is a loop of the thread.
    fn screma(&mut self, screma: &Screma) {
        let walk = Index::walk(screma.width);
        for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
            match source {
                Source::Iota { start, .. } => {
                    self.scalars.insert(param, self.scalar(*start).plus(&walk));
                }
                Source::Array(array) if self.vars[param].ty.is_scalar() => {
                    self.access(*array, std::slice::from_ref(&walk));
                    self.scalars.insert(param, Index::unknown());
                }
                Source::Array(array) => {
                    let row = self.view(*array).map(|view| view.at(std::slice::from_ref(&walk)));
                    self.bind_view(param, row);
                }
            }
        }
        self.body(&screma.map.body);
        screma.map.body.result.iter().for_each(|&result| self.whole(result));
        for lambda in screma.lambdas().skip(1) {
            self.made(&lambda.params);
            self.body(&lambda.body);
        }
    }
}
