def twice [n] (xs: [n]i32): [n]i32 = stream_map (\k (ys: [k]i32) -> map (2 *) ys) xs
