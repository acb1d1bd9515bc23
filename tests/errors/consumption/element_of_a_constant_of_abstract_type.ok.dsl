module f (M: { type t val make: i64 -> t val update: *t -> t }) = {
  def table = map M.make (iota 3)
  def same (i: i64) = let element = table[i] in element
  def main (i: i64) = M.update (copy (same i))
}
