def main (ys: []i32) =
  loop (k, xs: [k]i32) = (length ys, ys) while k > 3 do
    let zs = filter (> 2) xs
    let others = filter (> 3) xs
    in (length others, others)
