type both 'a = (a, a)

def f (p: both [2]): i32 = 1
