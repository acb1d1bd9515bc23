//! The figures of the processor, from its instructions and from the system.
#![allow(clippy::disallowed_methods, reason = "the system describes the hardware in files")]

use std::path::Path;

use ravel_abi::{Hardware, memory};

use crate::features;

/// The name of the processor, where the system states it.
pub fn name() -> Option<String> {
    std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| model_name(&text))
}

/// The figures of the processor.
pub fn hardware() -> Hardware {
    let cores = std::thread::available_parallelism().ok().map(|count| count.get() as u64);
    let [l1_bytes, l2_bytes, l3_bytes] = caches(Path::new("/sys/devices/system/cpu/cpu0/cache"));
    Hardware {
        cores,
        lanes: lanes(),
        binding_bytes: memory::total_memory(),
        l1_bytes,
        l2_bytes,
        l3_bytes,
        memory_bytes: memory::total_memory(),
        ..Hardware::UNKNOWN
    }
}

/// The `f32` elements of the widest vector register.
fn lanes() -> Option<u64> {
    if features::has("has_avx512f") {
        Some(16)
    } else if features::has("has_avx") {
        Some(8)
    } else {
        // Every processor of these two architectures has vectors of 128 bits.
        cfg!(any(target_arch = "x86_64", target_arch = "aarch64")).then_some(4)
    }
}

/// The vectors in which programs compute on this processor, and those that `--lanes` may choose, such as
/// `vectors of 512 bits (AVX-512); --lanes may choose 1, 128 or 256 (AVX2)`.
pub fn vectors() -> String {
    vectors_with(features::has)
}

/// [`vectors`] on a processor with these features.
fn vectors_with(has: impl Fn(&str) -> bool) -> String {
    let avx512 = ["f", "dq", "vl", "vbmi"].iter().all(|part| has(&format!("has_avx512{part}")));
    let uses = match has("has_avx2") {
        true if avx512 => "512 bits (AVX-512); --lanes may choose 1, 128 or 256 (AVX2)",
        true => "256 bits (AVX2); --lanes may choose 1 or 128",
        false if cfg!(target_arch = "aarch64") => "128 bits (NEON); --lanes may choose 1",
        false => "128 bits (SSE); --lanes may choose 1",
    };
    format!("vectors of {uses}")
}

/// The line `model name : NAME`.
fn model_name(cpuinfo: &str) -> Option<String> {
    let (_, name) = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'))?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The sizes of the data caches of the levels 1 to 3, from the folder in which Linux describes the caches of a processor.
fn caches(folder: &Path) -> [Option<u64>; 3] {
    let mut sizes = [None; 3];
    let Ok(entries) = std::fs::read_dir(folder) else { return sizes };
    for entry in entries.flatten() {
        let read = |name: &str| std::fs::read_to_string(entry.path().join(name)).unwrap_or_default();
        let holds_data = matches!(read("type").trim(), "Data" | "Unified");
        let level = read("level").trim().parse::<usize>().unwrap_or(0);
        if let Some(size) = sizes.get_mut(level.wrapping_sub(1)).filter(|_| holds_data) {
            *size = bytes(read("size").trim());
        }
    }
    sizes
}

/// A size such as `48K` or `32M`.
fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = match text.strip_suffix('K') {
        Some(number) => (number, 1 << 10),
        None => (text.strip_suffix('M')?, 1 << 20),
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_follow_the_features() {
        let of = |features: &[&str]| vectors_with(|feature| features.contains(&feature));
        assert!(of(&[]).ends_with("--lanes may choose 1"));
        assert_eq!(of(&["has_avx2"]), "vectors of 256 bits (AVX2); --lanes may choose 1 or 128");
        // A part of AVX-512 does not suffice.
        let all = ["has_avx2", "has_avx512f", "has_avx512dq", "has_avx512vl", "has_avx512vbmi"];
        assert_eq!(of(&all[..4]), of(&["has_avx2"]));
        assert_eq!(of(&all), "vectors of 512 bits (AVX-512); --lanes may choose 1, 128 or 256 (AVX2)");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(
            ["48K", "32M", "7", "K", "", "-1K"].map(bytes),
            [Some(49_152), Some(32 << 20), None, None, None, None]
        );
    }

    #[test]
    fn the_name_is_on_a_separate_line() {
        assert_eq!(
            model_name("processor\t: 0\nmodel\t\t: 2\nmodel name\t: A CPU: 3 GHz\n"),
            Some("A CPU: 3 GHz".to_owned())
        );
        assert_eq!(model_name("model\t: 2\nmodel name\t:\n"), None);
    }

    #[test]
    fn caches_of_data_are_read_by_level() {
        let folder = std::env::temp_dir().join(format!("ravel-caches-{}", std::process::id()));
        let caches_of = [
            ("1", "Data", "48K"),
            ("1", "Instruction", "32K"),
            ("3", "Unified", "2M"),
            ("4", "Unified", "8M"),
        ];
        for (number, (level, kind, size)) in caches_of.into_iter().enumerate() {
            let cache = folder.join(format!("index{number}"));
            std::fs::create_dir_all(&cache).expect("a folder");
            for (name, text) in [("level", level), ("type", kind), ("size", size)] {
                std::fs::write(cache.join(name), format!("{text}\n")).expect("a file");
            }
        }
        let found = caches(&folder);
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
        assert_eq!(found, [Some(48 << 10), None, Some(2 << 20)]);
        assert_eq!(caches(&folder), [None; 3]);
    }

    #[test]
    fn the_processor_at_hand_has_cores_and_lanes() {
        let hardware = hardware();
        assert!(hardware.cores.is_some_and(|cores| cores > 0));
        assert!(hardware.lanes.is_none_or(|lanes| [4, 8, 16].contains(&lanes)));
    }
}
