entry main [n] (a: [n]i32) (c: bool): [n]i32 =
  loop w = a for i < 3 do if c then w else map (+ i) a
