entry main [n] (xs: [n]i64) =
  loop (ys, zs) = (xs, xs) for i < 3 do
    if i > 1 then (map2 (+) ys zs, zs) else (filter (> 0) ys, zs)
