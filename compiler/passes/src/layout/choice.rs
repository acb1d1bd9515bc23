//! The choice of the innermost counter and of the layouts: which accesses are coalesced, and what the others cost.

use std::collections::{BTreeMap, BTreeSet};

use ravel_core::visit::Visit;
use ravel_core::*;

use super::access::{Access, Index};
use super::facts::Facts;

/// The passes through memory that an access takes if it is not coalesced: each element takes a sector of 32 bytes.
const SCATTERED: usize = 8;

/// The passes through memory of a transposition.
const TRANSPOSITION: usize = 2;

/// The longest row whose elements count as neighbours of those of the next row.
const NARROW: i64 = 3;

/// The orders of the dimensions of arrays in memory, outermost first.
#[derive(Default)]
pub(super) struct Orders(BTreeMap<Var, Vec<usize>>);

impl Orders {
    pub(super) fn set(&mut self, array: Var, order: Vec<usize>) {
        self.0.insert(array, order);
    }

    /// The order of an array of host code.
    pub(super) fn of(&self, vars: &VarTable, facts: &Facts, array: Var) -> Vec<usize> {
        let row_major = |array: Var| (0..vars[array].ty.rank()).collect();
        let known = |array: Var| self.0.get(&array).cloned();
        match facts.view(array) {
            Some(view) => view.order(&known(view.array).unwrap_or_else(|| row_major(view.array))),
            None => known(array).unwrap_or_else(|| row_major(array)),
        }
    }
}

/// How an access of neighbouring threads lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// All threads access the same element.
    Alike,
    /// They access neighbouring elements.
    Near,
    /// They would if this dimension were innermost in memory.
    Wants(usize),
    /// As `Wants`, but only a part of the array is accessed.
    WantsPart(usize),
    /// As `Wants`, but rows are so short that neighbours share sectors.
    Narrow(usize),
    /// The elements are elsewhere in every layout, or unknown.
    Scattered,
}

/// How an access lies in memory if this counter is innermost, and the array has this order in memory.
pub(super) fn fit(vars: &VarTable, access: &Access, counter: Var, order: &[usize]) -> Fit {
    let shape = &vars[access.array].ty.shape;
    if access.indices.iter().any(|index| index.is_irregular(counter)) {
        return Fit::Scattered;
    }
    let mut following = (0..shape.len()).filter(|&dim| access.indices[dim].follows(counter));
    let (dim, innermost) = match (following.next(), following.next(), order.last()) {
        (None, ..) => return Fit::Alike,
        (Some(dim), None, Some(&innermost)) => (dim, innermost),
        _ => return Fit::Scattered,
    };
    let covers = |(other, index): (usize, &Index)| other == dim || index.covers(shape[other]);
    match () {
        () if dim == innermost => Fit::Near,
        () if is_narrow(shape[innermost]) => Fit::Narrow(dim),
        () if access.indices.iter().enumerate().all(covers) => Fit::Wants(dim),
        () => Fit::WantsPart(dim),
    }
}

/// Whether rows of this size are so short that neighbours in different rows share memory sectors.
pub(super) fn is_narrow(size: Atom) -> bool {
    matches!(size, Atom::Const(size) if size.as_i64().is_some_and(|size| size <= NARROW))
}

/// The place of the counter that should become the innermost one of a segment with these results, if it is another one.
pub(super) fn best_counter(
    vars: &VarTable,
    facts: &Facts,
    orders: &Orders,
    (segment, binders): (&Segment, &[Var]),
    seen: &[Access],
) -> Option<usize> {
    let space: Vec<(Var, Atom)> = segment.space().collect();
    let last = space.len() - 1;
    let of_reads = |counter: Var| -> usize {
        let mut transposed: BTreeSet<(Var, usize)> = BTreeSet::new();
        let mut scattered = 0;
        for access in seen {
            match fit(vars, access, counter, &orders.of(vars, facts, access.array)) {
                Fit::Wants(dim) => _ = transposed.insert((access.array, dim)),
                Fit::WantsPart(_) | Fit::Scattered => scattered += SCATTERED - 1,
                Fit::Alike | Fit::Near | Fit::Narrow(_) => (),
            }
        }
        TRANSPOSITION * transposed.len() + scattered
    };
    let of_results = |place: usize| -> usize {
        let stored: Vec<usize> = (0..=last).filter(|&dim| dim != place).chain([place]).collect();
        let cost = |&binder: &Var| {
            let mut wanted: BTreeSet<usize> = BTreeSet::new();
            for reader in facts.readers(binder).iter().filter(|reader| !reader.is_movable) {
                let access = Access { array: binder, indices: reader.indices.clone() };
                if let Fit::Wants(dim) = fit(vars, &access, reader.counter, &stored) {
                    wanted.insert(dim);
                }
            }
            let by_host = facts.is_used_by_host(binder) && place != last;
            TRANSPOSITION * (wanted.len() + usize::from(by_host))
        };
        binders.iter().filter(|&&binder| vars[binder].ty.rank() == space.len()).map(cost).sum()
    };
    let cost = |place: usize| of_reads(space[place].0) + of_results(place);
    let others = (0..last).filter(|&place| space[place].1 != Atom::i64(1));
    let best = others.min_by_key(|&place| cost(place))?;
    (cost(best) < cost(last)).then_some(best)
}

/// Whether a segment only maps, and its results have an element for each point.
pub(super) fn only_maps_scalars(vars: &VarTable, segment: &Segment, binders: &[Var]) -> bool {
    let rank = segment.outer.len() + 1;
    let Screma { scans, sinks, .. } = &segment.screma;
    scans.is_empty()
        && sinks.iter().all(|sink| *sink == Sink::Map)
        && binders.iter().all(|&binder| vars[binder].ty.rank() == rank)
}

/// Whether a construct writes or combines elements of this result of a body at computed positions.
pub(super) fn is_scattered(body: &Body, result: usize) -> bool {
    let made = |stm: &Stm| {
        let Exp::Screma(screma) = &stm.exp else { return false };
        screma.sink_ranges().any(|(sink, own, _)| {
            matches!(sink, Sink::Write { .. } | Sink::Combine { .. })
                && stm.binders[own].iter().any(|&binder| body.result[result] == Atom::Var(binder))
        })
    };
    body.stms.iter().any(made)
}

/// Whether all points that fail do so with the same message: each check is done by every point, and mentions nothing that the
/// segment binds.
pub(super) fn fails_alike(segment: &Segment) -> bool {
    #[derive(Default)]
    struct Checks {
        bound: BTreeSet<Var>,
        depth: usize,
        differ: bool,
    }
    impl Visit for Checks {
        fn var(&mut self, _: &Var) {}

        fn binder(&mut self, var: &Var) {
            self.bound.insert(*var);
        }

        fn body(&mut self, body: &Body) {
            self.depth += 1;
            body.stms.iter().for_each(|stm| self.stm(stm));
            self.depth -= 1;
        }

        fn exp(&mut self, exp: &Exp) {
            match exp {
                Exp::Assert { cond, error, .. } => {
                    let values = error.parts.iter().filter_map(|part| match part {
                        ErrorPart::Value(value) => Some(*value),
                        ErrorPart::Text(_) => None,
                    });
                    let mut mentioned = values.chain([*cond]).filter_map(Atom::var);
                    self.differ |= *cond != Atom::bool(true)
                        && (self.depth > 1 || mentioned.any(|var| self.bound.contains(&var)));
                }
                Exp::Call(_) => self.differ = true,
                Exp::If { then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                }
                Exp::Loop(looped) => self.body(&looped.body),
                Exp::Screma(screma) => screma.lambdas().for_each(|lambda| self.lambda(lambda)),
                _ => (),
            }
        }
    }
    let mut checks = Checks::default();
    checks.bound.extend(segment.space().map(|(counter, _)| counter));
    checks.lambda(&segment.screma.map);
    !checks.differ
}
