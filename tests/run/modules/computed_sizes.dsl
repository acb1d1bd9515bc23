-- Module types whose values have computed sizes, also by functions of the module.
-- ==
-- entry: two_parameters
-- input { 3 } output { [7, 7, 7] }
-- entry: dependent
-- input { 1i64 } output { [2, 2, 2, 2, 2, 2] }
-- entry: nested
-- input { 2i64 1i64 2i64 } output { [2, 2] [9, 9, 9] }
-- input { 0i64 1i64 0i64 } output { empty([0]i32) [9] }
-- entry: more_general
-- input { [4, 5] } output { [2, 2] [7, 7, 7] }
-- entry: of_a_constant
-- input { 5 } output { [5, 5, 5] }

module type sized = { val f: (n: i32) -> [i64.i32 n]i32 }

module both (P: sized) (Q: sized) = {
  def sum n = map2 (+) (P.f n) (Q.f n)
  module type more = { include sized val g: (n: i32) -> [i64.i32 n]i32 }
  module with_another (R: more) = { def sum n = map2 (+) (R.f n) (map2 (*) (R.g n) (P.f n)) }
}

module ones = { def f (n: i32) = replicate (i64.i32 n) 1i32 }
module twos = { def f (n: i32): [i64.i32 n]i32 = replicate (i64.i32 n) 2i32 def g = f }
module ones_and_twos = both ones twos
module three = ones_and_twos.with_another twos

entry two_parameters (n: i32): []i32 = map2 (+) (ones_and_twos.sum n) (three.sum n)

module type rule = { val k: i64 val size: i64 -> i64 }
module type maker = (P: rule) -> { val f: (n: i64) -> [P.size (n + P.k)]i32 }
module ones_by_rule: maker = \(Q: rule) -> {
  def f (n: i64): [Q.size (n + Q.k)]i32 = replicate (Q.size (n + Q.k)) 1
}
module double = { def k = 2i64 def size x = x * 2i64 }
module doubled = ones_by_rule double
module of_any_maker (F: maker) = { module doubled = F double def f n = doubled.f n }
module again = of_any_maker ones_by_rule

entry dependent (n: i64): [double.size (n + double.k)]i32 = map2 (+) (doubled.f n) (again.f n)

module type outer = {
  type t
  val size: t -> i64
  val f: (x: t) -> [size x]i32
  module inner: { val size: i64 -> i64 val f: (n: i64) -> [size n]i32 }
  val g: (n: i64) -> [inner.size n]i32
}

module hidden: outer with t = (i64, i64) = {
  type t = (i64, i64)
  def size ((a, b): t) = a * b
  def f (x: t) = replicate (size x) 1i32
  module inner = { def size (n: i64) = n + 1 def f n = replicate (size n) 3i32 }
  def g n = inner.f n
}

module pairs (P: outer) = {
  def f (x: P.t) (n: i64) = (map2 (+) (P.f x) (P.f x), map2 (*) (P.inner.f n) (P.g n))
}

module hidden_pairs = pairs hidden

entry nested (a: i64) (b: i64) (n: i64): ([]i32, []i32) = hidden_pairs.f (a, b) n

-- A value may be more general than its specification, with its parameters in another order.
module type specific = {
  val len [n]: [n]i32 -> i64
  val g: i64 -> i64
  val h [n]: (xs: [n]i32) -> [len xs]i32
  type t = [g 3]i32
  val make: () -> [g 3]i32
}

module general: specific = {
  def len [k] 'a (xs: [k]a) = k
  def g 'a (_: a): i64 = 3
  def h [n] 't (xs: [n]t): [len xs]i32 = replicate (len xs) 2
  type t = [g 3i64]i32
  def make () = replicate (g 3i64) 7i32
}

entry more_general (xs: []i32): ([]i32, []i32) = (general.h xs, copy (general.make ()))

module type constant = { val n: i64 type t = [n]i32 val make: i32 -> t }
module constant: constant = { def n = 3i64 type t = [n]i32 def make (x: i32): t = replicate n x }

entry of_a_constant (x: i32): []i32 = constant.make x
