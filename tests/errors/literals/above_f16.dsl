def f: f16 = 70000
