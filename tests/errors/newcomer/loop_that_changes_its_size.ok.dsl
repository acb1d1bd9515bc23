entry main [n] (xs: [n]i32): i64 =
  length (loop (ys: []i32) = xs for i < 3 do filter (> i) ys)
