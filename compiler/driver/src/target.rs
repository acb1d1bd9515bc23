//! The properties of the machines for which code is compiled.

use ravel_abi::Machine;
use ravel_kernel::Target;

/// The properties of a machine.
pub fn target(machine: Machine) -> &'static Target {
    match machine {
        Machine::Cpu => &Target::CPU,
        Machine::Gpu => &Target::GPU,
    }
}

/// The machine with these properties.
pub(crate) fn machine(target: &Target) -> Machine {
    if *target == Target::GPU { Machine::Gpu } else { Machine::Cpu }
}
