-- In the body of a function its name refers to an earlier definition, in the program or in the prelude, and otherwise to the
-- function itself. Types that are not written are the same at every call.
-- ==
-- tags { no_gpu }
-- entry: counted
-- input { [1, 2, 3] } output { 103i64 }
-- input { empty([0]i32) } output { 100i64 }
def count [n] (xs: [n]i32): i64 = if n == 0 then 100 else 1 + count (tail xs)
entry counted (xs: []i32): i64 = count xs

-- ==
-- entry: factorial
-- input { 5i32 } output { 120i32 }
-- input { 0i32 } output { 1i32 }
def product n = if n == 0 then 1 else n * product (n - 1)
entry factorial (n: i32): i32 = product n

-- ==
-- entry: lengths
-- input { [1, 2, 3] } output { 30i32 3i64 }
-- input { empty([0]i32) } output { 0i32 0i64 }
module tens = {
  def length [n] (xs: [n]i32): i32 = 10 * i32.i64 (length xs)
}
entry lengths (xs: []i32): (i32, i64) = (tens.length xs, length xs)

-- ==
-- entry: incremented
-- input { [1, 2] } output { [2, 3] 7i64 }
type counted [n] = {data: [n]i32, count: i64}
def map [n] (f: i32 -> i32) (c: counted [n]): counted [n] = c with data = map f c.data
entry incremented (xs: []i32): ([]i32, i64) =
  let {data, count} = map (+ 1) {data = xs, count = 7}
  in (data, count)

-- ==
-- entry: repeated
-- input { [1, 2] 3i32 } output { [4, 5] 8i32 }
def repeat f x n = if n == 0i32 then x else repeat f (f x) (n - 1)
entry repeated [m] (xs: [m]i32) (n: i32): ([m]i32, i32) =
  (repeat (\ys -> map1 (+ 1) ys) xs n, repeat (+ 1) 5 n)

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
