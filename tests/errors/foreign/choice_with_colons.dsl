entry main (c: bool): i32 = if c: 1 else: 2
