def both 'a '~b (f: a -> b) (x: a): (b, b) = (f x, f x)
def positive (xs: []i32) = both (filter (> 0)) xs
