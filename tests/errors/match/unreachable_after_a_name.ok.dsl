def f (x: i32) = match x case 0 -> 1 case y -> y
