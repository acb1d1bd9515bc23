//! # partial-fill: write no elements that the next loop overwrites
//!
//! ## Rule
//!
//! ```text
//!   loop () for j < n { store a[j] = x }  S  loop … for k < n - 1 { B  store a[k + 1] = y }
//!   -->
//!   S  loop () for j < min(1, n) { store a[j] = x }  loop … for k < n - 1 { B  store a[k + 1] = y }
//! ```
//!
//! * *partial-fill*: a loop that writes a whole array writes only the elements that a later loop leaves. A copy of a
//!   whole array likewise.
//!
//! Programs name the initial array of a loop that then gives it all its elements but one or two, such as
//! `loop ys = replicate n y for k < n - 1 do ys with [k + 1] = …`.
//!
//! ## Requires
//!
//! * *unread*: between the two loops, and in the second one, nothing mentions the array but the store.
//! * *one-end*: the elements that are left are at one end of the array.
//!
//! Arrays from which the first loop computes its elements do not change before the second one either. That one overwrites
//! the elements from `lo` to below `hi`, where `lo` is known to be 0, or `hi` to be the size of the array.
//!
//! ## Ensures
//!
//! The second loop stores once in each iteration, at its counter plus or minus a value that it does not change. If it
//! has no iterations, the first loop still writes everything: the number of the elements at the end is then the size.
//!
//! ## Leaves alone
//!
//! Arrays of several dimensions, and code other than that of threads: arrays of the host are written in parallel.
//!
//! ## Costs
//!
//! For each loop that writes an array, one walk over the statements up to the next loop that stores to it.
//!
//! ## Source
//!
//! Dead store elimination for ranges of elements: Muchnick, "Advanced Compiler Design and Implementation" (1997),
//! section 18.10, treats scalars.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block f64 [n], *ys: block f64 [n]) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   view ys1: f64 [n] = ys + 0i64 * [1i64]
//!   segment map (p < 1i64) chunk 1i64 {
//!     loop () for j: i64 < n {
//!       store ys1[j] = 1.0f64
//!     }
//!     let m: i64 = sub(n, 1i64)
//!     loop (s: f64 = 1.0f64) for k: i64 < m {
//!       load x: f64 = xs1[k]
//!       let t: f64 = add(s, x)
//!       let i: i64 = add(k, 1i64)
//!       store ys1[i] = t
//!       yield t
//!     } -> (r: f64)
//!   }
//!   yield n, ys
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f64 [n_0], *ys_2: block f64 [n_0]) -> ([]f64) {
//!   view xs1_3: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   view ys1_4: f64 [n_0] = ys_2 + 0i64 * [1i64]
//!   segment map (p_5 < 1i64) chunk 1i64 {
//!     let m_6: i64 = sub(n_0, 1i64)
//!     let v7: i64 = min(1i64, n_0)
//!     loop () for j_8: i64 < v7 {
//!       store ys1_4[j_8] = 1.0f64
//!     }
//!     loop (s_9: f64 = 1.0f64) for k_10: i64 < m_6 {
//!       load x_11: f64 = xs1_3[k_10]
//!       let t_12: f64 = add(s_9, x_11)
//!       let i_13: i64 = add(k_10, 1i64)
//!       store ys1_4[i_13] = t_12
//!       yield t_12
//!     } -> (r_14: f64)
//!   }
//!   yield n_0, ys_2
//! }
//! ```

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::visit::{BinderVisitor, UseVisitor};
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimValue};

use super::aliases::Aliases;
use super::{Rewrite, rewrite};
use crate::arithmetic::{Arithmetic, ZERO};
use crate::pass::missing;
use crate::steps::Steps;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `partial-fill`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "partial-fill",
    about: "Fills only the elements of an array that the next loop does not overwrite.",
    rules: &[RULE],
    premises: &[UNREAD, ONE_END],
    run,
};

const RULE: &str = "partial-fill";

const UNREAD: Premise = Premise {
    name: "unread",
    about: "between the two loops, and in the second one, nothing mentions the array but the store",
    otherwise: "the array, or one that its elements come from, is used before it is overwritten",
};

const ONE_END: Premise = Premise {
    name: "one-end",
    about: "the elements that are left are at one end of the array",
    otherwise: "elements may be left at both ends of the array",
};

fn run(program: &mut Program, cx: &mut Cx) {
    rewrite(program, &mut EachBody(cx));
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        let aliases = Aliases::of(body, vars);
        let mut sums = Sums::default();
        sums.body(body);
        PartialFill { vars, aliases, sums, cx: self.0 }.body(body);
    }
}

struct PartialFill<'a> {
    vars: &'a mut VarTable,
    aliases: Aliases,
    sums: Sums,
    cx: &'a mut Cx,
}

impl VisitMut for PartialFill<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        body.stms.iter_mut().for_each(|step| self.step(step));
        if L::NAME != LevelName::Thread {
            return;
        }
        let mut place = 0;
        while place < body.stms.len() {
            match self.overwriting(&body.stms, place) {
                Some((next, left)) => {
                    let filled = body.stms.remove(place);
                    let part = self.part(filled, left);
                    body.stms.splice(next - 1..next - 1, part);
                }
                None => place += 1,
            }
        }
    }
}

/// A statement that writes a whole array of one dimension.
struct Fill {
    array: Var,
    size: Atom,
    /// The arrays that the elements come from.
    from: Vec<Var>,
}

/// The elements of an array that the next loop leaves.
#[derive(Clone, Copy)]
enum Left {
    /// None.
    Nothing,
    /// Those before this position.
    Before(Atom),
    /// Those from this sum on.
    From(Sum),
    /// Elements at both ends, perhaps.
    Both,
}

impl PartialFill<'_> {
    /// If the statement at this place writes a whole array, and a later loop may write only a part: the place of that
    /// loop, and the elements that it leaves.
    fn overwriting<L: Level>(&mut self, stms: &[Step<L>], place: usize) -> Option<(usize, Left)> {
        let fill = self.fill(&stms[place].stm).filter(|_| !stms[place].origin.rules.contains(&RULE))?;
        let same = |array: &Var| *array == fill.array;
        let next = (place + 1..stms.len()).find(|&next| stores(&stms[next].stm, same).is_some())?;
        let (form, body, store) = stores(&stms[next].stm, same)?;
        let left = self.left(form, body, store, fill.size)?;
        let memory = self.memory([fill.array]);
        let sources = self.memory(fill.from.iter().copied());
        let between = &stms[place + 1..next];
        let unread = || {
            between.iter().all(|step| self.is_free_of(&step.stm, &memory) && self.keeps(&step.stm, &sources))
                && self.only_stores(&stms[next].stm, store, &memory)
        };
        let wrong = missing(&[(UNREAD, &unread), (ONE_END, &|| !matches!(left, Left::Both))]);
        let origin = &stms[place].origin;
        if let Some(premise) = wrong {
            self.cx.refuse(RULE, Refusal::of(premise), origin);
            return None;
        }
        self.cx.fire(RULE, origin).then_some((next, left))
    }

    /// The array that a statement writes as a whole.
    fn fill<L: Level>(&self, stm: &Stm<L>) -> Option<Fill> {
        let whole = |array: Var| match &self.vars[array].ty {
            Type::Array(View { shape, .. }) if shape.len() == 1 => Some(shape[0]),
            _ => None,
        };
        match stm {
            Stm::Copy { to, from } => Some(Fill { array: *to, size: whole(*to)?, from: vec![*from] }),
            Stm::Loop { params, form: LoopForm::For { index, bound, .. }, body, .. } if params.is_empty() => {
                let (last, before) = body.stms.split_last()?;
                let Stm::Store { array, indices, .. } = &last.stm else { return None };
                let from = before.iter().map(|step| match step.stm {
                    Stm::Let { ref exp, .. } if exp.is_total() => Some(None),
                    Stm::Load { array, .. } => Some(Some(array)),
                    _ => None,
                });
                let from: Vec<Option<Var>> = from.collect::<Option<_>>()?;
                let size = whole(*array)?;
                (indices[..] == [Atom::Var(*index)] && *bound == size).then(|| Fill {
                    array: *array,
                    size,
                    from: from.into_iter().flatten().collect(),
                })
            }
            _ => None,
        }
    }

    /// The elements that a loop with this store leaves; `None` if its positions do not follow each other.
    fn left<L: Level>(
        &self,
        (index, bound): (Var, Atom),
        body: &Body<L>,
        store: usize,
        size: Atom,
    ) -> Option<Left> {
        let Stm::Store { indices, .. } = &body.stms[store].stm else { return None };
        let &[Atom::Var(position)] = &indices[..] else { return None };
        let mut inside = BTreeSet::from([index]);
        BinderVisitor(&mut |var| _ = inside.insert(var)).body(body);
        let counter = Atom::Var(index);
        let (op, start) = match self.sums.operands.get(&position) {
            _ if position == index => (BinOp::Add, ZERO),
            Some(&(BinOp::Add, a, b)) if a == counter => (BinOp::Add, b),
            Some(&(op, a, b)) if b == counter => (op, a),
            _ => return None,
        };
        if start.var().is_some_and(|var| inside.contains(&var)) {
            return None;
        }
        let [start_sum, bound, size] = [start, bound, size].map(|atom| self.sums.of(atom));
        let (first, end) = if op == BinOp::Add {
            (Some(start_sum), start_sum.plus(bound))
        } else {
            let end = start_sum.plus(Sum::constant(1))?;
            (end.minus(bound), Some(end))
        };
        let is_first = first == Some(Sum::constant(0));
        Some(match end {
            Some(end) if end == size && is_first => Left::Nothing,
            Some(end) if is_first => Left::From(end),
            // Downwards, the first position would be a difference, which may overflow if the loop has no iterations.
            Some(end) if end == size && op == BinOp::Add => Left::Before(start),
            _ => Left::Both,
        })
    }

    /// The statements that write the elements left.
    fn part<L: Level>(&mut self, step: Step<L>, left: Left) -> Vec<Step<L>> {
        let (array, size) = match self.fill(&step.stm) {
            Some(Fill { array, size, .. }) => (array, size),
            None => unreachable!("a statement that writes an array"),
        };
        let origin = step.origin.clone();
        let mut steps = Steps::new(&origin, self.vars);
        let (first, count) = match left {
            Left::Nothing | Left::Both => return Vec::new(),
            Left::Before(position) => (ZERO, steps.min(position, size)),
            Left::From(sum) => {
                let end = sum.write(&mut steps);
                let first = steps.max(end, ZERO);
                (first, steps.sub(size, first))
            }
        };
        match step.stm {
            Stm::Copy { to, from } => {
                let [to, from] = [to, from].map(|whole| {
                    let (hint, mut view) = steps.array(whole);
                    let skipped = steps.mul(first, view.strides[0]);
                    view.offset = steps.add(view.offset, skipped);
                    view.shape = vec![count];
                    steps.view(hint, view)
                });
                steps.push(Stm::Copy { to, from });
            }
            Stm::Loop { binders, params, form: LoopForm::For { index, reduces, .. }, mut body } => {
                let mut counter = index;
                if first != ZERO {
                    counter = steps.counter();
                    let exp = ScalarExp::Binary(BinOp::Add, first, Atom::Var(counter));
                    body.stms.insert(0, Step::new(&origin, Stm::Let { var: index, exp }));
                }
                let form = LoopForm::For { index: counter, bound: count, reduces };
                steps.push(Stm::Loop { binders, params, form, body });
            }
            _ => unreachable!("a statement that writes the array {array}"),
        }
        let mut steps = steps.finish();
        steps.iter_mut().for_each(|step| step.add_rule(RULE));
        steps
    }

    /// The memory of these arrays.
    fn memory(&self, arrays: impl IntoIterator<Item = Var>) -> BTreeSet<Var> {
        arrays.into_iter().flat_map(|array| self.memory_of(array)).collect()
    }

    /// The memory of an array or a block; that of a scalar is empty.
    fn memory_of(&self, var: Var) -> BTreeSet<Var> {
        match &self.vars[var].ty {
            Type::Array(view) => self.aliases.memory(view.block),
            Type::Block(_) => self.aliases.memory(var),
            Type::Scalar(_) => BTreeSet::new(),
        }
    }

    /// Whether a statement mentions none of this memory.
    fn is_free_of<L: Level>(&self, stm: &Stm<L>, memory: &BTreeSet<Var>) -> bool {
        let mut free = true;
        UseVisitor(&mut |var| free &= self.memory_of(var).is_disjoint(memory)).stm(stm);
        free
    }

    /// Whether a statement leaves this memory as it is. It may read it.
    fn keeps<L: Level>(&self, stm: &Stm<L>, memory: &BTreeSet<Var>) -> bool {
        match stm {
            Stm::Let { .. }
            | Stm::SineCosine { .. }
            | Stm::View(_)
            | Stm::Load { .. }
            | Stm::Assert { .. } => true,
            Stm::Store { array, .. } | Stm::Copy { to: array, .. } => {
                self.memory_of(*array).is_disjoint(memory)
            }
            _ => self.is_free_of(stm, memory),
        }
    }

    /// Whether a loop mentions this memory only in the store at this place of its body.
    fn only_stores<L: Level>(&self, looped: &Stm<L>, store: usize, memory: &BTreeSet<Var>) -> bool {
        let Stm::Loop { params, body, .. } = looped else { return false };
        let is_free = |atom: &Atom| atom.var().is_none_or(|var| self.memory_of(var).is_disjoint(memory));
        params.iter().all(|(_, first)| is_free(first))
            && body.result.iter().all(is_free)
            && body
                .stms
                .iter()
                .enumerate()
                .all(|(at, step)| at == store || self.is_free_of(&step.stm, memory))
    }
}

/// The counter and the bound of a counted loop, its body, and the place of its store to such an array.
fn stores<L: Level>(stm: &Stm<L>, such: impl Fn(&Var) -> bool) -> Option<((Var, Atom), &Body<L>, usize)> {
    let Stm::Loop { form: LoopForm::For { index, bound, .. }, body, .. } = stm else { return None };
    let is_store = |step: &Step<L>| matches!(&step.stm, Stm::Store { array, .. } if such(array));
    Some(((*index, *bound), body, body.stms.iter().position(is_store)?))
}

/// A variable, if any, plus a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sum {
    var: Option<Var>,
    more: i64,
}

impl Sum {
    fn constant(more: i64) -> Sum {
        Sum { var: None, more }
    }

    fn plus(self, other: Sum) -> Option<Sum> {
        (self.var.is_none() || other.var.is_none())
            .then(|| Sum { var: self.var.or(other.var), more: self.more.wrapping_add(other.more) })
    }

    /// The difference, if it is one.
    fn minus(self, other: Sum) -> Option<Sum> {
        let more = self.more.wrapping_sub(other.more);
        match other.var {
            None => Some(Sum { var: self.var, more }),
            Some(_) => (self.var == other.var).then_some(Sum { var: None, more }),
        }
    }

    /// Adds its statement.
    fn write<L: Level>(self, steps: &mut Steps<'_, L>) -> Atom {
        match self.var {
            None => Atom::i64(self.more),
            Some(var) => steps.add(Atom::Var(var), Atom::i64(self.more)),
        }
    }
}

/// The sums and differences of a piece of code.
#[derive(Default)]
struct Sums {
    operands: BTreeMap<Var, (BinOp, Atom, Atom)>,
}

impl Visit for Sums {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        if let Stm::Let { var, exp: ScalarExp::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) } = *stm {
            self.operands.insert(var, (op, a, b));
        }
        self.children(stm);
    }
}

impl Sums {
    /// An i64 as a sum.
    fn of(&self, atom: Atom) -> Sum {
        let constant = |atom| match atom {
            Atom::Const(PrimValue::I64(value)) => Some(value),
            _ => None,
        };
        let (mut atom, mut more) = (atom, 0i64);
        while let Atom::Var(var) = atom {
            let (next, added) = match self.operands.get(&var) {
                Some(&(BinOp::Add, a, b)) => match (constant(a), constant(b)) {
                    (_, Some(b)) => (a, b),
                    (Some(a), _) => (b, a),
                    _ => break,
                },
                Some(&(BinOp::Sub, a, b)) => match constant(b) {
                    Some(b) => (a, b.wrapping_neg()),
                    None => break,
                },
                _ => break,
            };
            (atom, more) = (next, more.wrapping_add(added));
        }
        match atom {
            Atom::Var(var) => Sum { var: Some(var), more },
            Atom::Const(value) => Sum::constant(value.as_i64().unwrap_or(0).wrapping_add(more)),
        }
    }
}
