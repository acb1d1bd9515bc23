def i64 (x: i32): i64 = i64.i32 x
def f (x: i32): i64 = i64.(i32 x)
