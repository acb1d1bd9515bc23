def f = "abc"[1]
