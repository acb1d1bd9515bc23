-- A value of a module type may be the size in the type of another.
-- ==
-- input { }
-- output { [0i64, 1i64, 2i64] 3i64 }

module type table = {
  val n: i64
  val a: [n]i64
  val sum: [n]i64 -> i64
}

module three: table = {
  def n: i64 = 3
  def a: [n]i64 = iota n
  def sum (xs: [n]i64): i64 = reduce (+) 0 xs
}

entry main: ([three.n]i64, i64) = (three.a, three.sum three.a)
