module f (M: { type t val start: t val update: *t -> t }) = {
  def state = {value = M.start, count = 0i32}
  def next = M.update state.value
}
