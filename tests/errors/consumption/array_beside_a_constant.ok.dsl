module f (M: { type t val start: t val numbers: t -> [2]i32 }) = {
  def both (n: i64): (M.t, [2]i32) = (M.start, copy (M.numbers M.start))

  def main (n: i64) =
    let (_, xs) = both n
    in xs with [0] = 7
}
