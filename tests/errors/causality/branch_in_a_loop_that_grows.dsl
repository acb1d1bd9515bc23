entry main (n: i64) (c: bool): []i32 =
  loop w = [1] for i < n do head (map (\j -> if c && j > 0i64 then w else w ++ w) (iota 2))
