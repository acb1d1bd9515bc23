def main (x: i64) = x to f64
