module using (S: {type~ t val make: i64 -> t}) = {
  def use (f: S.t -> i64) = f (S.make 2) + f (S.make 3)
}

module m = using {
  type~ t = []i64
  def make (n: i64): t = iota n
}

entry main = m.use (\(xs: [3]i64) -> xs[0])
