def main [n] (xs: [n]i64): [n]i64 = stream_map (\(k: i64) (ys: [k]i64) -> map (+ k) ys) xs
