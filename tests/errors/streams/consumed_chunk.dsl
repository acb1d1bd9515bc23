def main [n] (xs: [n]i32): [n]i32 = stream_map (\k (ys: [k]i32) -> ys with [0] = 1) xs
