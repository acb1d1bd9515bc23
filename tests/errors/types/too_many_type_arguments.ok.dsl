type both 'a = (a, a)

def first (p: both i32): i32 = p.0
