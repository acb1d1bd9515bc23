//! The premises under which a view is pushed to the inputs of its maps.

use ravel_core::{Atom, DimSlice, Exp, Var};

use super::nest::{Elements, Leaf, Nest, only_maps};
use super::readers::{Reader, Readers, ViewedProducer};
use super::{
    CHECK, CHECKED_SOURCE, NO_CONSUMPTION_BETWEEN, NO_REPEAT, ONE_MAP, OUTER_SIZE, PERFECT_NEST, POINTWISE,
    SAME_VIEW, SLICE, USED_ONCE, ViewPusher,
};
use crate::Refusal;
use crate::fuse::graph::Graph;
use crate::pass::missing;

impl ViewPusher<'_> {
    /// The first premise that fails.
    pub(super) fn missing<'n>(
        &self,
        graph: &Graph,
        readers: &Readers,
        viewed: &ViewedProducer,
        nest: &dyn Fn() -> Option<&'n Nest>,
    ) -> Option<Refusal> {
        let (producer, view) = (graph.node(viewed.producer)?, graph.node(viewed.views[0])?);
        let made = &producer.stm.binders;
        let steps = |dim: &DimSlice| match *dim {
            DimSlice::Fix(_) => true,
            DimSlice::Range { stride, .. } => matches!(stride, Atom::Const(_)) && stride != Atom::i64(0),
        };
        let no_repeat = || match &view.stm.exp {
            Exp::Slice(_, dims) => dims.iter().all(steps),
            _ => true,
        };
        let perfect = || match view.stm.exp {
            Exp::Reshape(_) => {
                nest().is_some_and(|nest| nest.can_be_reshaped(self.reshaped(&view.stm, made[0]).len()))
            }
            _ => nest().is_some(),
        };
        let rows = |array: &Var| self.vars[*array].ty.shape.get(1..);
        let is_array = |leaf: &Leaf| matches!(leaf.elements, Elements::Array { .. });
        let is_check = viewed.rule == CHECK;
        let outer_size = || made.iter().zip(&viewed.names).all(|(old, new)| rows(old) == rows(new));
        let depends_on_checks = || {
            nest().is_none_or(|nest| match &view.stm.exp {
                Exp::Slice(_, dims) => self.depends_on_checks(nest, dims),
                _ => !is_check || nest.leaves.iter().any(is_array),
            })
        };
        let reads_alone = |&name: &Var| self.reader(graph, readers, name).is_some_and(|reader| reader.alone);
        let is_read = || viewed.names.iter().all(reads_alone);
        let consuming = || graph.consuming(&producer.reads, (viewed.producer, viewed.views[0]));
        let premise = missing(&[
            (ONE_MAP, &|| producer.screma().is_some_and(only_maps)),
            (USED_ONCE, &|| made.iter().all(|array| self.uses.count(*array) == 1)),
            (SAME_VIEW, &|| viewed.names.len() == made.len()),
            (NO_REPEAT, &no_repeat),
            (PERFECT_NEST, &perfect),
            (OUTER_SIZE, &|| !is_check || outer_size()),
            (CHECKED_SOURCE, &depends_on_checks),
            (POINTWISE, &|| viewed.rule == SLICE || is_read()),
            (NO_CONSUMPTION_BETWEEN, &|| consuming().is_none()),
        ])?;
        let at_fault = consuming().filter(|_| premise == NO_CONSUMPTION_BETWEEN).unwrap_or(view);
        let elsewhere = |array: &&Var| premise == USED_ONCE && self.uses.count(**array) != 1;
        let blamed = made.iter().find(elsewhere).unwrap_or(&viewed.array);
        // A result of a filter has no name of its own.
        let filter_name =
            viewed.names.first().filter(|_| premise == ONE_MAP).and_then(|&name| self.vars[name].hint);
        Some(Refusal::of(premise).blame(self.vars[*blamed].hint.or(filter_name), at_fault.span()))
    }

    /// Whether the sliced maps depend on all checks of the slice, because they read from its start and have its width.
    fn depends_on_checks(&self, nest: &Nest, part: &[DimSlice]) -> bool {
        let start = |dim: &DimSlice| match *dim {
            DimSlice::Fix(at) => at,
            DimSlice::Range { start, .. } => start,
        };
        let counts = part.iter().filter_map(|dim| match *dim {
            DimSlice::Range { count, .. } => Some(count),
            DimSlice::Fix(_) => None,
        });
        let starts = nest.leaves.iter().flat_map(|leaf| leaf.elements.dims()).map(|dim| start(&part[dim]));
        let met = self.checks.of_atoms(starts.chain(counts));
        let needed = self.checks.of_atoms(part.iter().map(start));
        needed.iter().all(|(cond, _)| met.iter().any(|(other, _)| other == cond))
    }

    /// The construct that reads an array element by element, or a view of it.
    pub(super) fn reader<'g>(&self, graph: &'g Graph, readers: &Readers, array: Var) -> Option<Reader<'g>> {
        let node = graph.node(readers.position(graph, array)?)?;
        let alone = self.uses.count(array) == 1;
        let viewed = match &node.stm.exp {
            Exp::Screma(_) | Exp::Stream(_) => return Some(Reader { node, name: array, alone }),
            Exp::Assert { values, .. } => values.iter().position(|&value| value == Atom::Var(array))?,
            _ => 0,
        };
        let reader = self.reader(graph, readers, node.stm.binders[viewed])?;
        Some(Reader { alone: alone && reader.alone, ..reader })
    }
}
