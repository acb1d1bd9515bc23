module type users = {
  type~ t
  val use: (i64 -> t) -> i64
}

module m: users with t = []i64 = {
  type~ t = []i64
  def use (f: i64 -> []i64) = i64.sum (f 1) + i64.sum (f 2)
}
