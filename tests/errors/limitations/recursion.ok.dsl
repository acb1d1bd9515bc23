def nested 'a (x: a) (n: i64): i64 = if n == 0 then 0 else 1 + nested x (n - 1)
entry main (n: i64): i64 = nested n n
