def f (p: (i32, {a: f64, b: bool})): i32 = p.0
entry main (x: i32): i32 = f (x, {a = x, b = true})
