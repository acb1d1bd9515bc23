def apply 'a '~b (f: a -> b) (x: a): b = f x
def positive [n]: [n]i32 -> []i32 = apply (filter (> 0))
