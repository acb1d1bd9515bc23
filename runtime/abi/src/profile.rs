//! What a call spends its time on: the parallel parts of a program, each with its place in the source.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A parallel part of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Part {
    /// A word for readers, such as `reduce`.
    pub name: String,
    /// Where it comes from.
    pub place: Option<String>,
}

/// What was spent on a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The part.
    pub part: Part,
    /// How often it was started.
    pub launches: u64,
    /// How long all of that took.
    pub time: Duration,
}

/// Takes notes while a call runs.
#[derive(Debug, Default)]
pub struct Profile(Mutex<BTreeMap<Part, (u64, Duration)>>);

impl Profile {
    /// Notes that a part was started, and took so long.
    pub fn add(&self, part: &Part, time: Duration) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (launches, spent) = parts.entry(part.clone()).or_default();
        *launches += 1;
        *spent += time;
    }

    /// All that was noted, what took longest first.
    pub fn spent(&self) -> Vec<Spent> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let spent =
            parts.iter().map(|(part, &(launches, time))| Spent { part: part.clone(), launches, time });
        let mut spent: Vec<Spent> = spent.collect();
        spent.sort_by_key(|one| std::cmp::Reverse(one.time));
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_added_up_and_the_longest_comes_first() {
        let part = |name: &str| Part { name: name.to_owned(), place: None };
        let profile = Profile::default();
        for (name, millis) in [("map", 1), ("scan", 5), ("map", 2)] {
            profile.add(&part(name), Duration::from_millis(millis));
        }
        let told: Vec<_> = profile
            .spent()
            .into_iter()
            .map(|spent| (spent.part.name, spent.launches, spent.time.as_millis()))
            .collect();
        assert_eq!(told, [("scan".to_owned(), 1, 5), ("map".to_owned(), 2, 3)]);
    }
}
