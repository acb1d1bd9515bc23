def f (xs: *[](i32, bool)) = xs with [0].1 = 1i32
