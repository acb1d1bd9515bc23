module type updatable = { type t val same: t -> t val eat: *t -> i32 val get: t -> i32 }

module f (M: updatable) = {
  def main (x: *M.t) =
    let y = M.same x
    let a = M.eat y
    in a + M.get x
}
