def main [n] (xs: [n]i32): [n]i32 = stream_map (map (+ 1)) xs
