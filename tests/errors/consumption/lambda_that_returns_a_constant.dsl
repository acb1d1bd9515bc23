def table: [2]i32 = [1, 2]
def f (_: i64) = \(_: i64) -> table
