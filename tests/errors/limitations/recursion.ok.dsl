def nested (p: (i64 -> i64, i64)): i64 = if p.1 == 0 then p.0 1 else nested (p.0, p.1 - 1)
entry main (n: i64): i64 = nested ((+ n), n)
