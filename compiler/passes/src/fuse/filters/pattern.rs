//! The form of a filter in core IR:
//! ```text
//!   let zs, k = screma n {
//!     from …
//!     map \\… -> { … in (c, mark, x, …) }              c is 1 where mark, else 0
//!     scan + (0)
//!     post \\(count, mark', x', …) -> {
//!       let c': i64 = convert i64 mark'
//!       let at = if mark' then { let before = sub count 1 in before } else -1
//!       in (at, x', c', …)
//!     }
//!     to write xs rank 1
//!     to reduce + (0)
//!   }
//! ```
//!
//! The running counts of the marked elements are 1, 2, …, so their positions are 0, 1, …, and the first `k` elements
//! of `zs` are the marked ones.

use ravel_core::{Atom, Body, Exp, Lambda, Screma, Sink, Stm, Var};
use ravel_prim::{BinOp, PrimType};

/// The parts of a filter.
pub struct Filter {
    /// The mark, in the post lambda.
    pub mark: Atom,
    /// The mark at the end of the map lambda.
    pub mark_before: Atom,
    /// The position that the element is written to, in the post lambda.
    pub at: Atom,
    /// The elements of the requested arrays at the end of the map lambda.
    pub elements: Vec<Atom>,
}

/// Recognises a filter that counts `kept` elements and writes these arrays.
pub fn filter(binders: &[Var], screma: &Screma, kept: Var, arrays: &[Var]) -> Option<Filter> {
    let post = screma.post.as_ref()?;
    let scanned = screma.scanned_count();
    let parts = Parts { screma, post, scanned };
    let mut dealt: Vec<(Var, &[Atom])> = Vec::new();
    let mut sum = None;
    for (sink, results, values) in screma.sink_ranges() {
        let (own, stream) = (binders.get(results.start)?, post.body.result.get(values)?);
        match sink {
            Sink::Write { rank: 1, .. } => dealt.push((*own, stream)),
            Sink::Reduce { op, neutral, .. } if *own == kept && is_sum(op, neutral) => sum = stream.first(),
            _ => {}
        }
    }
    let written = arrays.iter().map(|array| dealt.iter().find(|(own, _)| own == array));
    let written = written.map(|found| found.map(|(_, values)| *values)).collect::<Option<Vec<_>>>()?;
    let at = *written.first()?.first()?;
    let mark = parts.mark_of(at)?;
    let mark_before = parts.unscanned_value(mark)?;
    let is_counted = is_count(&post.body, *sum?, mark)
        || parts.unscanned_value(*sum?).is_some_and(|count| is_count(&screma.map.body, count, mark_before));
    let element = |values: &&[Atom]| (values[0] == at).then(|| parts.unscanned_value(values[1]))?;
    let elements = written.iter().map(element).collect::<Option<Vec<_>>>()?;
    is_counted.then_some(Filter { mark, mark_before, at, elements })
}

struct Parts<'a> {
    screma: &'a Screma,
    post: &'a Lambda,
    /// The number of scanned values.
    scanned: usize,
}

impl Parts<'_> {
    /// The value of the post lambda at the end of the map lambda, if it bypasses the scans.
    fn unscanned_value(&self, atom: Atom) -> Option<Atom> {
        let Atom::Var(var) = atom else { return Some(atom) };
        let at = self.post.params.iter().position(|&param| param == var)?;
        (at >= self.scanned).then(|| self.screma.map.body.result[at])
    }

    /// The mark for which this is the position: the count so far minus one, or -1.
    fn mark_of(&self, at: Atom) -> Option<Atom> {
        let Exp::If { cond, then, otherwise } = &definition(&self.post.body, at)?.exp else { return None };
        let Exp::Binary(BinOp::Sub, count, one) = definition(then, *then.result.first()?)?.exp else {
            return None;
        };
        let is_position =
            then.result.len() == 1 && one == Atom::i64(1) && otherwise.result == [Atom::i64(-1)];
        (is_position && self.is_counted(count, *cond)?).then_some(*cond)
    }

    /// Whether a scan computes the count of a mark.
    fn is_counted(&self, count: Atom, mark: Atom) -> Option<bool> {
        let at = self.post.params.iter().position(|&param| Atom::Var(param) == count)?;
        let mut first = 0;
        let scan = self.screma.scans.iter().find(|scan| {
            first += scan.neutral.len();
            at < first
        })?;
        let body = &self.screma.map.body;
        Some(is_sum(&scan.op, &scan.neutral) && is_count(body, body.result[at], self.unscanned_value(mark)?))
    }
}

/// Whether the operator is the sum of i64 values, starting from 0.
fn is_sum(op: &Lambda, neutral: &[Atom]) -> bool {
    let [a, b] = op.params[..] else { return false };
    let (a, b) = (Atom::Var(a), Atom::Var(b));
    let sum = op.body.result.first().and_then(|&sum| definition(&op.body, sum));
    let is_both = |x, y| (x, y) == (a, b) || (x, y) == (b, a);
    neutral == [Atom::i64(0)]
        && matches!(sum, Some(Stm { exp: Exp::Binary(BinOp::Add, x, y), .. }) if is_both(*x, *y))
}

/// Whether the count is 1 if the mark is true, and 0 otherwise.
fn is_count(body: &Body, count: Atom, mark: Atom) -> bool {
    let Some(stm) = definition(body, count) else {
        return count == Atom::i64(0) && mark == Atom::bool(false);
    };
    match &stm.exp {
        Exp::Convert(PrimType::I64, marked) => *marked == mark,
        Exp::If { then, otherwise, .. } => {
            let position = |atom| stm.binders.iter().position(|&binder| Atom::Var(binder) == atom);
            let (Some(count), Some(mark)) = (position(count), position(mark)) else { return false };
            [then, otherwise].into_iter().all(|side| is_count(side, side.result[count], side.result[mark]))
        }
        _ => false,
    }
}

/// The statement of a body that binds a value.
pub fn definition(body: &Body, atom: Atom) -> Option<&Stm> {
    let var = atom.var()?;
    body.stms.iter().find(|stm| stm.binders.contains(&var))
}
