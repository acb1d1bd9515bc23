entry main (x: i8): i32 = match x case 255i8 -> 1 case _ -> 2
