def main (x: i64) = let (a, b) = (x, 2i64) in a + b
