module f (M: { type t val make: i32 -> t val set: *t -> t }) = {
  def main (x: i32) =
    let y = M.make x
    let z = loop z = y for _i < 3 do M.set z
    in z
}
