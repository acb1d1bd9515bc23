def table = [1, 2, 3]

entry main (x: i32): []i32 = table with [0] = x
