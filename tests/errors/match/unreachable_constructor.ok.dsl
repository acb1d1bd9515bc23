def f (x: #a | #b | #c) = match x case #a -> 0 case #b -> 1 case #c -> 2
