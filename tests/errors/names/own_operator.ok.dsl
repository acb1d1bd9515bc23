module vector = {
  type t = (f32, f32)
  def (+) (a: t) (b: t): t = (a.0 f32.+ b.0, a.1 f32.+ b.1)
}
