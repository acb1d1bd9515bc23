type point [n] = {x: f32, ys: [n]f32}
def scale [n] (p: *point [n]) (xs: *[]f32): f32 = p.x * f32.sum xs
