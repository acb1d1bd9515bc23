def f (xs: *[3]f32): f32 = xs[0]
def g: [3]f32 -> f32 = f
