-- Functions applied to functions that they have returned themselves, nested deeply.
-- ==
-- entry: twice
-- input { 1 } output { 513 }

def twice_of 'a (f: a -> a) (x: a) = f (f x)

entry twice (y: i32) =
  twice_of (twice_of (twice_of (twice_of (twice_of (twice_of (twice_of (twice_of (twice_of (\x -> x + 1))))))))) y

-- ==
-- tags { no_gpu }
-- entry: nested
-- input { 1 } output { 2048 }
def times (f: i32 -> i32) (n: i32) (x: i32): i32 = if n == 0 then x else times f (n - 1) (f x)

entry nested (y: i32) =
  times (times (times (times (times (times (times (times (times (times (times (+ 1) 2) 2) 2) 2) 2) 2) 2) 2) 2) 2) 2 y - 1
