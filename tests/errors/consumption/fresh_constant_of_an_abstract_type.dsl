module f (M: { type t val start: t }) = {
  def main (k: i32): *M.t = M.start
}
