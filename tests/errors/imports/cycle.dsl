import "parts/there"

def f: i32 = one
