def f (x: #a (#c | #d) | #b) = match x case #a _ -> 0 case #b -> 1
