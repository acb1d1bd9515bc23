-- Two sizes are equal if they are the same expression, whatever its spacing.
-- ==
-- entry: blanks
-- input { 1i64 } output { [0, 0, 0, 0] }
-- entry: parentheses
-- input { [2i64, 1i64] } output { [0, 0] [1] }
-- entry: in_an_argument
-- input { 2 } output { [0, 0, 0] }

entry blanks (n: i64): [n<<2]i32 = replicate (n << 2) 0

entry parentheses (xs: [2]i64): ([xs[0]]i32, [(xs[1])]i32) = (replicate (xs[0]) 0, replicate xs[1] 1)

entry in_an_argument (n: i32): [i64.i32 (n+1)]i32 = replicate (i64.i32 (n + 1)) 0
