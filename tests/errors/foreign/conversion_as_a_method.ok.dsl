def f (x: i32) = bool.i32 x
def g [n] [m] (xs: [n][m]u8) = map (map f32.u8) xs
def h (x: f64) = x
