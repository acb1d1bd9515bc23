def f: bool = true
