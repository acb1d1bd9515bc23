type point = {x: f32, y: f32}
def scale (p: *point) (xs: *[]f32): f32 = p.x * f32.sum xs
