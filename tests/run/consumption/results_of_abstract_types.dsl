-- The result of a function of a module may be consumed. If it may share memory with itself, a copy of it is consumed.

module type updatable = {
  type t
  val make: i32 -> t
  val update: *t -> *t
  val first: t -> i32
}

module results (T: updatable) = {
  def direct (x: i32) = T.first (T.update (T.make x))
  def named (x: i32) =
    let y = T.make x
    let a = T.first y
    let z = T.update y
    in a + T.first z
  def looped (x: i32) = T.first (loop y = T.make x for _i < 3 do T.update y)
  def fresh (x: i32): *T.t = T.make x
  def of_fresh (x: i32) = T.first (T.update (fresh x))
  def next (x: i32) = T.make (x + 1)
  def of_next (x: i32) = T.first (T.update (next x))
  def of_lambda (x: i32) = let f = \y -> T.make (y + x) in T.first (T.update (f x))
  def of_branch (x: i32) = T.first (T.update (if x > 0 then T.make x else T.make 3))

  def all (x: i32) = [direct x, named x, looped x, of_fresh x, of_next x, of_lambda x, of_branch x]
}

module of_scalars = results {
  type t = i32
  def make (x: i32) = x
  def update (x: t) = x + 1
  def first (x: t) = x
}

module of_arrays = results {
  type t = [2]i32
  def make (x: i32): t = [x, x]
  def update (x: *t) = x with [0] = x[0] + 1
  def first (x: t) = x[0]
}

-- The two arrays of a value are one. Consumption of the value itself would overwrite the first with 100.
module of_pairs = results {
  type t = ([2]i32, [2]i32)
  def make (x: i32): t = let y = [x, x] in (y, y)
  def update ((x, y): *t) = (x with [0] = x[0] + 1, y with [0] = 100)
  def first ((x, _): t) = x[0]
}

-- ==
-- entry: scalars arrays pairs
-- input { 5 } output { [6, 11, 8, 6, 7, 11, 6] }
entry scalars (x: i32) = of_scalars.all x
entry arrays (x: i32) = of_arrays.all x
entry pairs (x: i32) = of_pairs.all x

module sealed: updatable = {
  type t = [2]i32
  def make (x: i32): t = replicate 2 x
  def update (x: *t) = x with [0] = x[0] + 1
  def first (x: t) = x[0]
}

-- ==
-- entry: outside
-- input { 5 } output { 6 }
entry outside (x: i32) = sealed.first (sealed.update (sealed.make x))

module sized (
  T: {
    type t [n]
    val make: (n: i64) -> ?[m].t [m]
    val update [n]: *t [n] -> *t [n]
    val first [n]: t [n] -> i64
    val same [n]: t [n] -> t [n]
  }) = {
  def direct (n: i64) = T.first (T.update (T.make n))
  def size (n: i64) = let [m] (x: T.t [m]) = T.update (T.make n) in T.first (T.same x) + m
  def first (n: i64) = T.first (loop x = T.same (T.make n) for _i < 3 do T.update x)
  def next (n: i64) = T.first (loop x = T.make n for _i < 3 do T.same (T.update x))
}

module of_filters = sized {
  type t [n] = [n]i64
  def make (n: i64): ?[m].t [m] = filter (> 2) (iota n)
  def update [n] (x: *t [n]) = x with [0] = x[0] + 1
  def first [n] (x: t [n]) = x[0]
  def same [n] (x: t [n]): t [n] = x
}

-- ==
-- entry: sizes
-- input { 5i64 } output { [4i64, 6i64, 6i64, 6i64] }
entry sizes (n: i64) = of_filters.([direct n, size n, first n, next n])
