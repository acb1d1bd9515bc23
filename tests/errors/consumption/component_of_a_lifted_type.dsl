module f (M: { type~ t val start: t }) = {
  def first (k: i64): *{value: M.t, counts: [3]i64} = {value = M.start, counts = replicate 3 k}
}
