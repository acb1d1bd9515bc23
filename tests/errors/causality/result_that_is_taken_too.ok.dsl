def choose 'a '~b (f: a -> b) (x: a) (y: a): b = if true then f x else f y
def positive (xs: []i32) = choose (filter (> 0)) xs xs
