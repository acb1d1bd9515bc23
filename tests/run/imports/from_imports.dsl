-- Files import files by paths relative to themselves. Only opened names are exported further.
-- ==
-- input { 2 }
-- output { 24 6 7 9 }

import "parts/shapes"

module s = scaled square
def factor: i32 = 9

entry main (x: i32): (i32, i32, i32, i32) = (s.area x, twice three, hidden, factor)
