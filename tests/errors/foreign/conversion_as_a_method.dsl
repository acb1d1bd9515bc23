def f (x: i32) = x.bool
def g (xs: [][]u8) = xs.to_f32()
def h (x: f64) = x.f64
