def first ((x, y): i32) = x
