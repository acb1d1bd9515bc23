def pick (b: bool): i32 -> i32 = if b then (+ 1) else (* 2)
