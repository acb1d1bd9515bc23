def one = 1
