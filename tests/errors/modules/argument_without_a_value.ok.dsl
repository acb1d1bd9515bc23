module twice (M: { val f: i32 -> i32 }) = { def f (x: i32): i32 = M.f (M.f x) }

module t = twice { def f (x: i32): i32 = x + 1 }
