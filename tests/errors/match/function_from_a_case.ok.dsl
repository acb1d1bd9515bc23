def f (x: i32) = (\y -> match x case 0 -> y + 1i32 case _ -> y) x
