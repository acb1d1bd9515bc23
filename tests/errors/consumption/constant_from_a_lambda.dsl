def table: [2]i32 = [1, 2]
def f (n: i64) = (\(_: i64) -> table) n with [0] = 3
