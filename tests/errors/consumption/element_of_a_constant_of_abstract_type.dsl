module f (M: { type t val make: i64 -> t val update: *t -> t }) = {
  def table = map M.make (iota 3)
  def main (i: i64) = let element = table[i] in M.update element
}
