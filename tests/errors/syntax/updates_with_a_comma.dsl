def main (xs: *[]i64) = let ys = xs with [0] = 1, [1] = 2 in ys
