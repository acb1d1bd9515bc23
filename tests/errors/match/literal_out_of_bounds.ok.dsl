def f (x: i64) = match x case 3000000000 -> 0i32 case _ -> 1
