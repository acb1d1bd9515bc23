def sum [n] (xs: [n]i32): i32 = reduce (+) 0 (map (+ 1) xs)

entry main (x: i32): i32 = sum [x, 2]
