//! The pipeline: the table of contents of the optimiser.

use crate::{Pass, fuse, hoist, inline, once, simplify, sink};

/// The passes over core IR, in the order in which they run, round after round ([`Schedule`]).
pub const PIPELINE: &[Pass] = &[
    // Everything behind sees the whole computation in one function.
    inline::PASS,
    // Fusion finds producers by name: copies and duplicates must be gone before it. In later rounds,
    // arrays that fusion left without readers go, and composed lambdas shrink.
    simplify::PASS,
    // Behind the removal of checks that hold, which frees what used their results.
    hoist::PASS,
    // Before fusion, so that an iota between two constructs is no producer to wait for.
    fuse::sources::PASS,
    fuse::vertical::PASS,
    // A filter is one construct by now, and what reads it too.
    fuse::filters::PASS,
    // What a stream takes in has been fused with its like, and fuses in the chunk in the next round.
    fuse::streams::PASS,
    // Only what could not be fused with its producer is seen through. As long as something is, the round begins anew.
    fuse::views::PASS,
    // Behind fusion, for what is one map by now; before a branch or a loop, or behind it, what could not
    // be fused with anything else.
    fuse::loops::PASS,
    fuse::branches::PASS,
    // Again, for what is read by name now. What could be fused vertically is before anything goes side
    // by side: there, two constructs may come to depend on each other, and not all be seen alike.
    fuse::vertical::PASS,
    fuse::horizontal::PASS,
    // Behind fusion, for what was fused side by side with something else is not needed by one side
    // alone; inside of the side, fusion of the next round finds it.
    sink::PASS,
    once::PASS,
];

/// The pass that runs behind all rounds: it takes for granted that what was checked stays so.
pub const LAST: &str = once::PASS.name;

/// The pass behind which a round begins anew if it fires: it leaves what can be fused first, and views of views, which
/// become one.
const ANEW: &str = fuse::views::PASS.name;

/// How many rounds there are at most, should passes undo each other's work.
const MOST_ROUNDS: usize = 16;

/// Which pass runs when: all in their order, and again until a whole round would change nothing. A
/// pass leaves nothing to itself, so it runs again only if another one has fired since.
#[derive(Clone)]
pub struct Schedule<P: 'static = ravel_core::Program> {
    passes: Vec<&'static Pass<P>>,
    /// What runs in the end.
    last: Option<&'static Pass<P>>,
    /// Whether each may have something to do.
    waiting: Vec<bool>,
    /// The next position; those of later rounds go on from those of earlier ones.
    next: usize,
    end: usize,
}

impl<P> Schedule<P> {
    /// These passes, round after round.
    pub fn rounds(passes: &'static [Pass<P>]) -> Schedule<P> {
        let (last, passes): (Vec<_>, Vec<_>) = passes.iter().partition(|pass| pass.name == LAST);
        Schedule { last: last.first().copied(), ..Schedule::most(passes, MOST_ROUNDS) }
    }

    /// These passes, each once.
    pub fn once(passes: Vec<&'static Pass<P>>) -> Schedule<P> {
        Schedule::most(passes, 1)
    }

    /// The same schedule, beginning with the pass of this name.
    pub fn starting_with(self, first: &str) -> Schedule<P> {
        let is_last = self.last.is_some_and(|last| last.name == first);
        let next = self.passes.iter().position(|pass| pass.name == first).unwrap_or(0);
        Schedule { next: if is_last { self.end } else { next }, ..self }
    }

    fn most(passes: Vec<&'static Pass<P>>, rounds: usize) -> Schedule<P> {
        let (waiting, end) = (vec![true; passes.len()], rounds * passes.len());
        Schedule { passes, last: None, waiting, next: 0, end }
    }

    /// The pass to run now, given whether the last one fired.
    pub fn next(&mut self, fired: bool) -> Option<&'static Pass<P>> {
        if fired && self.end > 0 {
            let last = (self.next + self.passes.len() - 1) % self.passes.len();
            self.waiting.iter_mut().enumerate().for_each(|(at, waiting)| *waiting |= at != last);
            if self.passes[last].name == ANEW && self.end > self.passes.len() {
                self.next -= last + 1;
            }
        }
        while self.next < self.end {
            let at = self.next % self.passes.len();
            self.next += 1;
            if std::mem::replace(&mut self.waiting[at], false) {
                return Some(self.passes[at]);
            }
        }
        self.end = 0;
        self.last.take()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::testing::optimise;

    #[test]
    fn a_reduction_of_maps_over_iota_becomes_one_construct_without_arrays() {
        let before = "
            fun inside (i: i64) -> (r: i64) = {
              let sq: i64 = mul i i
              let small: bool = lt sq 100
              let one: i64 = convert i64 small
              in one
            }
            fun main (n: i32) -> (r: i64) = {
              let w: i64 = convert i64 n
              let is: [w]i64 = iota w 0 1
              let ones: [w]i64 = screma w {
                from is
                map \\(i: i64) -> { let o: i64 = call inside (i) in o }
                to map
              }
              let sum: i64 = screma w {
                from ones
                map \\(o2: i64) -> o2
                to reduce \\(a: i64, b: i64) -> { let c: i64 = add a b in c } (0)
              }
              in sum
            }
            entry main = main (n) -> (r)";
        let after = "\
fun main (n_0: i32) -> (r_1: i64) = {
  let w_2: i64 = convert i64 n_0
  let sum_3: i64 = screma w_2 {
    from iota 0i64 1i64
    map \\(i_4: i64) -> {
      let sq_5: i64 = mul i_4 i_4
      let small_6: bool = lt sq_5 100i64
      let one_7: i64 = convert i64 small_6
      in one_7
    }
    to reduce \\(a_8: i64, b_9: i64) -> {
      let c_10: i64 = add a_8 b_9
      in c_10
    } (0i64)
  }
  in sum_3
}
entry main = main (n_0) -> (r_1)
";
        assert_eq!(optimise(PIPELINE, before), after);
    }

    /// What the schedule runs from the first to behind the last run of a pass that fires so often.
    fn run(mut schedule: Schedule, firing: &str, mut firings: usize) -> Vec<&'static str> {
        let (mut ran, mut fired) = (Vec::new(), false);
        while let Some(pass) = schedule.next(fired) {
            fired = pass.name == firing && firings > 0;
            firings -= usize::from(fired);
            ran.push(pass.name);
        }
        ran
    }

    #[test]
    fn a_round_begins_anew_behind_what_is_seen_otherwise() {
        let names: Vec<_> = PIPELINE.iter().map(|pass| pass.name).collect();
        let behind = names.iter().position(|name| *name == ANEW).unwrap() + 1;
        let (part, rest) = names.split_at(behind);
        // It leaves nothing to itself.
        let ran = run(Schedule::rounds(PIPELINE), ANEW, 1);
        assert_eq!(ran, [part, &part[..behind - 1], rest].concat());
        assert_eq!(run(Schedule::once(PIPELINE.iter().collect()), ANEW, 1), names);
        // What runs in the end runs once, and nothing behind it.
        let (last, rounds) = names.split_last().unwrap();
        let without_sink = &rounds[..rounds.len() - 1];
        assert_eq!((*last, rounds.last()), (LAST, Some(&"sink")));
        assert_eq!(run(Schedule::rounds(PIPELINE), "sink", 1), [rounds, without_sink, &[LAST]].concat());
        assert_eq!(run(Schedule::rounds(PIPELINE), LAST, 1), names);
        assert_eq!(run(Schedule::rounds(PIPELINE).starting_with(LAST), "sink", 1), [LAST]);
    }

    /// A program of about so many statements, all of a part, whose copies each use what the last one gives. The
    /// first uses a parameter.
    fn long_program(part: &str, statements: usize) -> String {
        let is_array = part.contains("r{k}: [n]i64");
        let (first, ty) = if is_array { ("xs", "[n]i64") } else { ("x", "i64") };
        let copy = |k: usize| {
            let last = k.checked_sub(1).map_or(first.to_owned(), |last| format!("r{last}"));
            let other = k.checked_sub(1).map_or("ys".to_owned(), |last| format!("o{last}"));
            part.replace("{k}", &k.to_string()).replace("{last}", &last).replace("{other}", &other)
        };
        let last = statements / part.matches("let ").count() - 1;
        let parts: String = (0..=last).map(copy).collect();
        format!(
            "fun main (n: i64, x: i64, xs: [n]i64, ys: [n]i64) -> (r: {ty}) = {{ {parts} in r{last} }} entry main = main (x, xs, ys) -> (r)"
        )
    }

    /// How many statements each pass looks at for each statement of a program, and what the passes do.
    fn work(part: &str, statements: usize) -> (BTreeMap<&'static str, f64>, BTreeSet<&'static str>) {
        let mut program = ravel_core::parse(&long_program(part, statements)).unwrap();
        let mut cx = crate::Cx::new(&ravel_kernel::Target::CPU, u64::MAX);
        let mut schedule = Schedule::rounds(PIPELINE);
        let (mut fired, mut looked) = (0, 0);
        let mut work = BTreeMap::new();
        while let Some(pass) = schedule.next(cx.fired() > fired) {
            fired = cx.fired();
            (pass.run)(&mut program, &mut cx);
            *work.entry(pass.name).or_default() += (cx.work() - looked) as f64 / statements as f64;
            looked = cx.work();
        }
        let rules =
            cx.take_events().into_iter().filter(|event| event.refused.is_none()).map(|event| event.rule);
        (work, rules.collect())
    }

    #[test]
    fn the_work_for_a_statement_does_not_grow_with_the_program() {
        // Constructs that fuse, also behind a view, a filter and in a branch, a loop with checks and invariants, and
        // arithmetic; and programs in which something grows with them.
        let mixed = include_str!("../../../tests/bench/parts/mixed.core");
        let parts = [
            mixed,
            include_str!("../../../tests/bench/parts/maps.core"),
            include_str!("../../../tests/bench/parts/sums.core"),
            include_str!("../../../tests/bench/parts/loops.core"),
            include_str!("../../../tests/bench/parts/swaps.core"),
            include_str!("../../../tests/bench/parts/views.core"),
            include_str!("../../../tests/bench/parts/readers.core"),
        ];
        for part in parts {
            let ((small, rules), (large, _)) = (work(part, 1_000), work(part, 10_000));
            for rule in ["map-reduce", "map-slice", "filter-reduce", "map-branch", "sink", "horizontal"] {
                assert!(part != mixed || rules.contains(rule), "{rule} has no place in the program");
            }
            for (pass, small) in small {
                let large = large.get(pass).copied().unwrap_or_default();
                assert!(
                    large <= 2.0 * small,
                    "{pass}: {small} looks at a statement of 1,000, {large} of 10,000"
                );
            }
        }
    }
}
