def apply 'a 'b (f: a -> b) (x: a): b = f x
def positive (xs: []i32): []i32 = apply (filter (> 0)) xs
