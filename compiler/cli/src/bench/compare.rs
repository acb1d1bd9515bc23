//! Compares measurements of programs, robustly against noise.
//!
//! On a shared machine, the elapsed time of one program varies by a factor of several, because runs wait for the processor. Its
//! processor time (the work) varies by a few per cent. So the work decides, if it is known. A program with the same work but much
//! more elapsed time gets a note, since it may have lost its parallelism. For a GPU only the elapsed time is known.
//!
//! Noise makes a run longer, never shorter, and lasts for a while. The fastest tenth of the runs is hardly disturbed,
//! so a change must show there. To a lesser degree it must also show in the fastest quarter and in the median, so that
//! single lucky runs do not decide. The distance between the fastest quarter and the fastest tenth measures the noise.
//! If it is large, as for short runs on a GPU, a change of the time must be larger to count, so that a program compared
//! with itself counts as equal. A factor of two always counts. The work also varies if programs compete for memory, but
//! so little that the threshold is hardly raised.

use std::fmt::Write as _;

use super::record::{Measurement, Record};
use crate::measure::Times;

/// Quantiles, with the factor by which each must differ.
const CHANGE: [(f64, f64); 3] = [(0.1, 1.10), (0.25, 1.08), (0.5, 1.04)];

/// The ratio of a significant change to the spread of the fastest runs.
const OVER_SPREAD: f64 = 2.5;

/// The limit on the factor by which noise raises the threshold for a change of the time; at the limit, the fastest
/// tenth must differ by a factor of two.
const MAX_WIDENING: f64 = 10.0;

/// The same limit for a change of the work.
const WORK_WIDENING: f64 = 1.0;

/// The factor of elapsed time at which a program with the same work gets a note.
const SUSPICIOUS: f64 = 1.5;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No significant change.
    Equal,
    /// Slower.
    Slower,
    /// Faster.
    Faster,
}

/// Compares two measurements of a dataset, times or work. The spread of the fastest runs raises the threshold, at most by the
/// factor `widest`.
fn verdict(old: &Times, new: &Times, widest: f64) -> Verdict {
    let spread = |times: &Times| times.quantile(CHANGE[1].0) / times.quantile(CHANGE[0].0) - 1.0;
    let widened = OVER_SPREAD * spread(old).max(spread(new)) / (CHANGE[0].1 - 1.0);
    let widened = widened.clamp(1.0, widest);
    let mut ratios = CHANGE
        .iter()
        .map(|&(part, factor)| (new.quantile(part) / old.quantile(part), 1.0 + (factor - 1.0) * widened));
    if ratios.clone().all(|(ratio, factor)| ratio > factor) {
        Verdict::Slower
    } else if ratios.all(|(ratio, factor)| ratio < 1.0 / factor) {
        Verdict::Faster
    } else {
        Verdict::Equal
    }
}

/// The comparison of every dataset, one line each, and whether one has become slower.
pub fn report(old: &Record, new: &Record) -> (String, bool) {
    let (mut text, mut slower) = (String::new(), false);
    let machine = |of: &Record| format!("{} with {} processors", of.target, of.processors);
    if machine(old) != machine(new) {
        let _ = writeln!(text, "! another machine: {} now, {} before", machine(new), machine(old));
    }
    if old.threads != new.threads {
        let _ = writeln!(text, "! {} threads now, {} before", new.threads, old.threads);
    }
    for case in &new.cases {
        let Some(before) = old.cases.iter().find(|before| before.is_of(case)) else {
            let _ = writeln!(text, "{}: was not measured before", case.name());
            continue;
        };
        if before.input != case.input {
            let _ = writeln!(text, "{}: not compared, since its input has changed", case.name());
            continue;
        }
        let (verdict, why) = judge(before, case);
        slower |= verdict == Verdict::Slower;
        let word = match verdict {
            Verdict::Equal => "equal",
            Verdict::Slower => "SLOWER",
            Verdict::Faster => "faster",
        };
        let _ = writeln!(text, "{}: {word}, {why}", case.name());
    }
    for before in &old.cases {
        if !new.cases.iter().any(|case| case.is_of(before)) {
            let _ = writeln!(text, "{}: was not measured now", before.name());
        }
    }
    (text, slower)
}

/// The verdict on a dataset, with the ratios.
fn judge(old: &Measurement, new: &Measurement) -> (Verdict, String) {
    let ratio = |old: &Times, new: &Times| new.median() / old.median();
    let (old_times, new_times) = (old.times(), new.times());
    let time = ratio(&old_times, &new_times);
    let (Some(old_work), Some(new_work)) = (old.work(), new.work()) else {
        return (verdict(&old_times, &new_times, MAX_WIDENING), format!("{time:.2} x the time"));
    };
    let verdict = verdict(&old_work, &new_work, WORK_WIDENING);
    let mut why = format!("{:.2} x the work, {time:.2} x the time", ratio(&old_work, &new_work));
    if verdict == Verdict::Equal && time > SUSPICIOUS {
        why.push_str(" (it runs less in parallel, or the machine was busy)");
    }
    (verdict, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random numbers in [0, 1) by splitmix64.
    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = self.0;
            bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (bits ^ bits >> 31) as f64 / 2.0_f64.powi(64)
        }
    }

    /// The noise of a machine.
    #[derive(Clone, Copy)]
    struct Noise {
        /// The limit on the factor by which noise raises the threshold.
        widest: f64,
        /// The largest relative delay of every run.
        jitter: f64,
        /// The fraction of runs that are interrupted; these take up to four times as long.
        interrupted: f64,
        /// The largest fraction of a measurement during which the machine is busy; runs then take 1.5 times as long.
        busy: f64,
        /// The largest relative deviation of a whole measurement.
        drift: f64,
    }

    const QUIET: Noise =
        Noise { widest: MAX_WIDENING, jitter: 0.02, interrupted: 0.01, busy: 0.0, drift: 0.01 };
    const NOISY: Noise =
        Noise { widest: MAX_WIDENING, jitter: 0.15, interrupted: 0.2, busy: 0.4, drift: 0.03 };

    /// The noise of the work on a machine with very noisy times.
    const WORK: Noise =
        Noise { widest: WORK_WIDENING, jitter: 0.05, interrupted: 0.02, busy: 0.0, drift: 0.03 };

    fn measurement(random: &mut Random, noise: Noise, seconds: f64, runs: usize) -> Times {
        let seconds = seconds * (1.0 + noise.drift * (2.0 * random.unit() - 1.0));
        // The busy fraction varies between measurements.
        let busy = noise.busy * random.unit();
        let mut run = |number: usize| {
            let mut time = seconds * (1.0 + noise.jitter * random.unit());
            if (number as f64) < busy * runs as f64 {
                time *= 1.5;
            }
            if random.unit() < noise.interrupted {
                time *= 1.0 + 3.0 * random.unit();
            }
            time
        };
        (0..runs).map(&mut run).collect()
    }

    /// The number of comparisons in a thousand with this verdict, if the second program is slower by this factor.
    fn share(noise: Noise, slowdown: f64, runs: usize, wanted: Verdict) -> usize {
        let mut random = Random(runs as u64);
        let mut has_verdict = || {
            let old = measurement(&mut random, noise, 0.01, runs);
            let new = measurement(&mut random, noise, 0.01 * slowdown, runs);
            verdict(&old, &new, noise.widest) == wanted
        };
        (0..1000).filter(|_| has_verdict()).count()
    }

    #[test]
    fn the_same_program_is_equal_nine_times_of_ten() {
        for noise in [QUIET, NOISY, WORK] {
            for runs in [6, 20, 100, 1000] {
                let equal = share(noise, 1.0, runs, Verdict::Equal);
                assert!(equal >= 900, "{equal} of 1000 with {runs} runs");
            }
        }
    }

    #[test]
    fn a_slowdown_of_a_fifth_is_found_nine_times_of_ten() {
        for (noise, fewest) in [(QUIET, 6), (WORK, 6), (NOISY, 200)] {
            for (change, wanted) in [(1.2, Verdict::Slower), (1.0 / 1.2, Verdict::Faster)] {
                let found = share(noise, change, fewest, wanted);
                assert!(found >= 900, "{found} of 1000 with {fewest} runs, {wanted:?}");
            }
        }
    }

    /// The lucky run was measured wrongly, or was the only undisturbed one.
    #[test]
    fn one_lucky_run_hides_no_slowdown() {
        for luck in [0.5, 0.1, 1e-6, 0.0] {
            let runs = |seconds: f64| std::iter::once(luck * seconds).chain([seconds; 20]).collect();
            for widest in [MAX_WIDENING, WORK_WIDENING] {
                let verdict = |old, new| verdict(&runs(old), &runs(new), widest);
                assert_eq!(verdict(1.0, 1.2), Verdict::Slower, "{luck}");
                assert_eq!(verdict(1.2, 1.0), Verdict::Faster, "{luck}");
                assert_eq!(verdict(1.0, 1.0), Verdict::Equal, "{luck}");
            }
        }
    }

    #[test]
    fn a_factor_of_two_is_slower_for_any_noise() {
        let runs = |seconds: f64| [1.0, 1.0, 50.0, 60.0, 70.0, 90.0, 110.0, 130.0].map(|run| seconds * run);
        let verdict = |factor| {
            verdict(&runs(1.0).into_iter().collect(), &runs(factor).into_iter().collect(), MAX_WIDENING)
        };
        assert_eq!(
            (verdict(1.9), verdict(2.1), verdict(0.4)),
            (Verdict::Equal, Verdict::Slower, Verdict::Faster)
        );
    }

    /// The work spreads if programs compete for memory; that must not hide a change.
    #[test]
    fn a_slowdown_of_work_that_spreads_is_found() {
        let runs = |seconds: f64| (0..100).map(|run| seconds * (1.0 + 0.008 * f64::from(run))).collect();
        let (old, new) = (runs(1.0), runs(1.2));
        assert_eq!(verdict(&old, &new, WORK_WIDENING), Verdict::Slower);
        assert_eq!(verdict(&old, &new, MAX_WIDENING), Verdict::Equal);
    }

    #[test]
    fn a_single_quantile_reports_changes_that_are_noise() {
        for (part, factor) in [(0.0, 1.02), (0.5, 1.10)] {
            let mut random = Random(1);
            let mut looks_changed = || {
                let noise = if part > 0.0 { NOISY } else { WORK };
                let [old, new] = [(); 2].map(|()| measurement(&mut random, noise, 0.01, 20).quantile(part));
                !(1.0 / factor..factor).contains(&(new / old))
            };
            let changed = (0..1000).filter(|_| looks_changed()).count();
            assert!(changed > 100, "{changed} of 1000 at {part}");
        }
    }

    fn record(cases: &[(&str, f64, f64)]) -> Record {
        let case = |&(dataset, time, work): &(&str, f64, f64)| Measurement {
            work_seconds: if work > 0.0 { vec![work; 8] } else { Vec::new() },
            ..Measurement::example(dataset, "cpu", &[time; 8])
        };
        Record::new(cases.iter().map(case).collect(), Some(2))
    }

    #[test]
    fn work_decides_where_it_is_known() {
        let old = record(&[("same", 1.0, 1.0), ("slow", 1.0, 1.0), ("alone", 1.0, 0.0), ("gone", 1.0, 1.0)]);
        let new = record(&[("same", 2.0, 1.0), ("slow", 1.0, 1.2), ("alone", 0.5, 1.0), ("new", 1.0, 1.0)]);
        let (text, slower) = report(&old, &new);
        assert!(slower);
        let lines = [
            "a.dsl main same on cpu: equal, 1.00 x the work, 2.00 x the time (it runs less in parallel, \
             or the machine was busy)",
            "a.dsl main slow on cpu: SLOWER, 1.20 x the work, 1.00 x the time",
            "a.dsl main alone on cpu: faster, 0.50 x the time",
            "a.dsl main new on cpu: was not measured before",
            "a.dsl main gone on cpu: was not measured now",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
        assert!(!report(&old, &old).1);
    }

    #[test]
    fn changes_of_machine_threads_and_input_are_reported() {
        let old = record(&[("changed", 1.0, 1.0), ("same", 1.0, 1.0)]);
        let mut new = record(&[("changed", 2.0, 2.0), ("same", 1.0, 1.0)]);
        (new.threads, new.cases[0].input) = (1, 7);
        let (text, slower) = report(&old, &new);
        let lines = [
            "! 1 threads now, 2 before",
            "a.dsl main changed on cpu: not compared, since its input has changed",
            "a.dsl main same on cpu: equal, 1.00 x the work, 1.00 x the time",
        ];
        assert_eq!((text.lines().collect::<Vec<_>>(), slower), (lines.to_vec(), false));
        let on = |target: &str, processors| {
            let mut record = record(&[]);
            (record.target, record.processors) = (target.to_owned(), processors);
            record
        };
        for (target, processors) in [("that", 1), ("this", 2)] {
            assert_eq!(
                report(&on("this", 1), &on(target, processors)).0,
                format!(
                    "! another machine: {target} with {processors} processors now, this with 1 processors before\n"
                )
            );
        }
    }
}
