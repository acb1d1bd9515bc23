def first ((x, _): (i32, i32)) = x
