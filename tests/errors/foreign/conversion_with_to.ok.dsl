def main (x: i64) = f64.i64 x
