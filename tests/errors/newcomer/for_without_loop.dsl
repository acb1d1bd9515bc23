entry main (n: i32): i32 =
  for i < n do i
