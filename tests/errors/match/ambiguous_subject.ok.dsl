def f (x: #a | #b) = match x case #a -> 0i32 case #b -> 1
