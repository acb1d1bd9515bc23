//! Reductions and scans of a workgroup, along the innermost dimension of their index space.
//!
//! A *row* is the points with the same outer indices. A *team* of threads combines a row: each thread combines a chunk
//! of neighbouring points in order, starting with the neutral element. If there are enough rows to keep all threads
//! busy, a team is one thread, which combines several rows, one after the other. Otherwise every row has a team of its
//! own.
//!
//! * In a reduction, the team then combines its threads' values as a tree, in order. If the operators commute, each thread
//!   takes points that are one team apart instead, so that neighbouring threads access neighbouring elements.
//!   Otherwise, if a thread takes few points, it holds their values: the threads of a team that are in one subgroup run
//!   neighbouring points, and then pass the values on to the threads that combine them.
//! * In a scan, the team then scans its threads' values. In each step the team consists of groups whose threads have the
//!   combined values of their group up to their own. Every second group combines the last value of the group before with its
//!   own values (Sklansky, *Conditional-sum addition logic*, 1960). Each thread then combines the values of its chunk again,
//!   starting with the combined values of the chunks before. It runs its points a second time if it does not hold their
//!   values.
//!
//! The division of the points depends on sizes only, so results are the same in every run. Both the tree and the scan
//! combine values of aligned groups of 2, 4, 8, … threads. In the version for devices with subgroups, the first steps
//! exchange values within subgroups, and the later steps through workgroup memory. Which operands are combined does not
//! depend on the size of subgroups.

use ravel_base::Diagnostic;
use ravel_kernel::{Atom, Combiner, InnerSegment, Thread};
use ravel_prim::PrimType;

use super::segment::product;
use super::{WorkgroupFunction, lane, span};
use crate::exchange::leave_if_failed;
use crate::function::{Callee, Function, Index};
use crate::shader::{Block, Exp, Name};
use crate::statement::{current_point, failed};
use crate::values::{ExchangeMemory, Values, stop_if_failed};

/// Adds a reduction.
pub(super) fn reduce(
    function: &mut WorkgroupFunction,
    segment: &InnerSegment,
    combiners: &[Combiner],
) -> Result<(), Diagnostic> {
    let rows = Rows::declare(function, segment, combiners, false)?;
    let strided = combiners.iter().all(|combiner| combiner.commutative);
    let sizes = Sizes::of(function, segment)?;
    let held = segment.held_values(rows.width);
    function.body.braces(|body| {
        let share = rows.share(body, sizes, strided);
        if let Some(count) = held {
            let held = rows.hold(body, &share, count);
            rows.fold_held(body, &share, &held, |_, _| ());
            leave_if_failed(body, rows.fails);
            rows.tree(body, &share);
            rows.finish_team(body, &share);
            return;
        }
        rows.each_row(body, &share, |body| {
            rows.walk(body, &share, |_, _| ());
            stop_if_failed(body, rows.fails);
            body.when(share.team.equals(1), |body| {
                body.run(rows.finish.call([share.row.clone(), share.sum.clone()]))
            });
        });
        leave_if_failed(body, rows.fails);
        body.when(share.team.gt(1), |body| {
            rows.tree(body, &share);
            rows.finish_team(body, &share);
        });
    });
    Ok(())
}

/// Adds a scan.
pub(super) fn scan(
    function: &mut WorkgroupFunction,
    segment: &InnerSegment,
    combiners: &[Combiner],
) -> Result<(), Diagnostic> {
    let rows = Rows::declare(function, segment, combiners, true)?;
    let sizes = Sizes::of(function, segment)?;
    let held = segment.held_values(rows.width);
    function.body.braces(|body| {
        let share = rows.share(body, sizes, false);
        if let Some(count) = held {
            let held = rows.hold(body, &share, count);
            rows.fold_held(body, &share, &held, |_, _| ());
            leave_if_failed(body, rows.fails);
            rows.prefixes(body, &share);
            rows.begin_again(body, &share);
            rows.fold_held(body, &share, &held, |body, own| body.assign(own, &share.sum));
            leave_if_failed(body, rows.values.combine.fails);
            rows.finish_held(body, &share, &held);
            return;
        }
        let finish = |body: &mut Block, i: &Exp| {
            body.run(rows.finish.call([share.row.clone(), i.clone(), share.sum.clone()]));
        };
        rows.each_row(body, &share, |body| {
            rows.walk(body, &share, |body, i| body.when(share.team.equals(1), |body| finish(body, i)));
            stop_if_failed(body, rows.fails);
        });
        leave_if_failed(body, rows.fails);
        body.when(share.team.gt(1), |body| {
            rows.prefixes(body, &share);
            body.when(share.own_team.lt(&share.rows), |body| {
                body.assign(&share.row, &share.own_team);
                rows.begin_again(body, &share);
                rows.walk(body, &share, finish);
            });
            leave_if_failed(body, rows.fails);
        });
    });
    Ok(())
}

/// The functions that combine rows.
struct Rows {
    /// The type of the numbers of points.
    index: Index,
    /// The number of threads of a workgroup.
    width: u32,
    values: Values,
    /// The values at an index of a row.
    point: Callee,
    /// Stores a combined value.
    finish: Callee,
    /// The memory in which the threads of a team exchange values.
    shared: ExchangeMemory,
    /// Whether the body or an operator can fail.
    fails: bool,
}

/// The numbers of rows and of points in each.
struct Sizes {
    rows: Exp,
    n: Exp,
}

/// A thread's share of the rows, as variables.
struct Share {
    /// The number of rows, and of points in each.
    rows: Exp,
    n: Exp,
    /// The number of threads in a team.
    team: Exp,
    /// The number of the thread's team, which is also the number of its first row.
    own_team: Exp,
    /// The number of the thread in its team.
    member: Exp,
    /// The thread's points of a row: from `first` below `last`, `step` apart.
    first: Exp,
    last: Exp,
    step: Exp,
    /// The number of points that a member takes, if they are neighbours; `None` if they are one team apart.
    chunk: Option<Exp>,
    /// The current row.
    row: Exp,
    /// The value that the thread has combined from its points of the current row.
    sum: Exp,
}

/// The values that a thread of a team holds.
///
/// A *stripe* is as many neighbouring threads of the team as are in one subgroup, or a single thread if the device has none. A
/// stripe takes the points of its threads in rounds: in each round, its threads take as many neighbouring points.
struct Held {
    /// The number of threads of a stripe, and the number of the thread in it.
    stripe: Exp,
    at: Exp,
    /// For each round, the index of the thread's point, and its value.
    points: Vec<(Exp, Exp)>,
    /// The values of the thread's chunk, in order.
    own: Vec<Exp>,
}

impl Sizes {
    fn of(function: &mut WorkgroupFunction, segment: &InnerSegment) -> Result<Sizes, Diagnostic> {
        let sizes = || segment.space.iter().map(|&(_, size)| size);
        let outer = segment.space.len() - 1;
        Ok(Sizes {
            rows: product(function, sizes().take(outer))?,
            n: product(function, sizes().skip(outer))?,
        })
    }
}

impl Rows {
    /// Adds the functions to the module. The results are stored at the indices of the outer dimensions, and in a scan
    /// also at the index of the point.
    fn declare(
        function: &mut WorkgroupFunction,
        segment: &InnerSegment,
        combiners: &[Combiner],
        scans: bool,
    ) -> Result<Rows, Diagnostic> {
        let index = function.state.index;
        let Some((&(counter, _), outer)) = segment.space.split_last() else {
            return Err(Diagnostic::bug("wgsl: a reduction or scan without dimensions"));
        };
        let [row, i] = ["row", "i"].map(|name| index.variable(name));
        let (kernel, names) = function.inner();
        let values = Values::declare(kernel, Some(names), combiners)?;

        let mut point = Function::<Thread>::new(kernel, Values::leave(values.ty), Some(names));
        point.bind_counters(outer, &row, index)?;
        point.bind(counter, i.clone().convert(PrimType::I64));
        let results = point.stms(&segment.body)?;
        let point = point.define("point", &[&row, &i], Some(Exp::construct(values.ty, results)))?;

        let sum = Exp::name("values", values.ty);
        let mut finish = Function::<Thread>::new(kernel, Block::new(Block::leave), Some(names));
        finish.bind_counters(outer, &row, index)?;
        let mut indices = Vec::new();
        for &(counter, _) in outer {
            indices.push(finish.atom(Atom::Var(counter))?);
        }
        indices.extend(scans.then(|| i.clone().convert(PrimType::I64)));
        let outs = combiners.iter().flat_map(|combiner| &combiner.outs);
        for (&out, value) in outs.zip(values.members(&sum)) {
            finish.store(out, &indices, value)?;
        }
        let params: Vec<&Exp> = [&row].into_iter().chain(scans.then_some(&i)).chain([&sum]).collect();
        let finish = finish.define("finish", &params, None)?;

        let shared = values.exchange_memory(kernel);
        let fails = point.fails || values.combine.fails;
        Ok(Rows { index, width: kernel.workgroup(), values, point, finish, shared, fails })
    }

    /// Computes which rows and which of their points the thread takes.
    fn share(&self, body: &mut Block, sizes: Sizes, strided: bool) -> Share {
        let index = self.index;
        let rows = body.bind("rows", sizes.rows);
        let n = body.bind("n", sizes.n);
        let team =
            Exp::helper("team_size", index.ty(), PrimType::U32, [rows.clone(), n.clone(), self.width.into()]);
        let team = body.bind("team", team);
        let own_team = body.bind("own", index.of_word(lane() / &team));
        let member = body.bind("member", index.of_word(lane() % &team));
        let (first, last, step, chunk);
        if strided {
            (first, last, chunk) = (member.clone(), n.clone(), None);
            step = body.bind("step", index.of_word(&team));
        } else {
            let one = index.literal(1);
            let members = index.of_word(&team);
            let each = body.bind("chunk", (&n + &members - &one) / members);
            let start = &member * &each;
            first = body.bind("first", Exp::select(start.lt(&n), start, &n));
            let rest = &n - &first;
            last = body.bind("last", &first + Exp::select(each.lt(&rest), &each, rest));
            (step, chunk) = (one, Some(each));
        }
        let row = body.var("row", own_team.clone());
        let sum = body.var("sum", self.values.neutral.call([]));
        Share { rows, n, team, own_team, member, first, last, step, chunk, row, sum }
    }

    /// Adds a loop over the rows that the thread takes, each with a new sum.
    fn each_row(&self, body: &mut Block, share: &Share, visit: impl FnOnce(&mut Block)) {
        body.repeat(share.row.lt(&share.rows), |body| {
            body.assign(&share.sum, self.values.neutral.call([]));
            visit(body);
            body.assign(&share.row, &share.row + self.index.literal(self.width));
        });
    }

    /// Combines the sum with the thread's points of the row. After every point come the statements `each`.
    fn walk(&self, body: &mut Block, share: &Share, each: impl FnOnce(&mut Block, &Exp)) {
        let Share { row, sum, .. } = share;
        body.count(
            "i",
            share.first.clone(),
            |i| i.lt(&share.last),
            |i| i + &share.step,
            |body, i| {
                self.set_place(body, share, i);
                let next = body.bind("next", self.point.call([row.clone(), i.clone()]));
                stop_if_failed(body, self.point.fails);
                body.assign(sum, self.values.combine.call([sum.clone(), next]));
                stop_if_failed(body, self.values.combine.fails);
                each(body, i);
            },
        );
    }

    /// The sum of a thread before its points, in the second part of a scan: that of the members before it.
    fn begin_again(&self, body: &mut Block, share: &Share) {
        body.assign(&share.sum, self.values.neutral.call([]));
        let has_earlier = share.own_team.lt(&share.rows).and(share.member.gt(self.index.literal(0)));
        body.when(has_earlier, |body| body.assign(&share.sum, self.shared.get.call([lane() - 1])));
    }

    /// The first member of each team stores the sum of its row.
    fn finish_team(&self, body: &mut Block, share: &Share) {
        let is_first = share.own_team.lt(&share.rows).and(share.member.equals(self.index.literal(0)));
        body.when(is_first, |body| {
            body.run(self.finish.call([share.own_team.clone(), share.sum.clone()]));
        });
    }

    /// Whether the thread has a point with this index, and has not failed.
    fn runs(&self, share: &Share, i: &Exp) -> Exp {
        let has_point = share.own_team.lt(&share.rows).and(i.lt(&share.n));
        if self.fails { has_point.and(!failed()) } else { has_point }
    }

    /// Each thread runs this many points of its row. Then it gets the values of its chunk from the threads that have run them.
    fn hold(&self, body: &mut Block, share: &Share, count: u32) -> Held {
        let index = self.index;
        let stripe = body.bind("stripe", Exp::select(span().lt(&share.team), span(), &share.team));
        let at = body.bind("at_in_stripe", lane() % &stripe);
        let first = (&share.member - index.of_word(&at)) * index.literal(count) + index.of_word(&at);
        let first = if count > 1 { first } else { share.member.clone() };
        let mut points: Vec<(Exp, Exp)> = Vec::new();
        for round in 0..count {
            let before = points.last().map(|(i, _)| i + index.of_word(&stripe));
            let i = body.bind(Name::Numbered("held_at", round), before.unwrap_or_else(|| first.clone()));
            let value = body.var(Name::Numbered("held", round), self.values.neutral.call([]));
            body.when(self.runs(share, &i), |body| {
                self.set_place(body, share, &i);
                body.assign(&value, self.point.call([share.row.clone(), i.clone()]));
            });
            points.push((i, value));
        }
        let own = (0..).zip(&points).map(|(k, (_, value))| body.var(Name::Numbered("own", k), value.clone()));
        let held = Held { own: own.collect(), stripe, at, points };
        let values: Vec<&Exp> = held.points.iter().map(|(_, value)| value).collect();
        self.exchange_held(body, &held, &held.own, &values, |k| {
            let position = &held.at * count + k;
            [&position % &held.stripe, position / &held.stripe]
        });
        held
    }

    /// Stores the values of a scan: each thread gets those of the points that it has run.
    fn finish_held(&self, body: &mut Block, share: &Share, held: &Held) {
        let (count, own) = (held.own.len() as u32, held.own.iter().collect::<Vec<_>>());
        let results =
            (0..).zip(&held.own).map(|(round, own)| body.var(Name::Numbered("result", round), own.clone()));
        let results: Vec<Exp> = results.collect();
        self.exchange_held(body, held, &results, &own, |round| {
            let position = &held.stripe * round + &held.at;
            [&position / count, position % count]
        });
        for ((i, _), result) in held.points.iter().zip(&results) {
            let has_point = share.own_team.lt(&share.rows).and(i.lt(&share.n));
            body.when(has_point, |body| {
                body.run(self.finish.call([share.row.clone(), i.clone(), result.clone()]));
            });
        }
    }

    /// The threads of a stripe exchange values: the `k`-th variable of `to` becomes one of the values `from` of another thread.
    /// `source` gives the number of this thread in the stripe, and the number of the value.
    fn exchange_held(
        &self,
        body: &mut Block,
        held: &Held,
        to: &[Exp],
        from: &[&Exp],
        source: impl Fn(u32) -> [Exp; 2],
    ) {
        if from.len() < 2 {
            return;
        }
        // All threads of a subgroup must take part.
        body.with_subgroups(|body| {
            body.when(held.stripe.gt(1), |body| {
                for (k, to) in (0..).zip(to) {
                    let [thread, value] = source(k);
                    let thread =
                        body.bind(Name::Numbered("thread", k), (lane() - &held.at + thread) % span());
                    let number = body.bind(Name::Numbered("number", k), value);
                    for (at, from) in (0..).zip(from) {
                        body.braces(|body| {
                            let value = body.bind("value", self.values.shuffle(from, &thread));
                            body.when(number.equals(at), |body| body.assign(to, value));
                        });
                    }
                }
            });
        });
    }

    /// Combines the sum with the values of the thread's chunk. After each one come the statements `each`.
    fn fold_held(&self, body: &mut Block, share: &Share, held: &Held, each: impl Fn(&mut Block, &Exp)) {
        let sum = &share.sum;
        for (k, own) in (0..).zip(&held.own) {
            let i = if k > 0 { &share.first + self.index.literal(k) } else { share.first.clone() };
            body.when(self.runs(share, &i), |body| {
                self.set_place(body, share, &i);
                body.assign(sum, self.values.combine.call([sum.clone(), own.clone()]));
                each(body, own);
            });
        }
    }

    /// If the thread can fail: the place of a failure is that of this point of the row.
    fn set_place(&self, body: &mut Block, share: &Share, i: &Exp) {
        if self.fails {
            body.assign(&current_point(), self.index.word(&share.row * &share.n + i));
        }
    }

    /// Combines the sums of each team as a tree. Afterwards the first member has the sum of the team.
    fn tree(&self, body: &mut Block, share: &Share) {
        let Share { sum, member, .. } = share;
        // The thread to the right has points if its first one exists.
        let combines = |stride: &Exp| {
            let right = member + self.index.of_word(stride);
            let first = share.chunk.as_ref().map_or(right.clone(), |chunk| right * chunk);
            let is_left = (lane() % (Exp::from(2) * stride)).equals(0);
            Exp::all([share.own_team.lt(&share.rows), is_left, first.lt(&share.n)])
        };
        self.within_subgroups(body, share, |body, stride| {
            let right = self.values.shuffle(sum, &((lane() + stride) % span()));
            let right = body.bind("right", right);
            body.when(combines(stride), |body| {
                body.assign(sum, self.values.combine.call([sum.clone(), right]));
            });
        });
        body.run(self.shared.put.call([lane(), sum.clone()]));
        body.double("stride", span(), &share.team, |body, stride| {
            body.barrier();
            body.when(combines(stride), |body| {
                let right = self.shared.get.call([lane() + stride]);
                body.assign(sum, self.values.combine.call([sum.clone(), right]));
                body.run(self.shared.put.call([lane(), sum.clone()]));
            });
            leave_if_failed(body, self.values.combine.fails);
        });
    }

    /// Scans the sums of each team. The place of each member then holds the combined sums of the members up to this one.
    fn prefixes(&self, body: &mut Block, share: &Share) {
        let Share { sum, .. } = share;
        // The last thread of the group before. In a step, no thread reads what another one stores.
        let left = |stride: &Exp| lane() / stride * stride - 1;
        let combines = |stride: &Exp| {
            let is_right = (lane() / stride % 2).equals(1);
            Exp::all([share.own_team.lt(&share.rows), is_right, share.first.lt(&share.n)])
        };
        self.within_subgroups(body, share, |body, stride| {
            let left = body.bind("left", self.values.shuffle(sum, &(left(stride) % span())));
            body.when(combines(stride), |body| {
                body.assign(sum, self.values.combine.call([left, sum.clone()]));
            });
        });
        body.run(self.shared.put.call([lane(), sum.clone()]));
        body.double("stride", span(), &share.team, |body, stride| {
            body.barrier();
            body.when(combines(stride), |body| {
                let left = self.shared.get.call([left(stride)]);
                body.assign(sum, self.values.combine.call([left, sum.clone()]));
                body.run(self.shared.put.call([lane(), sum.clone()]));
            });
            leave_if_failed(body, self.values.combine.fails);
        });
        body.barrier();
    }

    /// Adds the steps within subgroups, for devices that have them. Threads that combine nothing take part too, since
    /// all threads of a subgroup must exchange values.
    fn within_subgroups(&self, body: &mut Block, share: &Share, step: impl FnOnce(&mut Block, &Exp)) {
        body.with_subgroups(|body| {
            let end = body.bind("end", Exp::select(span().lt(&share.team), span(), &share.team));
            body.double("stride", 1, &end, |body, stride| {
                step(body, stride);
                leave_if_failed(body, self.values.combine.fails);
            });
        });
    }
}
