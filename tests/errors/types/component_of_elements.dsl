def f (ps: [](i32, f64)): i32 = ps[0].0
entry main (x: i32): i32 = f [(x, x)]
