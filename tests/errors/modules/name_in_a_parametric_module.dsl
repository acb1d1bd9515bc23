module twice (M: { val f: i32 -> i32 }) = { def f (x: i32): i32 = M.f (M.f x) }

def f: i32 = twice.f 1
