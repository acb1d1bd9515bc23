def f (x: #a (#c | #d) | #b) = match x case #a #c -> 0 case #b -> 1
