-- An import is a module like any other.
-- ==
-- input { 4 }
-- output { 8 12 }

module n = import "parts/numbers"
module m: { val twice: i32 -> i32 } = import "parts/numbers"

def three: i32 = 4

entry main (x: n.number): (i32, i32) = (n.twice x, m.twice x + three)
