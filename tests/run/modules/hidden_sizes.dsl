-- Size-lifted types of module types, matched with types that hide array sizes. If the definition of such a type
-- is known, each use of it has its own sizes.
module type source = {
  type~ t
  val make: i64 -> t
  val sum: t -> i64
}

module arrays = {
  type~ t = []i64
  def make (n: i64): t = iota n
  def sum (xs: t) = i64.sum xs
}

-- The parameters and results of a parametric module are known where it is applied.
module applied (S: source) = {
  type~ named = {values: S.t, number: i32}
  type~ two = (S.t, S.t)
  def same (x: S.t): S.t = x
  def sum (x: S.t): i64 = S.sum (same x)
  def made (n: i64): S.t = S.make n
  def of_function (f: i64 -> S.t): i64 = S.sum (f 4)
  def by_function (f: S.t -> i64) (x: S.t): i64 = S.sum x + f x
  def name (values: S.t): named = {values, number = 1}
  def both (n: i64): two = (S.make n, S.make (n + 1))
}

module a = applied arrays

-- ==
-- entry: parametric
-- input { 4i64 } output { 6i64 [0i64, 1i64, 2i64, 3i64] 10i64 6i64 6i64 10i64 [0i64, 1i64, 2i64, 3i64] 1 }
entry parametric (n: i64) =
  let xs = a.same (iota n)
  let {values, number} = a.name xs
  in ( a.sum xs, xs, i64.sum (a.made (n + 1)), a.of_function iota, a.of_function (\k -> a.made k)
     , a.by_function length xs, values, number)

-- ==
-- entry: two_of_a_type
-- input { 2i64 } output { [0i64, 1i64] [0i64, 1i64, 2i64] }
entry two_of_a_type (n: i64) = a.both n

-- Also if the application is inside another module.
module around (S: source) = {
  module inner = applied S
  def sum (n: i64) = inner.sum (inner.made n)
  def made (n: i64): S.t = inner.made n
}

module b = around arrays

-- ==
-- entry: two_deep
-- input { 4i64 } output { 6i64 [0i64, 1i64, 2i64, 3i64] }
entry two_deep (n: i64) = (b.sum n, b.inner.same (b.made n))

-- A module that is ascribed.
module pairs: {
  type~ t
  val make: i64 -> (t, t)
  val sum: {a: t, b: t} -> i64
  val of_function: (i64 -> t) -> i64
  val none: t
} = {
  type~ t = []i64
  def make (n: i64): (t, t) = (iota n, iota (n + 1))
  def sum (x: {a: t, b: t}) = i64.sum x.a + i64.sum x.b
  def of_function (f: i64 -> t) = length (f 4)
  def none: t = []
}

-- ==
-- entry: ascribed
-- input { 4i64 } output { 16i64 16i64 5i64 0i64 }
entry ascribed (n: i64) =
  let (a, b) = pairs.make n
  in ( pairs.sum {a, b}, pairs.sum {a = b, b = a}, pairs.of_function (\k -> (pairs.make k).1)
     , pairs.of_function (\_ -> pairs.none))

-- A constant of such a type may be the initial value of a loop.
module stack: {
  type~ t
  val empty: t
  val push: i32 -> t -> t
  val values: t -> []i32
} = {
  type~ t = []i32
  def empty: t = []
  def push (x: i32) (s: t): t = [x] ++ s
  def values (s: t): []i32 = s
}

-- ==
-- entry: pushed
-- input { 3 } output { [2, 1, 0] }
-- input { 0 } output { empty([0]i32) }
entry pushed (n: i32) = copy (stack.values (loop s = stack.empty for i < n do stack.push i s))

-- Refined types that name their sizes.
module refined: source with t = ?[n].[n]i64 = arrays

module type two_types = {
  type~ t
  type~ u
  val make: i64 -> (t, u)
}

module twice: two_types with t = ?[n].[n]i64 with u = ?[n].([n]i64, [n]i64) = {
  type~ t = []i64
  type~ u = ?[n].([n]i64, [n]i64)
  def make (n: i64): (t, u) = (iota n, (iota (n + 1), iota (n + 1)))
}

-- ==
-- entry: with_named_sizes
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] 6i64 [0i64, 1i64, 2i64, 3i64] 20i64 }
entry with_named_sizes (n: i64) =
  let (t, (xs, ys)) = twice.make n
  in (refined.make n, refined.sum (iota n), t, i64.sum (map2 (+) xs ys))
