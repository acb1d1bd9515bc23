def doubled [n] (xs: [n]i32): [n]i32 = map (* 2) xs
def f [n] (xs: [n]i32) = doubled xs with [0] = 1
