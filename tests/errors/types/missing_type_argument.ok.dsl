type both 'a = (a, a)

def swap (p: both i32): both i32 = (p.1, p.0)
