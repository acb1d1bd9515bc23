entry main [n] [m] (a: [n]i32) (b: [m]i32) (c: bool) =
  loop w = a for i < 3i64 do tabulate 2 (\j -> if c && j > i then w else a) |> head
