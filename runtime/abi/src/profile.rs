//! The profile of a call: the time spent in each parallel part of a program, with its place in the source.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A parallel part of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Part {
    /// A short name, such as `reduce`.
    pub name: String,
    /// The place in the source.
    pub place: Option<String>,
}

/// The total time of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartTime {
    /// The part.
    pub part: Part,
    /// The number of times it was started.
    pub launches: u64,
    /// The total time.
    pub time: Duration,
}

/// Collects times while a call runs.
#[derive(Debug, Default)]
pub struct Profile(Mutex<BTreeMap<Part, (u64, Duration)>>);

impl Profile {
    /// Records one run of a part.
    pub fn add(&self, part: &Part, time: Duration) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (launches, spent) = parts.entry(part.clone()).or_default();
        *launches += 1;
        *spent += time;
    }

    /// All parts, the longest first.
    pub fn part_times(&self) -> Vec<PartTime> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let spent =
            parts.iter().map(|(part, &(launches, time))| PartTime { part: part.clone(), launches, time });
        let mut spent: Vec<PartTime> = spent.collect();
        spent.sort_by_key(|one| std::cmp::Reverse(one.time));
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_summed_and_the_longest_comes_first() {
        let part = |name: &str| Part { name: name.to_owned(), place: None };
        let profile = Profile::default();
        for (name, millis) in [("map", 1), ("scan", 5), ("map", 2)] {
            profile.add(&part(name), Duration::from_millis(millis));
        }
        let spent: Vec<_> = profile
            .part_times()
            .into_iter()
            .map(|spent| (spent.part.name, spent.launches, spent.time.as_millis()))
            .collect();
        assert_eq!(spent, [("scan".to_owned(), 1, 5), ("map".to_owned(), 2, 3)]);
    }
}
