module m = {
  def f (t: f32) (h: i64): f32 = f (t, h)
}
