def f (xs: *[](i32, bool)) = xs with [0].0 = 1i32
