def f (x: #a i32 | #b) = match x case #a -> 0 case #b -> 1
