module f (T: integral) = {
  def one: T.t = T.i32 1
  def table: []T.t = [one, one]
  def beside [n] (xs: *[n]T.t): (T.t, []T.t, *[n]T.t) = (one, copy table, xs)
}
