def f (x: i32) =
  let 't y = x
  in y
