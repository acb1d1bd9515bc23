entry main (x: f32): f32 = x * f32.i64 (#[param(scale)] 2)
