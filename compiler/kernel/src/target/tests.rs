//! Checks that the descriptions agree with each other and with the limits of launch plans.

use std::collections::BTreeSet;

use ravel_abi::Machine;
use ravel_abi::plan::GRID_SIDE;

use super::Target;

#[test]
fn descriptions_have_unique_names() {
    let names: BTreeSet<&str> = Target::ALL.iter().map(|target| target.name).collect();
    assert_eq!(names.len(), Target::ALL.len());
    for target in Target::ALL {
        assert_eq!(Target::named(target.name), Some(target));
        assert!(!target.title.is_empty() && !target.source.is_empty(), "{}", target.name);
    }
    assert_eq!(Target::named("abacus"), None);
    assert!(Machine::ALL.iter().all(|&machine| Target::of(machine).machine == machine));
}

#[test]
fn the_hardware_of_each_target_can_run_its_code() {
    for target in Target::ALL.into_iter().filter(|target| target.machine == Machine::Gpu) {
        let name = target.name;
        let hardware = &target.hardware;
        assert!(hardware.workgroup_threads.is_some_and(|most| u64::from(target.workgroup) <= most), "{name}");
        for bytes in [target.workgroup_bytes, target.combined_bytes] {
            let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
            assert!(
                bytes.is_some_and(|bytes| hardware.workgroup_bytes.is_some_and(|most| bytes < most)),
                "{name}"
            );
        }
        let subgroup = u64::from(target.subgroup);
        assert!(hardware.min_subgroup.is_none_or(|least| least <= subgroup), "{name}");
        assert!(hardware.max_subgroup.is_none_or(|most| subgroup <= most), "{name}");
        assert!(target.workgroup.is_multiple_of(target.subgroup), "{name}");
    }
    assert_eq!(Target::GPU.hardware.groups, Some(GRID_SIDE));
}

/// Otherwise the machine model would count code that does not run on the device.
#[test]
fn all_gpus_have_the_settings_of_the_portable_one() {
    for target in Target::ALL.into_iter().filter(|target| target.machine == Machine::Gpu) {
        assert_eq!(target.settings(), Target::GPU.settings(), "{}", target.name);
    }
}
