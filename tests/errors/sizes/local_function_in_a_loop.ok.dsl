entry main [n] [m] (a: [n]f32) (b: [m]f32) (c: bool) =
  loop w = a for i < 3i64 do
    let g (j: i64): [n]f32 = if c && j > 0 then a else w
    in g i
