def f (_: i32) = 1
