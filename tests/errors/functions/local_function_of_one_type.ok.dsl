entry main (x: i32) (b: bool): (i32, bool) =
  let id 'a (y: a) = y
  in (id x, id b)
