def main [n] (xs: [n]i32): i32 = stream_red (+) (\k (ys: [k]i32) -> reduce (+) 0 ys) xs
