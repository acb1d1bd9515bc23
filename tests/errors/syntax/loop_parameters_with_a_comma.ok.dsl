def main (n: i64) = loop (x, y) = (0, 1) for i < n do (y, x + y)
