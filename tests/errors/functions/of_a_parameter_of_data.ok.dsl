entry main (x: i32): i32 =
  let apply '^a (y: a): a = y
  in apply (+ 1) x
