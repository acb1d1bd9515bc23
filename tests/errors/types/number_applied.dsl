def one = 1

one + 2
