def f (x: (i32, i32)) = match x case (0, y) -> y case _ -> 1
