def both 'a 'b (f: a -> b) (g: a -> b) (x: a): (b, b) = if length [x] > 1 then (f x, g x) else let y = f x in (y, y)
entry main (xs: []i32): (*[]i32, *[]i32) = both copy copy xs
