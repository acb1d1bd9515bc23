module twice (M: { val f: i32 -> i32 }) = { def f (x: i32): i32 = M.f (M.f x) }

open twice { def f (x: i32): i32 = x }
