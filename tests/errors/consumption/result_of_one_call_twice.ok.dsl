def both 'a 'b 'c (f: a -> b) (g: a -> c) (x: a): (b, c) = if length [x] > 1 then (f x, g x) else let y = f x in (y, g x)
entry main (xs: []i32): (*[]i32, *[]i32) = both copy copy xs
