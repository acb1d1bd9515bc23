module f (R: real) = {
  def fill (n: i64) (x: R.t): [n]R.t = replicate n x

  def main (n: i64) =
    let x = R.i32 2
    let xs = fill n x
    let ys = xs with [0] = R.i32 3
    in (R.i32 2, ys)
}
