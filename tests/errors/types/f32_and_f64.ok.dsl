entry main (x: f32) (y: f64): f64 = f64.f32 x + y
