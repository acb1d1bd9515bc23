def f (x: #a | #b) = match x case #a -> 0 case #b -> 1
