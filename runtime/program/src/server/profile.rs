//! The cost of calls as JSON, in the form that tools for Futhark's profiles read.

use std::sync::Arc;

use ravel_abi::{PartTime, Profile as Notes};
use serde::Serialize;

use super::{Answer, Server};
use crate::Stats;

/// The calls so far, each followed by its parallel parts.
#[derive(Default)]
pub struct Profile {
    wanted: bool,
    paused: bool,
    events: Vec<Event>,
    peak_bytes: u64,
}

#[derive(Serialize)]
struct Report<'a> {
    memory: Memory,
    events: &'a [Event],
}

#[derive(Serialize)]
struct Memory {
    #[serde(rename = "peak bytes")]
    peak_bytes: u64,
}

#[derive(Serialize)]
struct Event {
    name: String,
    /// In microseconds.
    duration: u64,
    /// The entry point, or the place of a part in the program.
    provenance: String,
    description: String,
}

impl Profile {
    pub fn new(wanted: bool) -> Profile {
        Profile { wanted, ..Profile::default() }
    }

    /// A profile in which the next call records its parts, if profiling is on.
    pub fn notes(&self) -> Option<Arc<Notes>> {
        (self.wanted && !self.paused).then(Arc::default)
    }

    /// Adds a call and its recorded parts.
    pub fn add(&mut self, entry: &str, micros: u128, stats: &Stats, notes: &Notes) {
        self.peak_bytes = self.peak_bytes.max(stats.peak_bytes);
        let counts = stats.lines().map(|(name, count)| format!("{name}: {count}\n"));
        self.events.push(Event {
            name: format!("call {entry}"),
            duration: micros_of(micros),
            provenance: entry.to_owned(),
            description: counts.concat(),
        });
        self.events.extend(notes.part_times().into_iter().map(|PartTime { part, launches, time }| Event {
            name: part.name,
            duration: micros_of(time.as_micros()),
            provenance: part.place.unwrap_or_default(),
            description: format!("launches: {launches}\n"),
        }));
    }
}

fn micros_of(micros: u128) -> u64 {
    u64::try_from(micros).unwrap_or(u64::MAX)
}

impl Server {
    pub(super) fn clear(&mut self, _: &[&str]) -> Answer {
        self.profile.events.clear();
        self.profile.peak_bytes = 0;
        Ok(Vec::new())
    }

    pub(super) fn pause_profiling(&mut self, _: &[&str]) -> Answer {
        self.profile.paused = true;
        Ok(Vec::new())
    }

    pub(super) fn unpause_profiling(&mut self, _: &[&str]) -> Answer {
        self.profile.paused = false;
        Ok(Vec::new())
    }

    pub(super) fn report(&mut self, _: &[&str]) -> Answer {
        let Profile { events, peak_bytes, .. } = &self.profile;
        let report = Report { memory: Memory { peak_bytes: *peak_bytes }, events };
        serde_json::to_string(&report).map(|report| vec![report]).map_err(|wrong| wrong.to_string())
    }
}
