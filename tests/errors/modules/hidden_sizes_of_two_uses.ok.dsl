module both (S: {type~ t val make: i64 -> t}) = {
  def two (n: i64): (S.t, S.t) = (S.make n, S.make (n + 1))
}

module m = both {
  type~ t = []i64
  def make (n: i64): t = iota n
}

entry main (n: i64) = let (xs, _) = m.two n in map2 (+) xs xs
