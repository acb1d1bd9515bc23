def pair 'a (x: a) (y: a): [2]a = [x, y]

entry main (x: i32): [2]i32 = pair x x
