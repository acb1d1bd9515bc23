//! Maps perfectly nested in each other: one segment over all their widths.
//!
//! ```text
//! map i < n { views; map j < m { S } }
//!     =>
//! segment i < n, j < m { views; S }
//! ```
//!
//! ## Requires
//! * *Mapped*: both maps scan, reduce, write and combine nothing, so that points know nothing of each other.
//! * *Nothing between*: before the inner map the outer one makes but views and index arithmetic that cannot fail.
//!   Each point does that for itself.
//! * *Handed on*: what the outer map gives is what the inner one gives, each result once. So the inner width is the same for
//!   all and known outside, since shapes of results name nothing bound in a lambda.
//! * *Worth it*: the target wants so many dimensions. Where threads are few, the outer width keeps all of them at work, but
//!   for a map of a single row.
//!
//! ## Ensures
//! Every element is computed as before. The first failure stays the first, since points are ordered as the rounds of
//! nested loops are.
//!
//! ## Cost
//! What is between is done anew for each element. Where elements need memory of their own, more of them at the same time
//! have it, in as many batches as that takes.

use ravel_base::{Diagnostic, Span};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::BinOp;

use super::scope::{Made, Scope, Value};
use super::sinks::{Feed, Out};

impl Scope<'_, '_, Host> {
    /// One segment for a map and those perfectly nested in it.
    pub fn nest(
        &mut self,
        outer: &core::Screma,
        inner: &[Inner<'_>],
        feeds: &[Feed],
        outs: &[Out<'_>],
    ) -> Made {
        let widths = std::iter::once(outer.width).chain(inner.iter().map(|inner| inner.map.width));
        let sizes = self.cx.atoms(&widths.collect::<Vec<_>>())?;
        self.segment("map", &sizes, SegmentKind::Map, |scope, point| {
            scope.descend(&outer.map, inner, feeds, outs, point)
        })
    }
}

impl Scope<'_, '_, Thread> {
    /// Takes a step of each map for one point.
    fn descend(
        &mut self,
        step: &core::Lambda,
        inner: &[Inner<'_>],
        feeds: &[Feed],
        outs: &[Out<'_>],
        point: &[Atom],
    ) -> Made<Vec<Value>> {
        let (&index, others) =
            point.split_first().ok_or_else(|| Diagnostic::bug("kernelise: a map without counter"))?;
        let Some((next, deeper)) = inner.split_first() else {
            return self.take(feeds, Some(step), outs, index);
        };
        for (&param, feed) in step.params.iter().zip(feeds) {
            let element = self.element(feed, index);
            self.bind(param, element)?;
        }
        self.all(next.before)?;
        let outer = self.cx.span;
        self.cx.span = next.span.or(outer);
        let feeds = self.feeds(next.map)?;
        let rows = self.places(outs, index);
        let outs = next.results.iter().filter_map(|&at| rows.get(at).cloned().flatten()).map(Out::Map);
        let outs = outs.collect::<Vec<_>>();
        let made = self.descend(&next.map.map, deeper, &feeds, &outs, others);
        self.cx.span = outer;
        made
    }
}

/// A map that is all that another one does.
pub(super) struct Inner<'a> {
    /// The views before it.
    before: &'a [core::Stm],
    /// The map.
    map: &'a core::Screma,
    /// Of each of its results, the number among those of the outer map.
    results: Vec<usize>,
    /// Its place in the source.
    span: Option<Span>,
}

/// The maps perfectly nested in this one, from outside in, so that there are at most so many dimensions.
pub(super) fn inner_maps(outer: &core::Screma, dimensions: usize) -> Vec<Inner<'_>> {
    let mut inner: Vec<Inner<'_>> = Vec::new();
    let mut map = outer;
    while inner.len() + 1 < dimensions
        && let Some(next) = inner_map(map)
    {
        map = next.map;
        inner.push(next);
    }
    inner
}

/// The map perfectly nested in this one.
fn inner_map(outer: &core::Screma) -> Option<Inner<'_>> {
    let body = &outer.map.body;
    let (last, before) = body.stms.split_last()?;
    let core::Exp::Screma(map) = &last.exp else { return None };
    if !(is_mapped(outer) && is_mapped(map) && before.iter().all(is_free)) {
        return None;
    }
    let number = |binder: &core::Var| body.result.iter().position(|result| result.var() == Some(*binder));
    let results: Vec<usize> = last.binders.iter().map(number).collect::<Option<_>>()?;
    let is_handed_on = results.len() == body.result.len() && !results.is_empty();
    is_handed_on.then(|| Inner { before, map, results, span: last.origin.place() })
}

/// Does it nothing but map?
fn is_mapped(screma: &core::Screma) -> bool {
    screma.scans.is_empty() && screma.sinks.iter().all(|sink| matches!(sink, core::Sink::Map))
}

/// Is it a view, or index arithmetic that cannot fail?
fn is_free(stm: &core::Stm) -> bool {
    matches!(
        stm.exp,
        core::Exp::Slice(..)
            | core::Exp::Rearrange(..)
            | core::Exp::Atom(_)
            | core::Exp::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, ..)
    )
}
