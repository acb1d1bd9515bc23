module type users = {
  type~ t
  val use: (i64 -> t) -> i64
}

module m: users with t = []i64 = {
  type~ t = []i64
  def use [n] (f: i64 -> [n]i64) = i64.sum (map2 (+) (f 1) (f 2))
}
