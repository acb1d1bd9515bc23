def f (x: i32) = match x case true -> 0 case _ -> 1
