def f (x: f64) = match x case 0.0 -> 0
