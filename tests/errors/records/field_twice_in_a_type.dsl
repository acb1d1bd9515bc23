def norm (p: {x: f32, x: f32}) = p.x
