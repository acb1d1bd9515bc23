//! The profile of a call: the time spent in each parallel segment of a program, with its place in the source.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A parallel segment of a program as profiles show it; on a GPU, a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SegmentName {
    /// A short name, such as `reduce`.
    pub name: String,
    /// The place in the source.
    pub place: Option<String>,
}

/// The total time of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentTime {
    /// The segment.
    pub segment: SegmentName,
    /// The number of times it was started.
    pub launches: u64,
    /// The total time.
    pub time: Duration,
}

/// Collects times while a call runs.
#[derive(Debug, Default)]
pub struct Profile(Mutex<BTreeMap<SegmentName, (u64, Duration)>>);

impl Profile {
    /// Records one run of a segment.
    pub fn add(&self, segment: &SegmentName, time: Duration) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (launches, spent) = times.entry(segment.clone()).or_default();
        *launches += 1;
        *spent += time;
    }

    /// All segments, the longest first.
    pub fn segment_times(&self) -> Vec<SegmentTime> {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = times.iter().map(|(segment, &(launches, time))| SegmentTime {
            segment: segment.clone(),
            launches,
            time,
        });
        let mut spent: Vec<SegmentTime> = spent.collect();
        spent.sort_by_key(|one| std::cmp::Reverse(one.time));
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_summed_and_the_longest_comes_first() {
        let segment = |name: &str| SegmentName { name: name.to_owned(), place: None };
        let profile = Profile::default();
        for (name, millis) in [("map", 1), ("scan", 5), ("map", 2)] {
            profile.add(&segment(name), Duration::from_millis(millis));
        }
        let spent: Vec<_> = profile
            .segment_times()
            .into_iter()
            .map(|spent| (spent.segment.name, spent.launches, spent.time.as_millis()))
            .collect();
        assert_eq!(spent, [("scan".to_owned(), 1, 5), ("map".to_owned(), 2, 3)]);
    }
}
