module twice (M: { val f: i32 -> i32 }) = { def f (x: i32): i32 = M.f (M.f x) }

module m = { def f (x: i32): i32 = x + 1 }
module t = twice m
