-- A type abbreviation equals its definition.
-- ==
-- input { [1, 2, 3] 2.5 }
-- output { 6 [2.5, 2.5] 3 }

type number = i32
type~ vector = []number
type pair = (f64, f64)
type row [n] = [n]f64

def total (xs: vector): number = reduce (+) 0 xs

def twice (x: f64): pair = (x, x)

def same (p: (f64, f64)): row [2] = [p.0, p.1]

def count [n] (_: [n]number): i32 = i32.i64 n

entry main (xs: []i32) (x: f64): (i32, row [2], number) = (total xs, same (twice x), count xs)
