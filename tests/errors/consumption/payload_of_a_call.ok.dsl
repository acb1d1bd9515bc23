def some [n] (xs: [n]i64) (ys: [n]i64): *(#some ([n]i64) ([n]i64) | #none) = #some (copy xs) (copy ys)
def eat [n] (s: *(#some ([n]i64) ([n]i64) | #none)): i64 = match s case #some xs _ -> xs[0] case #none -> 0
entry main (n: i64): i64 = let xs = iota n in eat (some xs xs)
