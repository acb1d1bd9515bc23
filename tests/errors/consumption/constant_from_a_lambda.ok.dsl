def table: [2]i32 = [1, 2]
def f (n: i64) = map (\_ -> copy table) (iota n)
