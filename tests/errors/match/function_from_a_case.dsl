def f (x: i32) = (match x case 0 -> (\y -> y + 1i32) case _ -> (\y -> y)) x
