def f (x: i32) = match x case -1 -> 0 case _ -> 1
