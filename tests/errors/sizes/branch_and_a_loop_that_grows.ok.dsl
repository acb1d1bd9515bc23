entry main [n] (a: [n]i32) (c: bool) =
  loop w = a for i < 3i64 do
    let v = head (map (\j -> if c && j > i then w else a) (iota 2))
    in map2 (+) v v
