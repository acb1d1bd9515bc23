def f (x: i32) = match x case 'a' -> 0 case _ -> 1
