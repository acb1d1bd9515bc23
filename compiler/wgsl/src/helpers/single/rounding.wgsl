// Rounding in f32, where the built-in function is right.

fn trunc_T(a: T) -> T { return trunc(a); }
