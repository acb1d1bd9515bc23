// Argument number `at` of a failed assertion, in two words.

fn report_T(at: u32, value: T) { argument(at, bitcast<u32>(value), 0u); }
