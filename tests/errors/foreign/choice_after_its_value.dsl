entry main (c: bool): i32 = 1 if c else 2
