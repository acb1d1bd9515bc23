module m = {
  def f (x: t): t = x
  type t = i32
}
