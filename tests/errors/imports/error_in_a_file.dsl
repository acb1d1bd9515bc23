import "parts/bad"

def f: i32 = one
