def pair 't (x: t) (k: i64): *{value: t, counts: [3]i64} = {value = copy x, counts = replicate 3 k}
