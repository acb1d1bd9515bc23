def main [n] (xs: [n]i32): [n]i32 = stream_map (\(k: i32) (ys: []i32) -> map (+ k) ys) xs
