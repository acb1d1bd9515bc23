def f (x: #one i32) = match x case #one y -> y + 1
