def f = 1e400
