//! Has a program become slower, or does it only look so?
//!
//! On a machine that others use too, runs of one program take up to several times as long at one moment as at
//! another, because they wait for the processor. How long the processor worked for them is the same within a few
//! per cent. So that decides, where it is known; a program that works as long as before but takes much longer is
//! pointed out, since it may have lost its parallelism. Of a device of its own only the time is known.
//!
//! What disturbs a run makes it longer, never shorter, and does so for a while. So a change counts if
//! it is seen in the fastest tenth of the runs, which are hardly disturbed, and less of it also in the
//! fastest quarter and the median, lest single lucky runs decide. How far the fastest quarter reaches above the
//! fastest tenth says how much of a time is not the program's own. Where that is much, as with short runs on a
//! device, a change of the time has to be larger to count: who compares a program with itself shall not be told of one.
//! But twice as much always counts. The work spreads too, where programs fight for memory, but that hides no change of it.

use std::fmt::Write as _;

use super::record::{Measured, Record};
use crate::measure::Times;

/// By which factor a quantile has to differ, for each of these.
const CHANGE: [(f64, f64); 3] = [(0.1, 1.10), (0.25, 1.08), (0.5, 1.04)];

/// So many times as large as the spread of the fastest runs a change has to be.
const OVER_SPREAD: f64 = 2.5;

/// So much larger a change of the time may have to be; twice as much then, in the fastest tenth.
const MOST_WIDENED: f64 = 10.0;

/// The same of the work.
const WORK_WIDENED: f64 = 1.0;

/// A program that takes so many times as long as before, with the same work, is pointed out.
const SUSPICIOUS: f64 = 1.5;

/// What became of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No change is seen.
    Equal,
    /// It takes longer.
    Slower,
    /// It takes less time.
    Faster,
}

/// The verdict on what two measurements of a dataset say: times of runs, or work. A change has to be larger by a factor,
/// as the fastest runs spread, but at most by `widest`.
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

/// What became of every dataset, one a line, and whether one has become slower.
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
            let _ = writeln!(text, "{}: not compared, its input was another one before", case.name());
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

/// The verdict on a dataset, and what speaks for it.
fn judge(old: &Measured, new: &Measured) -> (Verdict, String) {
    let ratio = |old: &Times, new: &Times| new.median() / old.median();
    let (old_times, new_times) = (old.times(), new.times());
    let time = ratio(&old_times, &new_times);
    let (Some(old_work), Some(new_work)) = (old.work(), new.work()) else {
        return (verdict(&old_times, &new_times, MOST_WIDENED), format!("{time:.2} x the time"));
    };
    let verdict = verdict(&old_work, &new_work, WORK_WIDENED);
    let mut why = format!("{:.2} x the work, {time:.2} x the time", ratio(&old_work, &new_work));
    if verdict == Verdict::Equal && time > SUSPICIOUS {
        why.push_str(" (either it runs less in parallel, or the machine was busy)");
    }
    (verdict, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random numbers in [0, 1), as splitmix64 makes them.
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

    /// How a machine disturbs.
    #[derive(Clone, Copy)]
    struct Noise {
        /// How much larger a change of what is measured may have to be.
        widest: f64,
        /// Every run takes longer by up to this part.
        jitter: f64,
        /// This part of the runs is interrupted, and takes up to four times as long.
        interrupted: f64,
        /// Up to this part of a measurement the machine is busy, and everything takes half as long again.
        busy: f64,
        /// A measurement as a whole is faster or slower by up to this part.
        drift: f64,
    }

    const QUIET: Noise =
        Noise { widest: MOST_WIDENED, jitter: 0.02, interrupted: 0.01, busy: 0.0, drift: 0.01 };
    const NOISY: Noise =
        Noise { widest: MOST_WIDENED, jitter: 0.15, interrupted: 0.2, busy: 0.4, drift: 0.03 };

    /// How the work of a program is disturbed on a machine whose times are not worth looking at.
    const WORK: Noise =
        Noise { widest: WORK_WIDENED, jitter: 0.05, interrupted: 0.02, busy: 0.0, drift: 0.03 };

    fn measurement(random: &mut Random, noise: Noise, seconds: f64, runs: usize) -> Times {
        let seconds = seconds * (1.0 + noise.drift * (2.0 * random.unit() - 1.0));
        // How long the machine is busy differs from measurement to measurement.
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

    /// How many of a thousand comparisons end so, when the second program takes this much longer.
    fn share(noise: Noise, slowdown: f64, runs: usize, wanted: Verdict) -> usize {
        let mut random = Random(runs as u64);
        let mut ends_so = || {
            let old = measurement(&mut random, noise, 0.01, runs);
            let new = measurement(&mut random, noise, 0.01 * slowdown, runs);
            verdict(&old, &new, noise.widest) == wanted
        };
        (0..1000).filter(|_| ends_so()).count()
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

    /// A run that was measured wrongly, or was the only one that nothing disturbed.
    #[test]
    fn one_lucky_run_hides_no_slowdown() {
        for luck in [0.5, 0.1, 1e-6, 0.0] {
            let runs = |seconds: f64| std::iter::once(luck * seconds).chain([seconds; 20]).collect();
            for widest in [MOST_WIDENED, WORK_WIDENED] {
                let verdict = |old, new| verdict(&runs(old), &runs(new), widest);
                assert_eq!(verdict(1.0, 1.2), Verdict::Slower, "{luck}");
                assert_eq!(verdict(1.2, 1.0), Verdict::Faster, "{luck}");
                assert_eq!(verdict(1.0, 1.0), Verdict::Equal, "{luck}");
            }
        }
    }

    #[test]
    fn more_than_twice_as_long_is_slower_however_disturbed() {
        let runs = |seconds: f64| [1.0, 1.0, 50.0, 60.0, 70.0, 90.0, 110.0, 130.0].map(|run| seconds * run);
        let verdict = |factor| {
            verdict(&runs(1.0).into_iter().collect(), &runs(factor).into_iter().collect(), MOST_WIDENED)
        };
        assert_eq!(
            (verdict(1.9), verdict(2.1), verdict(0.4)),
            (Verdict::Equal, Verdict::Slower, Verdict::Faster)
        );
    }

    /// As programs that fight for memory do: what spreads is not what has changed.
    #[test]
    fn a_slowdown_of_work_that_spreads_is_found() {
        let runs = |seconds: f64| (0..100).map(|run| seconds * (1.0 + 0.008 * f64::from(run))).collect();
        let (old, new) = (runs(1.0), runs(1.2));
        assert_eq!(verdict(&old, &new, WORK_WIDENED), Verdict::Slower);
        assert_eq!(verdict(&old, &new, MOST_WIDENED), Verdict::Equal);
    }

    #[test]
    fn a_single_quantile_would_not_do() {
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
        let case = |&(dataset, time, work): &(&str, f64, f64)| Measured {
            work_seconds: if work > 0.0 { vec![work; 8] } else { Vec::new() },
            ..Measured::example(dataset, "cpu", &[time; 8])
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
            "a.dsl main same on cpu: equal, 1.00 x the work, 2.00 x the time (either it runs less in parallel, \
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
    fn what_else_has_changed_is_told() {
        let old = record(&[("changed", 1.0, 1.0), ("same", 1.0, 1.0)]);
        let mut new = record(&[("changed", 2.0, 2.0), ("same", 1.0, 1.0)]);
        (new.threads, new.cases[0].input) = (1, 7);
        let (text, slower) = report(&old, &new);
        let lines = [
            "! 1 threads now, 2 before",
            "a.dsl main changed on cpu: not compared, its input was another one before",
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
