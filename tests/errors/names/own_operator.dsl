module vector = {
  type t = (f32, f32)
  def (+) (a: t) (b: t): t = (a.0 + b.0, a.1 + b.1)
}
