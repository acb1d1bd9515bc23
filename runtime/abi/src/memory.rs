//! The limit on the size of an allocation, and on the memory for stacks.
//!
//! Linux overcommits memory and kills the process that uses too much. So no backend
//! allocates an array larger than the machine's memory: it fails with
//! [`Failure::out_of_memory`](crate::Failure::out_of_memory) instead.
#![allow(clippy::disallowed_methods, reason = "the system describes the memory in a file")]

use std::hint::black_box;
use std::io;
use std::sync::OnceLock;

/// Assumed where the size of the memory is not known.
const FALLBACK: u64 = 16 << 30;

/// The largest array in bytes that may be allocated: the physical memory of the machine.
pub fn memory_limit() -> u64 {
    static LIMIT: OnceLock<u64> = OnceLock::new();
    *LIMIT.get_or_init(|| total_memory().unwrap_or(FALLBACK))
}

/// The bytes of the machine's memory, where the system states them.
pub fn total_memory() -> Option<u64> {
    std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text))
}

/// The least memory that stacks of new threads leave to other allocations.
const MEMORY_BESIDE_STACKS: usize = 1 << 25;

/// Checks that the system grants `count` stacks of `size` bytes, and leaves at least one such size.
///
/// The address space of a process may be limited. If stacks take up all of it, the threads start, but
/// the next allocation aborts the process.
///
/// # Errors
/// [`io::ErrorKind::OutOfMemory`].
pub fn check_room_for_stacks(count: usize, size: usize) -> io::Result<()> {
    let sizes = std::iter::repeat_n(size, count).chain([size.max(MEMORY_BESIDE_STACKS)]);
    let reserved: io::Result<Vec<Vec<u8>>> = sizes
        .map(|size| {
            let mut block = Vec::new();
            block.try_reserve_exact(size)?;
            Ok(block)
        })
        .collect();
    // Without `black_box`, the compiler may remove allocations that nothing uses.
    black_box(reserved).map(drop)
}

/// The line `MemTotal:  N kB`, in bytes.
fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_in_kibibytes() {
        assert_eq!(total("MemTotal:       16384 kB\nMemFree: 1 kB\n"), Some(16384 * 1024));
        assert_eq!(total("MemFree: 1 kB\n"), None);
        assert_eq!(total("MemTotal: many kB\n"), None);
    }

    #[test]
    fn there_is_room_for_some_stacks_but_not_for_any() {
        assert!(check_room_for_stacks(2, 1 << 16).is_ok());
        for (count, size) in [(1, 1 << 62), (1 << 20, 1 << 42), (1, usize::MAX)] {
            let refused = check_room_for_stacks(count, size).map_err(|error| error.kind());
            assert_eq!(refused, Err(io::ErrorKind::OutOfMemory), "{count} times {size}");
        }
    }

    #[test]
    fn there_is_some_memory_but_not_a_terabyte_of_terabytes() {
        assert!((1 << 26..1 << 60).contains(&memory_limit()));
    }
}
