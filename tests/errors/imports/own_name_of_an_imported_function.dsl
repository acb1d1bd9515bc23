import "parts/good"

def one (n: i32): i32 = n + one

entry main (n: i32): i32 = one n
