def main (x: i64) = x, 2i64
