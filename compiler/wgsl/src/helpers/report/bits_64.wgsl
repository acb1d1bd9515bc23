// Argument number `at` of a failed assertion, in two words.

fn report_T(at: u32, value: T) {
    let bits = bitcast<u64>(value);
    argument(at, u32(bits), u32(bits >> 32u));
}
