def f (xs: []i32) =
  let r = {a = xs, b = 2i32}
  let r.a[0] = 1
  in r.a
