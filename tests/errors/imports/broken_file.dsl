import "parts/broken"

def f: i32 = one
