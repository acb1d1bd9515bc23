def choose 'a '~b (f: a -> b) (x: a) (y: b): b = if true then f x else y
def positive (xs: []i32) = choose (filter (> 0)) xs xs
