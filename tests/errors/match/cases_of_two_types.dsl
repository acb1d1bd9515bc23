def f (x: i32) = match x case 0 -> 1i32 case _ -> true
