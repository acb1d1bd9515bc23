// Argument number `at` of a failed assertion, in two words.

fn report_T(at: u32, value: T) { argument(at, select(0u, 1u, value), 0u); }
