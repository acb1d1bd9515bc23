import "parts/good"

def plus_one (n: i32): i32 = n + one

entry main (n: i32): i32 = plus_one n
