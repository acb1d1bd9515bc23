-- The numbers with the first set to zero, and what became smaller by it.
entry main [n] (xs: *[n]i32): (i32, i32) =
  let cleared = xs with [0] = 0
  let before = reduce (+) 0 xs
  let after = reduce (+) 0 cleared
  in (after, before - after)
