module type sums = {
  type~ t
  val sum: (t, t) -> i64
}

module m: sums with t = ?[n].[n]i64 = {
  type~ t = []i64
  def sum [n] [k] (xs: [n]i64, ys: [k]i64) = i64.sum xs + i64.sum ys
}
