def f: f16 = 60000
