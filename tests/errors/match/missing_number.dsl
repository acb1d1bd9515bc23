def f (x: i32) = match x case 0 -> 0 case 1 -> 1
