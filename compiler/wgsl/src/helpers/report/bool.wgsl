// Argument number `at` of a failed assertion, in two words of the status.

fn report_T(at: u32, value: T) {
    atomicStore(&status[4u + 2u * at], select(0u, 1u, value));
    atomicStore(&status[5u + 2u * at], 0u);
}
