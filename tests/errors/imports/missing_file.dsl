import "parts/goood"

def f: i32 = one
