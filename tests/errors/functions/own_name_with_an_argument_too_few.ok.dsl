module m = {
  def f (t: f32) (h: i64): f32 = if h < 1 then t else f t (h - 1)
}
