module f (M: { type t val make: i32 -> t val eat: *t -> i32 }) = {
  def main (x: i32) = M.eat (M.make x)
}
