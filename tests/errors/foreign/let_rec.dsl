entry main (x: i32): i32 =
  let rec f (x: i32) = if x < 1 then x else f (x / 2)
  in f x
