//! The cost of a call.

use ravel_abi::{BinCounts, VersionCounts};

/// The counts of one call. A count that a backend does not have is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The number of parallel segments.
    pub launches: u64,
    /// The number of submits to the device.
    pub submits: u64,
    /// The number of times that the host waited for values of the device while the program ran.
    pub read_backs: u64,
    /// Bytes read back while the program ran.
    pub bytes_read_back: u64,
    /// Bytes of arguments moved to the device.
    pub bytes_up: u64,
    /// Bytes of results moved from the device.
    pub bytes_down: u64,
    /// The peak number of bytes of device memory.
    pub peak_bytes: u64,
    /// Which versions of the program's nests ran.
    pub versions: Vec<VersionCounts>,
    /// The bins of its nests, if the program counts them.
    pub bins: Vec<BinCounts>,
}

impl Stats {
    /// The counts with their names, then the versions that ran, and the bins.
    pub fn lines(&self) -> Vec<(String, String)> {
        let counts = self.counts().into_iter().map(|(name, count)| (name.to_owned(), count.to_string()));
        let versions = self.versions.iter();
        let versions = versions.map(|one| (format!("versions of {}", one.versions.name), one.text()));
        let bins = self.bins.iter().map(|one| (format!("bins of {}", one.nest), one.text()));
        counts.chain(versions).chain(bins).collect()
    }

    /// The same, one `name: value` a line.
    pub fn text(&self) -> String {
        self.lines().into_iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }

    /// The counts with their names.
    pub fn counts(&self) -> [(&'static str, u64); 7] {
        [
            ("launches", self.launches),
            ("submits", self.submits),
            ("read-backs", self.read_backs),
            ("bytes read back", self.bytes_read_back),
            ("bytes up", self.bytes_up),
            ("bytes down", self.bytes_down),
            ("peak bytes", self.peak_bytes),
        ]
    }
}

impl From<ravel_cpu::Stats> for Stats {
    fn from(stats: ravel_cpu::Stats) -> Stats {
        Stats {
            launches: stats.forks,
            bytes_up: stats.bytes_in,
            bytes_down: stats.bytes_out,
            peak_bytes: stats.peak_bytes,
            versions: stats.versions,
            ..Stats::default()
        }
    }
}

impl From<ravel_gpu::Stats> for Stats {
    fn from(stats: ravel_gpu::Stats) -> Stats {
        Stats {
            launches: stats.launches,
            submits: stats.submits,
            read_backs: stats.read_backs,
            bytes_read_back: stats.bytes_read_back,
            bytes_up: stats.bytes_up,
            bytes_down: stats.bytes_down,
            peak_bytes: stats.peak_bytes,
            versions: stats.versions,
            bins: stats.bins,
        }
    }
}
