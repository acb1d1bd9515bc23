//! How long something takes, and how well that is known.
//!
//! Times are not normally distributed: what disturbs a run only makes it longer. So all that is said of
//! them goes by their order: the median, and the interval in which the median of infinitely many runs
//! lies with a confidence of 95 %, whatever the distribution.

use std::time::{Duration, Instant};

/// The confidence that the true median is below the interval, or above it.
const DOUBT: f64 = 0.025;

/// So many runs are the fewest that say something with that confidence.
const LEAST_RUNS: usize = 6;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// The ends of the interval are to be within this part of the median.
    pub precision: f64,
    /// After so long the runs end, however little is known.
    pub limit: Duration,
}

/// The times of runs.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// In seconds, in ascending order.
    sorted: Vec<f64>,
    /// In seconds, as they came.
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

    /// In seconds, as they came.
    pub fn runs(&self) -> &[f64] {
        &self.runs
    }

    /// The time below which this part of the runs is: 0.5 for the median. 0 if there was none.
    pub fn quantile(&self, part: f64) -> f64 {
        let Some(last) = self.sorted.len().checked_sub(1) else { return 0.0 };
        let at = part * last as f64;
        let (below, above) = (self.sorted[at.floor() as usize], self.sorted[at.ceil() as usize]);
        below + (above - below) * at.fract()
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The interval that holds the true median with a confidence of 95 %; none of too few runs.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let runs = self.sorted.len();
        let outside = least_rank(runs)?;
        Some((self.sorted[outside], self.sorted[runs - 1 - outside]))
    }

    /// How far the ends of the interval are from the median, as a part of it.
    pub fn spread(&self) -> Option<f64> {
        let (low, high) = self.interval()?;
        let median = self.median();
        Some(if median > 0.0 { (high - median).max(median - low) / median } else { 0.0 })
    }

    /// Is the median known well enough?
    pub fn settled(&self, aim: Aim) -> bool {
        self.spread().is_some_and(|spread| spread <= aim.precision)
    }
}

/// How many of the least of so many runs are below the interval: the most with which the true median
/// is there with less than [`DOUBT`], as the number of runs below it is distributed like that of heads.
fn least_rank(runs: usize) -> Option<usize> {
    if runs < LEAST_RUNS {
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

/// Runs until the aim is reached, after one run that is not counted.
///
/// # Errors
/// Of the run that failed.
pub fn measure<E>(aim: Aim, mut run: impl FnMut() -> Result<(), E>) -> Result<Times, E> {
    let begin = Instant::now();
    run()?;
    let mut times = Times::default();
    loop {
        let before = Instant::now();
        run()?;
        times.add(before.elapsed().as_secs_f64());
        if times.settled(aim) || begin.elapsed() >= aim.limit {
            return Ok(times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_leave_less_than_the_doubt_outside() {
        // The probabilities that at most so many of n coins show heads, by Pascal's triangle.
        for runs in 1..200_usize {
            let mut row = vec![1.0_f64];
            for _ in 0..runs {
                let mut next: Vec<f64> = row.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
                next.insert(0, row[0] / 2.0);
                next.push(row[row.len() - 1] / 2.0);
                row = next;
            }
            let below = |rank: usize| row[..=rank].iter().sum::<f64>();
            match least_rank(runs) {
                None => assert!(runs < LEAST_RUNS && below(0) > DOUBT, "{runs}"),
                Some(rank) => assert!(below(rank) <= DOUBT && below(rank + 1) > DOUBT, "{runs}: {rank}"),
            }
        }
    }

    #[test]
    fn ranks_of_many_runs_go_on_where_those_of_few_end() {
        let [few, many] = [500, 501].map(|runs| least_rank(runs).expect("there are enough"));
        assert!(few.abs_diff(many) <= 1, "{few} {many}");
    }

    #[test]
    fn medians_and_intervals_go_by_order() {
        let times: Times = [5.0, 1.0, 4.0, 2.0, 3.0, 6.0, 1000.0].into_iter().collect();
        assert_eq!((times.median(), times.interval()), (4.0, Some((1.0, 1000.0))));
        assert_eq!(times.runs()[..2], [5.0, 1.0]);
        assert_eq!(Times::default().median(), 0.0);
        assert_eq!([1.0, 2.0].into_iter().collect::<Times>().interval(), None);
    }

    #[test]
    fn runs_end_when_enough_is_known_or_the_time_is_over() {
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
        assert_eq!(runs(aim(60_000)), LEAST_RUNS + 1);
        assert_eq!(runs(aim(0)), 2);
        assert_eq!(measure(aim(60_000), || Err("fails")).err(), Some("fails"));
    }
}
