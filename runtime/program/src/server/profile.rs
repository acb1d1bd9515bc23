//! The cost of calls as JSON, in the form that tools for Futhark's profiles read.

use std::sync::Arc;

use ravel_abi::{Profile as CallProfile, SegmentTime};
use serde::Serialize;

use super::{Answer, Server};
use crate::Stats;

/// The calls since the last `clear`, each followed by the parallel segments that it ran, with their times.
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
    /// The entry point, or the place of a segment in the program.
    provenance: String,
    description: String,
}

impl Profile {
    pub fn new(wanted: bool) -> Profile {
        Profile { wanted, ..Profile::default() }
    }

    /// The profile in which the next call records its segments, if profiling is on and not paused.
    pub fn call_profile(&self) -> Option<Arc<CallProfile>> {
        (self.wanted && !self.paused).then(Arc::default)
    }

    /// Adds a call and its recorded segments.
    pub fn add(&mut self, entry: &str, micros: u128, stats: &Stats, call: &CallProfile) {
        self.peak_bytes = self.peak_bytes.max(stats.peak_bytes);
        self.events.push(Event {
            name: format!("call {entry}"),
            duration: saturate(micros),
            provenance: entry.to_owned(),
            description: stats.text(),
        });
        let segments = call.segment_times().into_iter();
        self.events.extend(segments.map(|SegmentTime { segment, launches, time }| Event {
            name: segment.name,
            duration: saturate(time.as_micros()),
            provenance: segment.place.unwrap_or_default(),
            description: format!("launches: {launches}\n"),
        }));
    }
}

fn saturate(micros: u128) -> u64 {
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
