def f (x: i32) = match x case 1.0 -> 0i32 case _ -> 1
