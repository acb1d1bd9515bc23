-- A constant of an abstract type may be returned next to arrays. A scalar shares no memory, and an array is
-- never overwritten while another name refers to it.
-- ==
-- entry: of_numbers
-- input { [1, 2] } output { 5 [1, 2] 5 [7, 7] 5 [1, 2] }
-- entry: of_arrays
-- input { 10 } output { 106 6 16 }
-- entry: of_elements
-- input { 2.0 1i64 } output { 4.0 3.0 1.5 6.5 16.5 }

module with_constant (T: integral) = {
  def five: T.t = T.i32 5
  def beside (xs: []T.t): (T.t, []T.t) = (five, xs)
  def filled [n] (xs: *[n]T.t): {all: *[n]T.t, five: T.t} =
    {all = map (\x -> if x T.>= five then x else T.i32 7) xs, five}
  type maybe = #none | #some T.t
  def both (xs: []T.t): (maybe, []T.t) = (#some five, xs)
}

module of_i32 = with_constant i32

entry of_numbers (xs: []i32): (i32, []i32, i32, []i32, i32, []i32) =
  let (a, as) = of_i32.beside xs
  let {all, five} = of_i32.filled (copy xs)
  let (m, ms) = of_i32.both xs
  in (a, as, five, all, match m case #some x -> x case #none -> 0, ms)

module type updatable = {
  type t
  val start: t
  val make: i32 -> *t
  val update: (x: *t) -> i32 -> *t
  val sum: t -> i32
}

module uses (T: updatable) = {
  def start_and (k: i32): (T.t, []i32) = (T.start, [k])
  def updated (k: i32): i32 = let (s, ks) = start_and k in T.sum (T.update (copy s) ks[0])
  def untouched (k: i32): i32 = let (s, _) = start_and k in T.sum s
  def last (k: i32): i32 =
    let x = loop x = T.make k for i < 3 do if i == 2 then T.start else x
    in T.sum x + k
}

module on_arrays = uses {
  type t = [3]i32
  def start: t = map (+ 1) [0, 1, 2]
  def make (k: i32): *t = replicate 3 k
  def update (xs: *t) (k: i32): *t = xs with [0] = 91 + k
  def sum (xs: t) = i32.sum xs
}

entry of_arrays (k: i32): (i32, i32, i32) =
  (on_arrays.updated k, on_arrays.untouched k, on_arrays.last k)

-- | The elements of a constant may be returned, as they are or in what is computed from them.
module polynomial (R: real) = {
  def coefficients = map (\k -> R.i64 3 R./ R.i64 (1 + k)) (iota 3)
  def scaled (x: R.t) = x R.* coefficients[0] R.- R.i64 2
  def at (i: i64) = coefficients[i]
  def next (i: i64) = R.abs coefficients[i]
  def total (x: R.t) = R.sum coefficients R.+ x R.- R.i64 1
  def value (x: R.t) = loop sum = R.i64 0 for i < 3 do sum R.* x R.+ coefficients[i]
}

module in_f64 = polynomial f64

entry of_elements (x: f64) (i: i64): (f64, f64, f64, f64, f64) =
  (in_f64.scaled x, in_f64.at (i - 1), in_f64.next i, in_f64.total x, in_f64.value x - 0.5 + 1)
