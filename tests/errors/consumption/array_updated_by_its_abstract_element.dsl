module f (T: { type t val twice: t -> t }) = {
  def main [n] (xs: *[n]T.t) = loop xs for i < n do xs with [i] = T.twice xs[i]
}
