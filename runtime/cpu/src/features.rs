//! The processor features, by the code generator's names.
//!
//! Code is compiled for the machine on which the compiler runs, or for nearly all machines of its architecture. A machine
//! refuses to load a program that needs a feature that it lacks.

/// Whether the processor has the feature with this name.
pub fn has(feature: &str) -> bool {
    table().iter().any(|&(name, present)| name == feature && present)
}

#[cfg(target_arch = "x86_64")]
fn table() -> [(&'static str, bool); 19] {
    use std::arch::is_x86_feature_detected as detected;
    [
        ("has_sse3", detected!("sse3")),
        ("has_ssse3", detected!("ssse3")),
        ("has_cmpxchg16b", detected!("cmpxchg16b")),
        ("has_sse41", detected!("sse4.1")),
        ("has_sse42", detected!("sse4.2")),
        ("has_popcnt", detected!("popcnt")),
        ("has_lzcnt", detected!("lzcnt")),
        ("has_bmi1", detected!("bmi1")),
        ("has_bmi2", detected!("bmi2")),
        ("has_avx", detected!("avx")),
        ("has_avx2", detected!("avx2")),
        ("has_fma", detected!("fma")),
        ("has_avx512bitalg", detected!("avx512bitalg")),
        ("has_avx512dq", detected!("avx512dq")),
        ("has_avx512f", detected!("avx512f")),
        ("has_avx512vl", detected!("avx512vl")),
        ("has_avx512vbmi", detected!("avx512vbmi")),
        ("has_avx_vnni", detected!("avxvnni")),
        ("has_avx512vnni", detected!("avx512vnni")),
    ]
}

#[cfg(target_arch = "aarch64")]
fn table() -> [(&'static str, bool); 5] {
    use std::arch::is_aarch64_feature_detected as detected;
    [
        ("has_lse", detected!("lse")),
        ("has_pauth", detected!("paca")),
        ("has_fp16", detected!("fp16")),
        ("has_dotprod", detected!("dotprod")),
        ("has_i8mm", detected!("i8mm")),
    ]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn table() -> [(&'static str, bool); 0] {
    []
}

#[cfg(test)]
mod tests {
    use ravel_abi::{Blob, Failure};

    #[test]
    fn code_for_another_processor_is_refused() {
        let blob = Blob { features: vec!["has_time_travel".to_owned()], ..Blob::default() };
        let refused = crate::Program::load(blob).err();
        let Some(Failure::System(why)) = refused else { panic!("it must not be loaded") };
        assert!(why.contains("a processor with time_travel, which this one lacks"), "{why}");
    }
}
