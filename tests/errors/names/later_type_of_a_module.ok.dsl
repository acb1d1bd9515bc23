module m = {
  type t = i32
  def f (x: t): t = x
}
