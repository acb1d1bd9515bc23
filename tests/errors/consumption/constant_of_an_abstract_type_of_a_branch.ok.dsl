module f (M: { type t val start: t val update: *t -> t }) = {
  def next (c: bool) (x: *M.t) = M.update (if c then x else copy M.start)
}
