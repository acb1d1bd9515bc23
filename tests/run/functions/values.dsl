-- Functions are values: they are returned, stored in tuples, bound to names and partially applied.
-- ==
-- entry: returned
-- input { 2 5 } output { 7 10 }
-- entry: in_tuples
-- input { 3 } output { 4 6 9 }
-- entry: chosen_by_argument
-- input { 3 } output { 4 }
-- entry: composed
-- input { 3 } output { 8 7 }
-- entry: checked
-- input { 3 } output { 4 }
-- input { -3 }
-- error: Assertion is false: \(x > 0\)
-- entry: checked_pair
-- input { 3 } output { 4 3 }
-- input { 0 }
-- error: Assertion is false: \(x > 0\)
-- entry: checked_constant
-- input { 3 } output { 7 }
-- input { 0 }
-- error: Assertion is false: \(x > 0\)
-- entry: curried
-- input { 3 4 } output { 34 43 34 }
-- entry: of_functions
-- input { 5 } output { 26 }
-- entry: operators
-- input { 7 2 } output { 5 -5 5 3 }
-- entry: capturing_arrays
-- input { [10, 20, 30] [2i64, 0i64] } output { [30, 10] }
-- entry: shadowed
-- input { 1 } output { 12 }
-- entry: in_a_loop
-- input { 5 } output { 15 }
-- entry: in_both_branches
-- input { true 3 } output { 4 }
-- input { false 3 } output { 2 }
-- entry: eta
-- input { [1, 2] } output { [2, 3] [2, 3] }

def adder (x: i32) = \y -> x + y

def scaler (x: i32): i32 -> i32 = (* x)

entry returned (x: i32) (y: i32): (i32, i32) = (adder x y, scaler x y)

entry in_tuples (x: i32): (i32, i32, i32) =
  let fs = ((+ 1), ((* 2), \y -> y * y))
  in (fs.0 x, fs.1.0 x, fs.1.1 x)

def first_of (fs: (i32 -> i32, i32 -> i32)): i32 -> i32 = fs.0

entry chosen_by_argument (x: i32): i32 = first_of ((+ 1), (* 2)) x

entry composed (x: i32): (i32, i32) = (((+ 1) >-> (* 2)) x, ((+ 1) <-< (* 2)) x)

entry checked (x: i32): i32 = (assert (x > 0) (\y -> x + y)) 1

entry checked_pair (x: i32): (i32, i32) =
  let (f, y) = assert (x > 0) ((+ 1), x)
  in (f y, y)

entry checked_constant (x: i32): i32 = (assert (x > 0) (\() -> 7)) ()

entry curried (x: i32) (y: i32): (i32, i32, i32) =
  let digits a b = 10 * a + b
  in (digits x y, flip digits x y, uncurry digits (x, y))

def twice '^a (f: a -> a): a -> a = \x -> f (f x)

entry of_functions (x: i32): i32 = twice twice (\y -> y + 5) (x + 1)

entry operators (x: i32) (y: i32): (i32, i32, i32, i32) =
  ((x -) y, (y -) x, (+ (-y)) x, (x `i32.max` y) / y)

entry capturing_arrays [n] [m] (xs: [n]i32) (is: [m]i64): [m]i32 =
  let at (i: i64) = xs[i]
  in map at is

entry shadowed (x: i32): i32 =
  let f y = y + 1
  let f y = f y * 6
  in f x

entry in_a_loop (n: i32): i32 =
  let add = \a b -> a + b
  in loop s = 0 for i < n do add s (i + 1)

entry in_both_branches (b: bool) (x: i32): i32 =
  let up = (+ 1)
  let down y = y - 1
  in if b then up x else down x

entry eta (xs: []i32): ([]i32, []i32) =
  let inc = map (+ 1)
  let inc' ys = map (+ 1) ys
  in (inc xs, inc' xs)
