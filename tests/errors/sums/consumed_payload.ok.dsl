def f (x: *(#a []i32 | #b)) = match x case #a xs -> (let ys = xs with [0] = 1 in ys[0]) case #b -> 0
