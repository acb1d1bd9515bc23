//! Repeated timing, with order statistics.
//!
//! Run times are not normally distributed, since disturbances only make a run longer. So the statistics depend on the order of
//! the times alone: the median, and its 95 % confidence interval, which is valid for every distribution.

use std::time::{Duration, Instant};

/// The maximum probability that the true median lies below the interval, and that it lies above.
const DOUBT: f64 = 0.025;

/// The fewest runs that give an interval with this confidence.
const MIN_RUNS: usize = 6;

/// The conditions to stop measuring.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// The largest `spread` at which measuring stops.
    pub precision: f64,
    /// The time limit for all runs.
    pub limit: Duration,
}

/// The times of runs.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// In seconds, in ascending order.
    sorted: Vec<f64>,
    /// In seconds, in the order of the runs.
    runs: Vec<f64>,
}

impl FromIterator<f64> for Times {
    /// Times in seconds.
    fn from_iter<I: IntoIterator<Item = f64>>(seconds: I) -> Times {
        let mut times = Times::default();
        seconds.into_iter().for_each(|time| times.add(time));
        times
    }
}

impl Times {
    /// Adds the time of a run, in seconds.
    pub fn add(&mut self, seconds: f64) {
        let at = self.sorted.partition_point(|known| *known < seconds);
        self.sorted.insert(at, seconds);
        self.runs.push(seconds);
    }

    /// The times in seconds, in the order of the runs.
    pub fn runs(&self) -> &[f64] {
        &self.runs
    }

    /// The quantile of this probability, 0.5 for the median; 0 without runs.
    pub fn quantile(&self, part: f64) -> f64 {
        let Some(last) = self.sorted.len().checked_sub(1) else { return 0.0 };
        let at = part * last as f64;
        let (below, above) = (self.sorted[at.floor() as usize], self.sorted[at.ceil() as usize]);
        below + (above - below) * at.fract()
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The 95 % confidence interval of the median; none for too few runs.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let runs = self.sorted.len();
        let outside = runs_below_interval(runs)?;
        Some((self.sorted[outside], self.sorted[runs - 1 - outside]))
    }

    /// The distance of the interval's ends from the median, relative to the median.
    pub fn spread(&self) -> Option<f64> {
        let (low, high) = self.interval()?;
        let median = self.median();
        Some(if median > 0.0 { (high - median).max(median - low) / median } else { 0.0 })
    }

    /// Whether the interval is narrow enough.
    pub fn is_precise(&self, aim: Aim) -> bool {
        self.spread().is_some_and(|spread| spread <= aim.precision)
    }
}

/// How many of the shortest runs lie below the confidence interval: the largest number for which the true median lies
/// below the interval with a probability of at most [`DOUBT`]. The number of runs below the median has a binomial
/// distribution with p = 1/2; for more than 500 runs it is approximated by the normal distribution.
fn runs_below_interval(runs: usize) -> Option<usize> {
    if runs < MIN_RUNS {
        return None;
    }
    let count = runs as f64;
    if runs > 500 {
        return Some(((count - 1.96 * count.sqrt()) / 2.0) as usize);
    }
    let (mut term, mut below, mut rank) = (0.5_f64.powi(runs as i32), 0.0, 0_usize);
    while below + term <= DOUBT {
        below += term;
        term *= (count - rank as f64) / (rank as f64 + 1.0);
        rank += 1;
    }
    rank.checked_sub(1)
}

/// Repeats a run until the aim is reached, after one warm-up run.
///
/// # Errors
/// The error of the first run that fails.
pub fn measure<E>(aim: Aim, mut run: impl FnMut() -> Result<(), E>) -> Result<Times, E> {
    let begin = Instant::now();
    run()?;
    let mut times = Times::default();
    loop {
        let before = Instant::now();
        run()?;
        times.add(before.elapsed().as_secs_f64());
        if times.is_precise(aim) || begin.elapsed() >= aim.limit {
            return Ok(times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_keep_the_confidence() {
        // The binomial distribution by Pascal's triangle.
        for runs in 1..200_usize {
            let mut row = vec![1.0_f64];
            for _ in 0..runs {
                let mut next: Vec<f64> = row.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
                next.insert(0, row[0] / 2.0);
                next.push(row[row.len() - 1] / 2.0);
                row = next;
            }
            let below = |rank: usize| row[..=rank].iter().sum::<f64>();
            match runs_below_interval(runs) {
                None => assert!(runs < MIN_RUNS && below(0) > DOUBT, "{runs}"),
                Some(rank) => assert!(below(rank) <= DOUBT && below(rank + 1) > DOUBT, "{runs}: {rank}"),
            }
        }
    }

    #[test]
    fn the_approximation_for_many_runs_continues_the_exact_ranks() {
        let [few, many] = [500, 501].map(|runs| runs_below_interval(runs).expect("there are enough"));
        assert!(few.abs_diff(many) <= 1, "{few} {many}");
    }

    #[test]
    fn medians_and_intervals_are_order_statistics() {
        let times: Times = [5.0, 1.0, 4.0, 2.0, 3.0, 6.0, 1000.0].into_iter().collect();
        assert_eq!((times.median(), times.interval()), (4.0, Some((1.0, 1000.0))));
        assert_eq!(times.runs()[..2], [5.0, 1.0]);
        assert_eq!(Times::default().median(), 0.0);
        assert_eq!([1.0, 2.0].into_iter().collect::<Times>().interval(), None);
    }

    #[test]
    fn runs_end_at_the_precision_or_the_time_limit() {
        let aim = |millis| Aim { precision: 1e9, limit: Duration::from_millis(millis) };
        let runs = |aim| {
            let mut runs = 0;
            let times = measure(aim, || {
                runs += 1;
                std::thread::sleep(Duration::from_millis(1));
                Ok::<(), ()>(())
            });
            assert_eq!(times.map(|times| times.runs().len()), Ok(runs - 1));
            runs
        };
        assert_eq!(runs(aim(60_000)), MIN_RUNS + 1);
        assert_eq!(runs(aim(0)), 2);
        assert_eq!(measure(aim(60_000), || Err("fails")).err(), Some("fails"));
    }
}
