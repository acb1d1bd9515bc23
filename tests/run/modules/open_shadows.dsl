-- Names opened later shadow earlier names, and can be shadowed in turn.
-- ==
-- input { 1 }
-- output { 12 103 12 }

def f (x: i32): i32 = x + 10
module a = { def g (x: i32): i32 = f x + 1 }
module b = { def f (x: i32): i32 = x + 100 def g (x: i32): i32 = f x + 2 }

open a
def first (x: i32): i32 = g x
open b

entry main (x: i32): (i32, i32, i32) = (first x, g x, a.g x)
