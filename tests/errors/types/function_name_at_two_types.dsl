entry main (xs: []i32) =
  let r = {f = reverse, size = length}
  in (r.f xs, r.size xs, r.size [true, false])
