def both 'a '~b (f: a -> b) (x: a): b = f x
def positive (xs: []i32) = both (filter (> 0)) xs
