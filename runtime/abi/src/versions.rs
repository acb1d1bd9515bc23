//! Versions of code: the compiler generates two, and a condition chooses one when the program runs.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// Two versions of some code of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The nest or the limit by which one is chosen, such as `main.0`.
    pub name: String,
    /// The place in the source.
    pub place: Option<String>,
    /// What the two are called. The first one runs if the condition holds.
    pub names: [String; 2],
}

/// How often each of two versions ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionCounts {
    /// The versions.
    pub versions: Versions,
    /// How often each ran, in the same order.
    pub counts: [u64; 2],
}

impl VersionCounts {
    /// As text, such as `full 2, outer 0 (a.dsl:1:2-9)`.
    pub fn text(&self) -> String {
        let Versions { place, names: [first, second], .. } = &self.versions;
        let place = place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
        format!("{first} {}, {second} {}{place}", self.counts[0], self.counts[1])
    }
}

/// Counts the versions of a program that run in one call.
#[derive(Debug)]
pub struct VersionCounter(Vec<[AtomicU64; 2]>);

impl VersionCounter {
    /// A counter for these versions, which are named by their numbers.
    pub fn new(versions: &[Versions]) -> VersionCounter {
        VersionCounter(versions.iter().map(|_| Default::default()).collect())
    }

    /// Counts a choice between the versions of this number.
    pub fn add(&self, number: usize, first: bool) {
        if let Some(counts) = self.0.get(number) {
            counts[usize::from(!first)].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The counts of those versions of which one ran.
    pub fn counts(&self, versions: &[Versions]) -> Vec<VersionCounts> {
        let counts =
            self.0.iter().map(|[first, second]| [first, second].map(|one| one.load(Ordering::Relaxed)));
        let all = versions.iter().zip(counts);
        let all = all.map(|(versions, counts)| VersionCounts { versions: versions.clone(), counts });
        all.filter(|one| one.counts != [0, 0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_listed_if_one_of_them_ran() {
        let versions = |name: &str, place: Option<&str>| Versions {
            name: name.to_owned(),
            place: place.map(str::to_owned),
            names: ["full", "outer"].map(str::to_owned),
        };
        let all = [versions("f.0", None), versions("f.1", Some("a.dsl:1:2-9")), versions("g.0", None)];
        let counter = VersionCounter::new(&all);
        [(1, true), (2, false), (1, true)].into_iter().for_each(|(number, first)| counter.add(number, first));
        let counts = counter.counts(&all);
        let shown: Vec<_> = counts.iter().map(|one| (&*one.versions.name, one.text())).collect();
        let expected = [("f.1", "full 2, outer 0 (a.dsl:1:2-9)"), ("g.0", "full 0, outer 1")];
        assert_eq!(shown, expected.map(|(name, text)| (name, text.to_owned())));
    }
}
