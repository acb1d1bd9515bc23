//! Views between a construct and its readers: the statements that are views, and the one that reads each array.

use ravel_core::{Atom, DimSlice, Exp, Source, Stm, Var, VarTable};
use rustc_hash::FxHashMap;

use super::{CHECK, REARRANGE, RESHAPE, SLICE};
use crate::fuse::graph::{Graph, Node};

/// A construct whose results are all read through views, by positions of statements.
pub(super) struct ViewedProducer {
    pub(super) rule: &'static str,
    /// The array of the first view.
    pub(super) array: Var,
    pub(super) producer: usize,
    /// The views in order: one for each result, or a single check of all.
    pub(super) views: Vec<usize>,
    /// The names of the viewed results, in the order of the construct's results.
    pub(super) names: Vec<Var>,
}

/// A construct that reads an array, possibly through views.
pub(super) struct Reader<'g> {
    pub(super) node: &'g Node,
    /// The name under which the construct reads the array.
    pub(super) name: Var,
    /// Whether neither the array nor any of the views has another use.
    pub(super) alone: bool,
}

/// For each array, the statement that reads it element by element or views it, by the first binder of the statement.
/// If there are several, the last one.
pub(super) struct Readers(FxHashMap<Var, Var>);

impl Readers {
    pub(super) fn of(graph: &Graph) -> Readers {
        let mut readers = FxHashMap::default();
        for node in (0..graph.positions()).filter_map(|at| graph.node(at)) {
            let Some(&reader) = node.stm.binders.first() else { continue };
            let read: Vec<Var> = match &node.stm.exp {
                Exp::Slice(array, _) | Exp::Rearrange(array, _) | Exp::Reshape(array) => vec![*array],
                Exp::Assert { values, .. } => values.iter().filter_map(|value| value.var()).collect(),
                Exp::Screma(screma) => screma.sources.iter().filter_map(Source::array).collect(),
                Exp::Stream(stream) => stream.sources.clone(),
                _ => Vec::new(),
            };
            readers.extend(read.into_iter().map(|array| (array, reader)));
        }
        Readers(readers)
    }

    /// The position of the reader of an array.
    pub(super) fn position(&self, graph: &Graph, array: Var) -> Option<usize> {
        graph.position(*self.0.get(&array)?)
    }
}

/// Whether this may be a view.
pub(super) fn may_be_view(exp: &Exp) -> bool {
    matches!(exp, Exp::Slice(..) | Exp::Rearrange(..) | Exp::Reshape(_) | Exp::Assert { .. })
}

/// The viewed array, and the rule for this view.
pub(super) fn view(vars: &VarTable, stm: &Stm, mapped: &dyn Fn(Var) -> bool) -> Option<(&'static str, Var)> {
    match &stm.exp {
        Exp::Slice(array, dims) => {
            let all = vars[*array].ty.shape.iter().copied().map(DimSlice::whole);
            let in_part = matches!(dims[0], DimSlice::Range { .. }) && !dims.iter().copied().eq(all);
            in_part.then_some((SLICE, *array))
        }
        Exp::Rearrange(array, _) => Some((REARRANGE, *array)),
        Exp::Reshape(array) => Some((RESHAPE, *array)),
        Exp::Assert { values, .. } if stm.trace_label().is_none() => {
            let is_array = |var: &Var| !vars[*var].ty.is_scalar();
            let array =
                values.iter().filter_map(|value| value.var()).filter(is_array).find(|&var| mapped(var))?;
            Some((CHECK, array))
        }
        _ => None,
    }
}

/// The number of inner dimensions that a reshape does not change. At least one of each shape counts as changed.
pub(super) fn unchanged_dimensions(old: &[Atom], new: &[Atom]) -> usize {
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    same.min(old.len() - 1).min(new.len() - 1)
}
