def eat (p: *{a: []i64, b: []i64}): i64 = p.a[0]
entry main (n: i64): i64 = let xs = iota n in eat {a = id xs, b = copy xs}
