-- A value may be more general than its module type says.
-- ==
-- input { 4 [1, 2] }
-- output { 4 [1, 2] 2i64 [2, 1] true 1 }

module m: {
  val same: i32 -> i32
  val same_array [n]: [n]i32 -> [n]i32
  val count [n]: [n]i32 -> i64
  val backwards [n]: [n]i32 -> []i32
  val pair 'a 'b: b -> a -> (b, a)
} = {
  def same 'a (x: a): a = x
  def same_array = same
  def count [n] 'a (_: [n]a): i64 = n
  def backwards [n] (xs: [n]i32): [n]i32 = reverse xs
  def pair 'a 'b (x: a) (y: b): (a, b) = (x, y)
}

entry main (x: i32) (xs: []i32): (i32, []i32, i64, []i32, bool, i32) =
  let (b, one) = m.pair true 1
  in (m.same x, m.same_array xs, m.count xs, m.backwards xs, b, one)
