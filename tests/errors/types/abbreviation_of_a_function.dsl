type change = i32 -> i32

def f (g: change) (x: i32): i32 = g x
