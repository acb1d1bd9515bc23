entry main [n] [m] (a: [n]i32) (b: [m]i32) (c: bool): ([n]i32, [m]i32) =
  loop (w, v) = (a, b) for i < 3 do if c then (w, v) else (a, b)
