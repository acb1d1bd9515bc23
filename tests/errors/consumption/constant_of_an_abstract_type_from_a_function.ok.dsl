module f (M: { type t val start: t val update: *t -> t }) = {
  def first (k: i32) = (M.start, k)
  def next (k: i32) = M.update (copy (first k).0)
}
