def fact (k: i32): i32 = if k == 0 then 1 else k * fact (k - 1)

entry main (n: i32): i32 = fact n
