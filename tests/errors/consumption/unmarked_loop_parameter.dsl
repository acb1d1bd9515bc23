def main (n: i64) = loop (xs: [n]i32) = replicate n 0 for i < n do xs with [i] = 1
