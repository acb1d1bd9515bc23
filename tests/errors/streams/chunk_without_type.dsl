def main [n] (xs: [n]i32): [n]i32 = stream_map (\_ ys -> map (+ 1) ys) xs
