// Argument number `at` of a failed assertion, in two words of the status.

fn report_T(at: u32, value: T) {
    let bits = bitcast<u64>(value);
    atomicStore(&status[4u + 2u * at], u32(bits));
    atomicStore(&status[5u + 2u * at], u32(bits >> 32u));
}
