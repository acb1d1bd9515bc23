-- A scalar shares no memory, whatever its type is called. Where the type may stand for an array, a component is copied if a
-- later component consumes its memory.

module generator: {
  type state
  val init: i32 -> state
  val next: state -> (state, i32)
} = {
  type state = i32
  def init (x: i32) = x
  def next (s: state) = (s + 1, 10 * s)
}

def fill (n: i64) (s: generator.state): (generator.state, [n]i32) =
  loop (s, xs) = (s, replicate n 0) for i < n do
    let (s, x) = generator.next s
    in (s, xs with [i] = x)

-- The arrays of two calls share no memory, although the second takes the state that the first returns.
-- ==
-- entry: states
-- input { 2i64 } output { [70, 60] [70, 70] 2 }
entry states (n: i64) =
  let (s, xs) = fill n (generator.init 3)
  let (s, ys) = fill n s
  let (_, zs) = fill n s
  let xs[0] = zs[0]
  let ys[0] = zs[0]
  let ys[1] = xs[0]
  let xs[1] = 60
  in (xs, ys, i32.i64 (length zs))

module type number = {
  type t
  val of: i64 -> t
  val plus: t -> t -> t
  val value: t -> i64
}

module sums (T: number) = {
  def shifted [n] (xs: *[n]T.t) =
    let (last, ys) =
      loop (sum, xs) = (T.of 0, xs) for i < n do (T.plus sum xs[i], xs with [i] = sum)
    in (last, ys)

  def main (n: i64) =
    let (last, xs) = shifted (map T.of (iota n))
    in (T.value last, map T.value xs)
}

module of_scalars = sums { type t = i64 def of (x: i64) = x def plus (x: t) (y: t) = x + y def value (x: t) = x }

-- The sum may be the row of the array that it replaces.
module of_arrays = sums {
  type t = [2]i64
  def of (x: i64): t = [x, 10 * x]
  def plus (x: t) (y: t): t = if x[0] == 0 then y else map2 (+) x y
  def value (x: t) = x[0] + x[1]
}

-- ==
-- entry: scalars
-- input { 5i64 } output { 10i64 [0i64, 0i64, 1i64, 3i64, 6i64] }
entry scalars (n: i64) = of_scalars.main n

-- ==
-- entry: arrays
-- input { 5i64 } output { 110i64 [0i64, 0i64, 11i64, 33i64, 66i64] }
entry arrays (n: i64) = of_arrays.main n
