//! The order of the points, in which bins are packed.
//!
//! In a bin, the loop of the point with the most rounds keeps the lanes of all others waiting. Sorted by the number of rounds, the
//! points of a bin wait less. Sorted by width, more of them fit a bin.

use ravel_base::Symbol;
use ravel_core::visit::Visit;
use ravel_core::{Atom, Body, Builder, Exp, Loop, LoopForm, Screma, Sink, Source, Type, Var};
use ravel_prim::PrimType;
use rustc_hash::FxHashSet;

use super::inspector::{Sizes, splice};

/// The rule.
pub(super) const ORDER: &str = "order";

/// The program that computes the place of a point.
const RANK: &str = include_str!("order.core");

/// What the points of a nest are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// They stay in the order of the source.
    Source,
    /// By the number of rounds of the first loop with inner constructs.
    Height,
    /// By width.
    Width,
}

impl Order {
    /// The order for which an attribute asks, if it asks for bins.
    pub(super) fn of(attribute: Symbol) -> Option<Order> {
        match attribute.as_str() {
            "flattening(bins)" => Some(Order::Source),
            "flattening(bins, by_height)" => Some(Order::Height),
            "flattening(bins, by_width)" => Some(Order::Width),
            _ => None,
        }
    }
}

/// The number of rounds of the first loop with constructs of this width inside, if it is a variable in `early`.
pub(super) fn height(body: &Body, width: Atom, early: &FxHashSet<Var>) -> Option<Atom> {
    let mut heights = Heights { width, early, height: None };
    heights.body(body);
    heights.height
}

struct Heights<'a> {
    width: Atom,
    early: &'a FxHashSet<Var>,
    height: Option<Atom>,
}

impl Visit for Heights<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}
    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Loop(Loop { form: LoopForm::For { bound, .. }, body, .. })
                if bound.var().is_some_and(|bound| self.early.contains(&bound))
                    && has_width(body, self.width) =>
            {
                self.height = self.height.or(Some(*bound));
            }
            Exp::Loop(Loop { body, .. }) => self.body(body),
            Exp::If { then, otherwise, .. } => {
                self.body(then);
                self.body(otherwise);
            }
            _ => {}
        }
    }
}

/// The number of rounds of a point if it is known before the bins run: that of the first loop with constructs of this width inside. A
/// point without such a loop takes one.
pub(super) fn rounds(body: &Body, width: Atom, is_known: &dyn Fn(Atom) -> bool) -> Option<Atom> {
    match first_bound(body, width) {
        None => Some(Atom::i64(1)),
        Some(bound) => bound.filter(|&bound| is_known(bound)),
    }
}

/// The bound of the first loop with constructs of this width inside, if there is such a loop. A `while` loop has no bound.
fn first_bound(body: &Body, width: Atom) -> Option<Option<Atom>> {
    body.stms.iter().find_map(|stm| match &stm.exp {
        Exp::Loop(Loop { form, body, .. }) if has_width(body, width) => Some(match form {
            LoopForm::For { bound, .. } => Some(*bound),
            LoopForm::While { .. } => None,
        }),
        Exp::If { then, otherwise, .. } => first_bound(then, width).or_else(|| first_bound(otherwise, width)),
        _ => None,
    })
}

/// Whether the code has a construct of this width, outside of other constructs.
fn has_width(body: &Body, width: Atom) -> bool {
    body.stms.iter().any(|stm| match &stm.exp {
        Exp::Screma(screma) => screma.width == width,
        Exp::Loop(looped) => has_width(&looped.body, width),
        Exp::If { then, otherwise, .. } => has_width(then, width) || has_width(otherwise, width),
        _ => false,
    })
}

/// Adds the code that sorts the sizes by the key. Returns the array of the points in this order.
pub(super) fn sort(builder: &mut Builder, count: Atom, sizes: &mut Sizes, key: Var) -> Var {
    let has_counts = !sizes.counts.is_empty();
    let arrays = std::iter::once(&mut sizes.widths).chain(&mut sizes.rows).chain(&mut sizes.counts);
    let mut arrays: Vec<&mut Var> = arrays.chain(has_counts.then_some(&mut sizes.taken)).collect();
    let mut sources = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
    sources.extend(arrays.iter().map(|array| Source::Array(**array)));
    let i64 = Type::scalar(PrimType::I64);
    let map = builder.lambda(&vec![i64.clone(); sources.len()], |builder, params| {
        let place = place_in_order(builder, count, key, params[0]);
        params.iter().flat_map(|&value| [place, value]).collect()
    });
    let sinks = sources.iter().map(|_| {
        let target = builder.bind(i64.array_of(count), Exp::Scratch);
        let target = target.var().unwrap_or_else(|| unreachable!("a scratch array is a variable"));
        Sink::Write { target, rank: 1 }
    });
    let screma = Screma { width: count, sinks: sinks.collect(), sources, map, scans: Vec::new(), post: None };
    let mut sorted = builder.screma_of(screma).into_iter().filter_map(Atom::var);
    let order = sorted.next().unwrap_or_else(|| unreachable!("the first result has the points"));
    for (array, sorted) in arrays.iter_mut().zip(sorted) {
        **array = sorted;
    }
    if !has_counts {
        sizes.taken = sizes.widths;
    }
    order
}

/// Adds the code that computes the place of a point among all if they are sorted by these keys.
pub(crate) fn place_in_order(builder: &mut Builder, count: Atom, keys: Var, point: Atom) -> Atom {
    splice(builder, RANK, &[count, Atom::Var(keys), point])[0]
}
