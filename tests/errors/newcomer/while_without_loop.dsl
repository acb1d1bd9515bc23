entry main (n: i32): i32 =
  while n > 1 do n / 2
