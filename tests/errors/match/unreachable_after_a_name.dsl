def f (x: i32) = match x case y -> y case 0 -> 1
