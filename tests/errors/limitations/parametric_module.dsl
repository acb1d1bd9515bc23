module twice (m: { val f: i32 -> i32 }) = { def g (x: i32): i32 = m.f (m.f x) }
