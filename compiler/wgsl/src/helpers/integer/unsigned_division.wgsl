// Unsigned integer division. Rounding towards zero and rounding down are the same.

fn quot_T(a: T, b: T) -> T { return a / b; }

fn rem_T(a: T, b: T) -> T { return a % b; }

fn div_T(a: T, b: T) -> T { return a / b; }

fn mod_T(a: T, b: T) -> T { return a % b; }
