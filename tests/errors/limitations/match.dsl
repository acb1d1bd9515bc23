def name (x: i32): i32 = match x case 0 -> 10 case _ -> 20
