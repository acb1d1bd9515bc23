//! The pipeline: the table of contents of the optimiser.

use crate::{Pass, fuse, hoist, inline, redundant_checks, simplify, sink};

/// The passes over core IR in the order of a round; rounds repeat until nothing changes ([`Schedule`]).
pub const PIPELINE: &[Pass] = &[
    // First, so that the other passes see the whole computation in one function.
    inline::PASS,
    // Before fusion, which finds producers by name: copies and duplicates must be gone. In later rounds
    // it removes arrays that fusion left without consumers, and simplifies fused lambdas.
    simplify::PASS,
    // After simplify, which removes checks that always hold: what used their results may now be invariant.
    hoist::PASS,
    // Before vertical fusion: an iota between two constructs then no longer separates them.
    fuse::sources::PASS,
    fuse::vertical::PASS,
    // After vertical fusion, which makes the filter one construct, and its consumer too.
    fuse::filters::PASS,
    // After vertical fusion of the producers of the stream's sources. The next round fuses inside the chunk.
    fuse::streams::PASS,
    // After fusion: only views of arrays that did not fuse with their consumer. If it fires, the round restarts
    // ([`RESTART`]).
    fuse::views::PASS,
    // After fusion, which leaves one map where there were several. What is before, in and after a branch or a loop
    // has fused as far as it can.
    fuse::loops::PASS,
    fuse::branches::PASS,
    // Again, for consumers that the passes since then made readable element by element. Before horizontal fusion,
    // which may make two constructs depend on each other, and may leave results read through different views.
    fuse::vertical::PASS,
    fuse::horizontal::PASS,
    // After horizontal fusion: a fused construct is used by both branches and cannot sink. Constructs sunk into a
    // branch are fused there in the next round.
    sink::PASS,
    redundant_checks::PASS,
];

/// The pass that runs once, after the last round: it relies on the order of checks, which other passes may change.
pub const LAST: &str = redundant_checks::PASS.name;

/// The pass after which a round restarts if it fires: what can fuse now should fuse, and views of views become one view,
/// before the rest of the round.
const RESTART: &str = fuse::views::PASS.name;

/// The maximum number of rounds, in case two passes undo each other's work.
const MAX_ROUNDS: usize = 16;

/// The order in which passes run: in rounds, until no pass has anything left to do. A second run of a pass in a row
/// changes nothing, so a pass runs again only if another one has fired since.
#[derive(Clone)]
pub struct Schedule<P: 'static = ravel_core::Program> {
    passes: Vec<&'static Pass<P>>,
    /// The pass that runs after all rounds.
    last: Option<&'static Pass<P>>,
    /// For each pass, whether another one has fired since it last ran.
    pending: Vec<bool>,
    /// The next position, counted over all rounds.
    next: usize,
    end: usize,
}

impl<P> Schedule<P> {
    /// These passes in rounds, and [`LAST`] after them.
    pub fn repeated(passes: &'static [Pass<P>]) -> Schedule<P> {
        let (last, passes): (Vec<_>, Vec<_>) = passes.iter().partition(|pass| pass.name == LAST);
        Schedule { last: last.first().copied(), ..Schedule::rounds(passes, MAX_ROUNDS) }
    }

    /// These passes in order, each once.
    pub fn in_order(passes: Vec<&'static Pass<P>>) -> Schedule<P> {
        Schedule::rounds(passes, 1)
    }

    /// The same schedule, starting with the pass of this name.
    pub fn starting_with(self, first: &str) -> Schedule<P> {
        let is_last = self.last.is_some_and(|last| last.name == first);
        let next = self.passes.iter().position(|pass| pass.name == first).unwrap_or(0);
        Schedule { next: if is_last { self.end } else { next }, ..self }
    }

    fn rounds(passes: Vec<&'static Pass<P>>, rounds: usize) -> Schedule<P> {
        let (pending, end) = (vec![true; passes.len()], rounds * passes.len());
        Schedule { passes, last: None, pending, next: 0, end }
    }

    /// The pass to run next, given whether the previous one fired.
    pub fn next(&mut self, fired: bool) -> Option<&'static Pass<P>> {
        if fired && self.end > 0 {
            let last = (self.next + self.passes.len() - 1) % self.passes.len();
            self.pending.iter_mut().enumerate().for_each(|(at, pending)| *pending |= at != last);
            if self.passes[last].name == RESTART && self.end > self.passes.len() {
                self.next -= last + 1;
            }
        }
        while self.next < self.end {
            let at = self.next % self.passes.len();
            self.next += 1;
            if std::mem::replace(&mut self.pending[at], false) {
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

    /// The names of the passes in the order of their runs, if the pass `firing` fires in its first `firings` runs.
    fn run(mut schedule: Schedule, firing: &str, mut firings: usize) -> Vec<&'static str> {
        let (mut names, mut fired) = (Vec::new(), false);
        while let Some(pass) = schedule.next(fired) {
            fired = pass.name == firing && firings > 0;
            firings -= usize::from(fired);
            names.push(pass.name);
        }
        names
    }

    #[test]
    fn a_round_restarts_after_fuse_views() {
        let names: Vec<_> = PIPELINE.iter().map(|pass| pass.name).collect();
        let after = names.iter().position(|name| *name == RESTART).unwrap() + 1;
        let (part, rest) = names.split_at(after);
        // A pass that fires is not run again at once.
        let runs = run(Schedule::repeated(PIPELINE), RESTART, 1);
        assert_eq!(runs, [part, &part[..after - 1], rest].concat());
        assert_eq!(run(Schedule::in_order(PIPELINE.iter().collect()), RESTART, 1), names);
        // The last pass runs once, and nothing after it.
        let (last, rounds) = names.split_last().unwrap();
        let without_sink = &rounds[..rounds.len() - 1];
        assert_eq!((*last, rounds.last()), (LAST, Some(&"sink")));
        assert_eq!(run(Schedule::repeated(PIPELINE), "sink", 1), [rounds, without_sink, &[LAST]].concat());
        assert_eq!(run(Schedule::repeated(PIPELINE), LAST, 1), names);
        assert_eq!(run(Schedule::repeated(PIPELINE).starting_with(LAST), "sink", 1), [LAST]);
    }

    /// A program of about `statements` statements: copies of `part`, each of which reads the result of the one before.
    /// The first reads a parameter.
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

    /// For each pass, how many statements it visits per statement of the program; and the rules that fired.
    fn work(part: &str, statements: usize) -> (BTreeMap<&'static str, f64>, BTreeSet<&'static str>) {
        let mut program = ravel_core::parse(&long_program(part, statements)).unwrap();
        let mut cx = crate::Cx::new(&ravel_kernel::Target::CPU, u64::MAX);
        let mut schedule = Schedule::repeated(PIPELINE);
        let (mut fired, mut visited) = (0, 0);
        let mut work = BTreeMap::new();
        while let Some(pass) = schedule.next(cx.fired() > fired) {
            fired = cx.fired();
            (pass.run)(&mut program, &mut cx);
            *work.entry(pass.name).or_default() += (cx.work() - visited) as f64 / statements as f64;
            visited = cx.work();
        }
        let rules =
            cx.take_events().into_iter().filter(|event| event.refused.is_none()).map(|event| event.rule);
        (work, rules.collect())
    }

    #[test]
    fn the_work_for_a_statement_does_not_grow_with_the_program() {
        // `mixed` has constructs that fuse, also through a view, a filter and a branch, a loop with checks and
        // invariants, and arithmetic. The other parts each repeat one feature.
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
                assert!(part != mixed || rules.contains(rule), "{rule} does not fire");
            }
            for (pass, small) in small {
                let large = large.get(pass).copied().unwrap_or_default();
                assert!(
                    large <= 2.0 * small,
                    "{pass} visits a statement of 1,000 {small} times, of 10,000 {large} times"
                );
            }
        }
    }
}
