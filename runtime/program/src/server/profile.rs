//! What calls cost, told as JSON in the form that tools for Futhark's profiles read.

use serde::Serialize;

use super::{Answer, Server};
use crate::Stats;

/// The calls so far.
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
    provenance: String,
    description: String,
}

impl Profile {
    pub fn new(wanted: bool) -> Profile {
        Profile { wanted, ..Profile::default() }
    }

    /// Notes a call, if calls are profiled now.
    pub fn add(&mut self, entry: &str, micros: u128, stats: &Stats) {
        if !self.wanted || self.paused {
            return;
        }
        self.peak_bytes = self.peak_bytes.max(stats.peak_bytes);
        let counts = stats.lines().map(|(name, count)| format!("{name}: {count}\n"));
        self.events.push(Event {
            name: format!("call {entry}"),
            duration: u64::try_from(micros).unwrap_or(u64::MAX),
            provenance: entry.to_owned(),
            description: counts.concat(),
        });
    }
}

impl Server<'_> {
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
