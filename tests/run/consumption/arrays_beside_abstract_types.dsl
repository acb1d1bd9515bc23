-- An array beside a value of an abstract type, or made from one, may be updated in place.

module beside (T: { type t val start: t val of: i32 -> t }) = {
  def constant (n: i64): (T.t, [n]i32) = (T.start, replicate n 1)
  def made (n: i64): (T.t, [n]i32) = (T.of 3, replicate n 1)
  def deep (n: i64): {state: T.t, data: ([n]i32, T.t)} =
    {state = T.start, data = (replicate n 2, T.of 3)}
  def payload (n: i64): (#some T.t ([n]i32) | #none) =
    if n > 0 then #some T.start (replicate n 4) else #none

  def of_constant (n: i64) = let (_, xs) = constant n in xs with [0] = 7
  def of_made (n: i64) = let (_, xs) = made n in xs with [0] = 8
  def of_record (n: i64) = let xs = (deep n).data.0 in xs with [0] = 9
  def of_sum (n: i64) =
    match payload n
    case #some _ xs -> xs with [0] = 10
    case #none -> replicate n 0
  def of_pipe (n: i64) = let (_, xs) = n |> constant in xs with [0] = 11
  def of_local (n: i64) =
    let both (n: i64): (T.t, [n]i32) = (T.start, replicate n 1)
    let (_, xs) = both n
    in xs with [0] = 12
  def of_lambda (n: i64) =
    let both = \(n: i64): (T.t, [n]i32) -> (T.start, replicate n 1)
    let (_, xs) = both n
    in xs with [0] = 13

  def all (n: i64) =
    [of_constant n, of_made n, of_record n, of_sum n, of_pipe n, of_local n, of_lambda n]
}

module beside_scalars = beside { type t = i32 def start = 3i32 def of (x: i32) = x }
module beside_arrays = beside { type t = [2]i32 def start = [3i32, 4] def of (x: i32) = [x, x] }

-- ==
-- entry: scalars arrays
-- input { 2i64 } output { [[7, 1], [8, 1], [9, 2], [10, 4], [11, 1], [12, 1], [13, 1]] }
entry scalars (n: i64) = beside_scalars.all n
entry arrays (n: i64) = beside_arrays.all n

module sealed: {
  type t
  val both: (n: i64) -> (t, [n]i32)
  val value: t -> i32
} = {
  type t = i32
  def both (n: i64): (t, [n]i32) = (3, replicate n 1)
  def value (x: t) = x
}

-- ==
-- entry: outside
-- input { 2i64 } output { [[7, 1], [8, 1]] }
entry outside (n: i64) =
  let (_, xs) = sealed.both n
  let (_, ys) = n |> sealed.both
  in [xs with [0] = 7, ys with [0] = 8]

module filled (R: real) = {
  def fill (n: i64) (x: R.t): [n]R.t = replicate n x

  def one (n: i64) =
    let xs = fill n (R.i32 2)
    in loop xs for i < n do xs with [i] = R.i64 i

  def two (n: i64) =
    let xs = fill n (R.i32 2)
    let ys = fill n (R.i32 3)
    let zs = xs with [0] = ys[0]
    in [zs, ys]

  def three (n: i64) =
    loop xs = fill n (R.i32 5) for i < n do
      let ys = fill n (R.i64 i)
      in xs with [i] = ys[i]
}

module filled_f32 = filled f32

-- ==
-- entry: fill_one fill_three
-- input { 2i64 } output { [0f32, 1f32] }
entry fill_one (n: i64) = filled_f32.one n
entry fill_three (n: i64) = filled_f32.three n

-- ==
-- entry: fill_two
-- input { 2i64 } output { [[3f32, 2f32], [3f32, 3f32]] }
entry fill_two (n: i64) = filled_f32.two n
