-- In the body of a function its name refers to the function, whatever it meant outside. Types that are not
-- written are the same at every call.
-- ==
-- tags { no_gpu }
-- entry: counted
-- input { [1, 2, 3] } output { 103i64 }
-- input { empty([0]i32) } output { 100i64 }
def length [n] (xs: [n]i32): i64 = if n == 0 then 100 else 1 + length (tail xs)
entry counted (xs: []i32): i64 = length xs

-- ==
-- entry: factorial
-- input { 5i32 } output { 120i32 }
-- input { 0i32 } output { 1i32 }
def product n = if n == 0 then 1 else n * product (n - 1)
entry factorial (n: i32): i32 = product n

-- ==
-- entry: repeated
-- input { [1, 2] 3i32 } output { [4, 5] 8i32 }
def repeat f x n = if n == 0i32 then x else repeat f (f x) (n - 1)
entry repeated [m] (xs: [m]i32) (n: i32): ([m]i32, i32) =
  (repeat (map (+ 1)) xs n, repeat (+ 1) 5 n)

-- ==
-- entry: added
-- input { 3i32 4i32 } output { 7i32 }
module counting = {
  def (+.) (x: i32) (y: i32): i32 = if y == 0 then x else (x + 1) +. (y - 1)
}
entry added (x: i32) (y: i32): i32 = x counting.+. y

-- ==
-- entry: inferred
-- input { [3, 1, 2] } output { 6i32 }
def total [n] (xs: [n]i32) = if n == 0 then 0 else xs[0] + total xs[1:]
entry inferred (xs: []i32): i32 = total xs
