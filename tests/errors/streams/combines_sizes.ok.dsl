def main [n] (xs: [n]i32): i64 = stream_red (+) (\k (ys: [k]i32) -> length (filter (> 0) ys)) xs
