type both 'a = (a, a)

def f (p: both (i32 -> i32)): i32 = p.0 1
