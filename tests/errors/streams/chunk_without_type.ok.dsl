def main [n] (xs: [n]i32): [n]i32 = stream_map (\k (ys: [k]i32) -> map (+ 1) ys) xs
