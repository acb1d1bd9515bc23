def functions = (\x -> x + 1i32, \x -> x * 2)
