def f (x: #a | #b i32) = match x case #a -> 0 case #b _ -> 1
