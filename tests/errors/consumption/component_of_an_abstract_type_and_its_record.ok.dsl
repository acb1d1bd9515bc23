module f (M: { type t val start: t val update: *t -> *t val same: t -> t -> bool }) = {
  type state = {value: M.t, count: i32}
  def update (s: *state): *state = {value = M.update s.value, count = s.count + 1}
  def next (k: i32) =
    let s = {value = M.start, count = k}
    let other = {value = M.start, count = k}
    let new = update s
    in M.same new.value other.value
}
