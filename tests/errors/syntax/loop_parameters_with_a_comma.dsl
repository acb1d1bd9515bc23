def main (n: i64) = loop x = 0, y = 1 for i < n do (y, x + y)
