module f (M: { type t val start: t val update: *t -> *t }) = {
  def next (k: i32) =
    let s = (M.start, k)
    in loop x = s.0 for _i < 3 do M.update x
}
