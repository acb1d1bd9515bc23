def on_an_iota (f: (k: i64) -> [k]i64 -> i64) (n: i64): i64 = f n (iota n)
entry main (n: i64): i64 = on_an_iota (\k xs -> i64.sum (map2 (+) xs (iota k))) n
