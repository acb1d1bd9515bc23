entry main (n: i32): i32 =
  loop m = n while m > 1 do m / 2
