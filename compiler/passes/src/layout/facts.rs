//! What host code does with its arrays: the views that it names, the segments that read them, and other uses.

use std::collections::{BTreeMap, BTreeSet};

use ravel_core::visit::Visit;
use ravel_core::*;

use super::access::{Access, HostViews, Index, View, accesses};
use super::choice::only_maps_scalars;

/// The uses of the arrays of a function. An array that is not a view of another one stands for all of its views.
pub(super) struct Facts {
    views: BTreeMap<Var, View>,
    readers: BTreeMap<Var, Vec<Reader>>,
    used_by_host: BTreeSet<Var>,
}

/// An access of a segment to an array.
pub(super) struct Reader {
    /// The index along each dimension of the array.
    pub indices: Vec<Index>,
    /// The innermost counter of the segment.
    pub counter: Var,
    /// Whether another counter may become the innermost one.
    pub is_movable: bool,
}

impl Facts {
    pub(super) fn of(vars: &VarTable, body: &Body) -> Facts {
        let (readers, used_by_host) = (BTreeMap::new(), BTreeSet::new());
        let mut scan = Scan { vars, views: HostViews::new(vars), readers, used_by_host };
        scan.body(body);
        let Scan { views, readers, used_by_host, .. } = scan;
        Facts { views: views.finish(), readers, used_by_host }
    }

    /// The view that an array is.
    pub(super) fn view(&self, array: Var) -> Option<&View> {
        self.views.get(&array)
    }

    /// The accesses of segments to an array.
    pub(super) fn readers(&self, array: Var) -> &[Reader] {
        self.readers.get(&array).map_or(&[], |readers| readers)
    }

    /// Whether something else than a segment of threads uses the array, or consumes it.
    pub(super) fn is_used_by_host(&self, array: Var) -> bool {
        self.used_by_host.contains(&array)
    }
}

struct Scan<'a> {
    vars: &'a VarTable,
    views: HostViews<'a>,
    readers: BTreeMap<Var, Vec<Reader>>,
    used_by_host: BTreeSet<Var>,
}

impl Visit for Scan<'_> {
    /// A use that is not that of a view or of a segment of threads.
    fn var(&mut self, var: &Var) {
        self.used_by_host.insert(self.views.base(*var));
    }

    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        if self.views.add(stm) {
            return;
        }
        match &stm.exp {
            Exp::Segment(segment) if segment.points == Level::Thread => self.segment(segment, &stm.binders),
            exp => self.exp(exp),
        }
    }
}

impl Scan<'_> {
    fn segment(&mut self, segment: &Segment, binders: &[Var]) {
        let is_movable = only_maps_scalars(self.vars, segment, binders);
        for Access { array, indices } in accesses(self.vars, segment) {
            let (array, indices) = match self.views.get(array) {
                Some(view) => (view.array, view.resolved(&indices, self.vars)),
                None => (array, indices),
            };
            let reader = Reader { indices, counter: segment.index, is_movable };
            self.readers.entry(array).or_default().push(reader);
        }
        for sink in &segment.screma.sinks {
            match sink {
                Sink::Write { target, .. } => self.var(target),
                Sink::Combine { targets, .. } => targets.iter().for_each(|target| self.var(target)),
                Sink::Map | Sink::Reduce { .. } | Sink::Concat { .. } => (),
            }
        }
    }
}
