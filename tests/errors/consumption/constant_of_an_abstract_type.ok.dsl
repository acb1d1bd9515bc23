module f (M: { type t val start: t val update: *t -> t }) = {
  def main (k: i32) = M.update (copy M.start)
}
