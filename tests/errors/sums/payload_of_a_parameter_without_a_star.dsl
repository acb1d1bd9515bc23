def f (x: #a []i32 | #b) = match x case #a xs -> xs with [0] = 1 case #b -> [0]
