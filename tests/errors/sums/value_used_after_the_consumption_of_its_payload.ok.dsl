def f (x: *(#a []i32 | #b)) = match x case #a xs -> (let ys = xs with [0] = 1 in (ys, #b)) case #b -> ([0], x)
