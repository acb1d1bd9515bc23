def f (x: i32) =
  let same 't (y: t) = y
  in same x
