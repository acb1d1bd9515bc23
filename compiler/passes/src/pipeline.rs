//! The pipeline: the order of the optimiser's passes, and how a schedule of passes is run.

use ravel_core::Program;

use crate::{
    KernelPass, Pass, bins, flatten, fuse, hoist, inline, layout, loop_fission, low_bits, machine, memory,
    partial_copy, redundant_checks, simplify, sink, sort_points,
};
use Step::{Repeat, RepeatWhileLastFires, Run};

/// The passes over core IR.
pub const PIPELINE: &[Step] = &[
    Repeat(&[
        // Fusion reaches a fixed point before the rest of the round. Whenever `fuse::views` moves a view, more
        // constructs can fuse, and a view of a view becomes one view.
        RepeatWhileLastFires(&[
            // First, so that the other passes see the whole computation in one function.
            Run(&inline::PASS),
            // Before fusion, which finds producers by name: copies and duplicates must be gone. In later rounds
            // it removes arrays that fusion left without consumers, and simplifies fused lambdas.
            Run(&simplify::PASS),
            // After simplify, which removes checks that always hold. An expression that used the result of such a check
            // may now be invariant.
            Run(&hoist::PASS),
            // Before vertical fusion, so that an iota between two constructs no longer separates them.
            Run(&fuse::sources::PASS),
            Run(&fuse::vertical::PASS),
            // After vertical fusion, which turns the filter into one construct, and its consumer into another one.
            Run(&fuse::filters::PASS),
            // After vertical fusion of the producers of the stream's sources. The next round fuses inside the chunk.
            Run(&fuse::streams::PASS),
            // After fusion, so that views move only if their array did not fuse with its consumer.
            Run(&fuse::views::PASS),
        ]),
        // After fusion, which merges maps. By now, the constructs before, in and after a branch or a loop have fused as
        // far as they can.
        Run(&fuse::loops::PASS),
        Run(&fuse::branches::PASS),
        // Again, since the passes after the first run may let a consumer read its array element by element. Before
        // horizontal fusion, which may make two constructs depend on each other, and whose results may be read through
        // different views.
        Run(&fuse::vertical::PASS),
        // Before fuse-reads, which leaves arrays that are copied as a whole.
        Run(&partial_copy::PASS),
        // After fusion with constructs, which needs no second computation. Before horizontal fusion, whose constructs
        // have more results.
        Run(&fuse::reads::PASS),
        // After fuse-reads: the code of a map moves into the loop.
        Run(&loop_fission::PASS),
        Run(&fuse::horizontal::PASS),
        // After horizontal fusion. A construct that fused horizontally may be used by both sides of a branch, and
        // then it does not sink. Constructs that sink into a branch fuse there in the next round.
        Run(&sink::PASS),
    ]),
    // Last: it relies on the order of checks, which other passes may change.
    Run(&redundant_checks::PASS),
];

/// The schedule that adds segments to optimised core IR. The result is translated to kernel IR.
pub const FLATTEN: &[Step] = &[
    // Before flatten, which places what the bins and the sorted points are made of.
    Run(&bins::PASS),
    Run(&sort_points::PASS),
    Run(&flatten::PASS),
    // After flatten, which makes an index the number of its chunk times the size of a chunk, plus a counter.
    Run(&low_bits::PASS),
    // After flatten: the counters of segments tell which threads are neighbours.
    Run(&layout::PASS),
];

/// The passes over kernel IR, in order. Each runs once.
pub const KERNEL: &[KernelPass] = &[
    // First: the other passes see which block a loop uses.
    memory::merge_parameters::PASS,
    // Before reuse and double-buffer: the copy makes the memory belong to the loop, so they may overwrite it.
    memory::copy_initial::PASS,
    // Before reuse, which would give the array another memory, so that the copy stays.
    memory::short_circuit::PASS,
    // Before double-buffer and hoist-blocks: an array produced in dead memory needs no block of its own.
    memory::reuse::PASS,
    // Before hoist-blocks: blocks that an iteration yields cannot be hoisted otherwise.
    memory::double_buffer::PASS,
    // After the other passes over memory. A block that leaves an inner loop may go on to leave the outer one.
    memory::hoist::PASS,
    // After the passes over memory, which then see each product once. Before the passes that look at the loops of points.
    machine::tile::PASS,
    machine::tile_in_workgroups::PASS,
    // Before if-convert, which keeps a branch that is the same for a whole row. After the passes over memory, which
    // then look at one segment and not at two.
    machine::nested_counters::PASS,
    // After nested-counters: a segment with more counters may access an array against its layout. Before the passes over
    // loops, which then see the loops of a tile.
    machine::tile_transposes::PASS,
    // After the passes over memory, which look at a fill as a whole. Before unroll: the part that is left may be short.
    machine::partial_fill::PASS,
    // Before unroll: a loop whose branches are selections is unrolled if it is short. After the passes over memory,
    // which look at loops as a whole.
    machine::if_convert::PASS,
    machine::unroll::PASS,
    // After unroll, which makes the places of elements constants. Before unswitch and split-index: conditions on elements become
    // conditions on counters.
    machine::forward_stores::PASS,
    // After if-convert, which leaves branches that are worth a loop of their own, and unroll: loops inside may be gone.
    machine::unswitch::PASS,
    // After unswitch: a condition on an outer counter leaves the inner loop.
    machine::split_index::PASS,
    // After split-index: the middle loop has no checks, so nothing can fail before its loads, and more of them can
    // move.
    machine::hoist_loads::PASS,
    // After unroll, which brings the iterations of a loop into one body.
    machine::sine_cosine::PASS,
    // After the passes over memory, which look at copies as a whole.
    machine::stage_transposes::PASS,
    // Last: the other passes look at copies and at rows as a whole.
    machine::copies_in_segments::PASS,
    machine::rows_in_workgroups::PASS,
];

/// The name of the pass after all rounds.
pub const LAST: &str = redundant_checks::PASS.name;

/// The maximum number of rounds, in case two passes undo each other's work.
const MAX_ROUNDS: usize = 16;

/// A step of a schedule. Running the same pass twice in a row changes nothing the second time. So a pass is skipped
/// unless another pass has fired since its last run.
pub enum Step<P: 'static = Program> {
    /// Runs a pass.
    Run(&'static Pass<P>),
    /// Runs the steps in order, in rounds, until no pass in them has anything left to do.
    Repeat(&'static [Step<P>]),
    /// Runs the steps in order, and again as long as the last pass fires.
    RepeatWhileLastFires(&'static [Step<P>]),
}

impl<P> Clone for Step<P> {
    fn clone(&self) -> Step<P> {
        *self
    }
}

impl<P> Copy for Step<P> {}

impl<P> Step<P> {
    /// The passes of this step, in order; a pass that runs at two places is listed twice.
    pub fn passes(&self) -> Vec<&'static Pass<P>> {
        match *self {
            Run(pass) => vec![pass],
            Repeat(steps) | RepeatWhileLastFires(steps) => passes(steps),
        }
    }
}

/// The passes of these steps, in order; a pass that runs at two places is listed twice.
pub fn passes<P>(steps: &[Step<P>]) -> Vec<&'static Pass<P>> {
    steps.iter().flat_map(Step::passes).collect()
}

/// These passes in order, each once.
pub fn in_order<P>(passes: impl IntoIterator<Item = &'static Pass<P>>) -> Vec<Step<P>> {
    passes.into_iter().map(Run).collect()
}

/// Runs the steps of a schedule: `run` runs a pass, and returns whether it fired. If `first` names a pass of the
/// schedule, all passes before it are skipped in the first round.
///
/// # Errors
/// The first error of `run`.
pub fn run_steps<P, E>(
    steps: &[Step<P>],
    first: Option<&str>,
    run: &mut dyn FnMut(&'static Pass<P>) -> Result<bool, E>,
) -> Result<(), E> {
    let passes = passes(steps);
    let first = first.filter(|first| passes.iter().any(|pass| pass.name == *first));
    Runner { pending: vec![true; passes.len()], first, run }.steps(steps, 0)?;
    Ok(())
}

struct Runner<'r, P: 'static, E> {
    /// For each pass of the schedule, whether another one has fired since it last ran.
    pending: Vec<bool>,
    /// The pass to start with, until it is reached.
    first: Option<&'r str>,
    run: &'r mut dyn FnMut(&'static Pass<P>) -> Result<bool, E>,
}

impl<P, E> Runner<'_, P, E> {
    /// Runs steps; `at` is the position of their first pass in the schedule. Returns whether the last pass fired.
    fn steps(&mut self, steps: &[Step<P>], mut at: usize) -> Result<bool, E> {
        let mut fired = false;
        for step in steps {
            let next = at + step.passes().len();
            match *step {
                Run(pass) => fired = self.pass(pass, at)?,
                Repeat(steps) => {
                    for _ in 0..MAX_ROUNDS {
                        fired = self.steps(steps, at)?;
                        if self.first.is_some() || !self.pending[at..next].contains(&true) {
                            break;
                        }
                    }
                }
                RepeatWhileLastFires(steps) => {
                    fired = true;
                    while fired {
                        fired = self.steps(steps, at)?;
                    }
                }
            }
            at = next;
        }
        Ok(fired)
    }

    fn pass(&mut self, pass: &'static Pass<P>, at: usize) -> Result<bool, E> {
        self.first = self.first.filter(|first| *first != pass.name);
        if self.first.is_some() || !std::mem::replace(&mut self.pending[at], false) {
            return Ok(false);
        }
        let fired = (self.run)(pass)?;
        if fired {
            self.pending.iter_mut().enumerate().for_each(|(other, pending)| *pending |= other != at);
        }
        Ok(fired)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::convert::Infallible;

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
    to reduce commutative \\(a_8: i64, b_9: i64) -> {
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
    fn runs(
        steps: &[Step],
        first: Option<&str>,
        firing: &'static str,
        mut firings: usize,
    ) -> Vec<&'static str> {
        let mut names = Vec::new();
        let mut run = |pass: &'static Pass| {
            names.push(pass.name);
            let fires = pass.name == firing && firings > 0;
            firings -= usize::from(fires);
            Ok::<bool, Infallible>(fires)
        };
        let Ok(()) = run_steps(steps, first, &mut run);
        names
    }

    #[test]
    fn the_pipeline_repeats_rounds_and_fusion_inside_them() {
        let names: Vec<_> = passes(PIPELINE).iter().map(|pass| pass.name).collect();
        let views = fuse::views::PASS.name;
        let after = names.iter().position(|name| *name == views).expect("its place") + 1;
        let (part, rest) = names.split_at(after);
        // A pass that fires does not run twice in a row.
        assert_eq!(runs(PIPELINE, None, views, 1), [part, &part[..after - 1], rest].concat());
        assert_eq!(runs(&in_order(passes(PIPELINE)), None, views, 1), names);
        // The last pass runs once, and nothing after it.
        let (last, rounds) = names.split_last().expect("passes");
        let without_sink = &rounds[..rounds.len() - 1];
        assert_eq!((*last, rounds.last()), (LAST, Some(&"sink")));
        assert_eq!(runs(PIPELINE, None, "sink", 1), [rounds, without_sink, &[LAST]].concat());
        assert_eq!(runs(PIPELINE, None, LAST, 1), names);
    }

    #[test]
    fn a_run_may_start_with_any_pass() {
        let names: Vec<_> = passes(PIPELINE).iter().map(|pass| pass.name).collect();
        assert_eq!(runs(PIPELINE, Some(LAST), "sink", 1), [LAST]);
        assert_eq!(runs(PIPELINE, Some("no pass"), "", 0), names);
        // The passes that were skipped run in the second round.
        let at = names.iter().position(|name| *name == "hoist").expect("its place");
        let (before, from) = names.split_at(at);
        let (last, from) = from.split_last().expect("passes");
        assert_eq!(runs(PIPELINE, Some("hoist"), "", 0), [from, before, &[*last]].concat());
        let at = names.iter().position(|name| *name == "sink").expect("its place");
        assert_eq!(runs(PIPELINE, Some("sink"), "", 0), [&["sink"], &names[..at], &[LAST]].concat());
    }

    #[test]
    fn passes_that_never_rest_end_after_some_rounds() {
        const STEPS: &[Step] = &[Repeat(&[Run(&simplify::PASS), Run(&hoist::PASS)])];
        let mut count = 0;
        let mut run = |_: &'static Pass| {
            count += 1;
            Ok::<bool, Infallible>(true)
        };
        let Ok(()) = run_steps(STEPS, None, &mut run);
        assert_eq!(count, 2 * MAX_ROUNDS);
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
        let (mut fired, mut visited) = (0, 0);
        let mut work = BTreeMap::new();
        let mut run = |pass: &'static Pass| {
            (pass.run)(&mut program, &mut cx);
            *work.entry(pass.name).or_default() += (cx.visits() - visited) as f64 / statements as f64;
            visited = cx.visits();
            let before = std::mem::replace(&mut fired, cx.firing_count());
            Ok::<bool, Infallible>(fired > before)
        };
        let Ok(()) = run_steps(PIPELINE, None, &mut run);
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
