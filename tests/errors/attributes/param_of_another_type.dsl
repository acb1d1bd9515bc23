entry main (x: f32): f32 = x * #[param(scale)] 2f32
