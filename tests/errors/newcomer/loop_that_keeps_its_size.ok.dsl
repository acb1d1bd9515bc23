entry main [n] (xs: [n]i32) (ys: []i32): [n]i32 =
  loop (zs: [n]i32) = ys for i < 3 do if i > 1 then xs else map (+ 1) zs
