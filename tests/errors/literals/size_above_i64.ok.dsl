def f (n: i64) (xs: [9223372036854775807]i32) (ys: [i64.max n 999999999999999999]i32) = xs[n] + ys[n]

type table = [0xffffi64]i32
