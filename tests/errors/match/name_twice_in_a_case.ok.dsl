def f (x: (i32, i32)) = match x case (y, _) -> y
