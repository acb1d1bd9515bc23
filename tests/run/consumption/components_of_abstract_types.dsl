-- A component of an abstract type is copied if the value of which it is a component is consumed or declared fresh.

module type scalar = {
  type t
  val zero: t
  val of: i32 -> t
  val set: i32 -> *t -> *t
  val get: t -> i32
}

module use (T: scalar) = {
  type state = {seed: T.t, data: [4]i32}

  def start = T.zero
  def pair = (T.zero, 1i32)

  def of_constant (x: i32): *state = {seed = T.zero, data = replicate 4 x}
  def of_parameter (s: T.t) (x: i32): *state = {seed = s, data = replicate 4 x}
  def of_call (x: i32): *state = {seed = T.of x, data = replicate 4 x}
  def of_name (x: i32): *state = let z = T.zero in {seed = z, data = replicate 4 x}
  def of_branch (x: i32): *state = {seed = if x > 3 then T.zero else start, data = replicate 4 x}
  def sum (x: i32): *(#a T.t i32 | #b T.t) = if x > 3 then #a T.zero x else #b start

  def step (s: *state): *state = {seed = T.set 5 s.seed, data = s.data with [0] = 9}
  def all (s: state) = T.get s.seed + 1000 * s.data[0]

  def records (k: i32) =
    map all
        [ step (of_constant k)
        , step (of_parameter start k)
        , step (of_call k)
        , step (of_name k)
        , step (of_branch k)
        , step {seed = T.zero, data = replicate 4 k}
        ]

  def cases (k: i32) =
    map (\k ->
           match sum k
           case #a t _ -> T.get (T.set 6 t)
           case #b t -> T.get (T.set 7 t))
        [k, k + 2]

  def loops (k: i32) =
    let init (i: i32): *state = {seed = start, data = replicate 4 i}
    let a = loop s = init k for i < 3 do if i == 1 then {seed = start, data = replicate 4 i} else step s
    let b =
      loop (s: *state) = init k for i < 3 do
        let t = step s
        in if i == 2 then t with seed = pair.0 else t
    in [all a, all b, all (step b)]

  def pairs (k: i32) =
    let both: *((T.t, i32), (T.t, i32)) = ((start, k), (start, k))
    in [T.get (T.set k both.0.0), T.get both.1.0]

  -- What was consumed was a copy.
  def constants = [T.get T.zero, T.get start, T.get pair.0]

  def main (k: i32) = records k ++ cases k ++ loops k ++ pairs k ++ constants
}

module one = use {
  type t = i32
  def zero = 0i32
  def of (x: i32) = x
  def set (x: i32) (_: t): t = x
  def get (x: t) = x
}

module many = use {
  type t = [3]i32
  def zero = [0i32, 0, 0]
  def of (x: i32) = replicate 3 x
  def set (x: i32) (xs: *t): *t = xs with [1] = x
  def get (xs: t) = xs[1]
}

-- The two arrays of a value may be one.
module shared = use {
  type t = ([3]i32, [3]i32)
  def zero = ([0i32, 0, 0], [0i32, 0, 0])
  def of (x: i32) = let xs = replicate 3 x in (xs, xs)
  def set (x: i32) ((a, b): *t): *t = (a with [1] = x, b with [0] = 7)
  def get ((a, b): t) = a[1] + 100 * b[1]
}

-- ==
-- entry: scalars arrays
-- input { 2 }
-- output { [9005, 9005, 9005, 9005, 9005, 9005, 7, 6, 9005, 9000, 9005, 2, 0, 0, 0, 0] }
entry scalars (k: i32) = one.main k
entry arrays (k: i32) = many.main k

-- ==
-- entry: arrays_twice
-- input { 2 }
-- output { [9005, 9005, 9205, 9005, 9005, 9005, 7, 6, 9005, 9000, 9005, 2, 0, 0, 0, 0] }
entry arrays_twice (k: i32) = shared.main k

-- A state of a random number generator whose numbers are of any scalar type.
module generator (T: real) = {
  type state = {seed: T.t, data: [4]T.t}
  def zero = T.i32 0
  def init (x: i32): *state = {seed = zero, data = replicate 4 (T.i32 x)}
  def next (s: *state): *state = {seed = T.(s.seed + i32 1), data = s.data with [1] = zero}
}

module g32 = generator f32
module g64 = generator f64

-- ==
-- entry: f32s
-- input { 3 } output { 2f32 [3f32, 0f32, 3f32, 3f32] }
entry f32s (x: i32) = let s = g32.next (g32.next (g32.init x)) in (s.seed, s.data)

-- ==
-- entry: f64s
-- input { 3 } output { 2f64 [3f64, 0f64, 3f64, 3f64] }
entry f64s (x: i32) = let s = g64.next (g64.next (g64.init x)) in (s.seed, s.data)
