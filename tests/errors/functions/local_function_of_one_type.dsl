entry main (x: i32) (b: bool): (i32, bool) =
  let id y = y
  in (id x, id b)
