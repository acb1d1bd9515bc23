def f: bool = 'a'
