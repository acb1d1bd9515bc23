def main (x: i64) = if x > 1 then (x, 2i64) else (2i64, x)
