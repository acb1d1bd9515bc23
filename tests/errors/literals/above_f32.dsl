def f (x: f32): f32 = x + 1e40
