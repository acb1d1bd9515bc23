def f (x: i32) = match x case 0 -> 0 case 0x1 -> 1 case _ -> 2
