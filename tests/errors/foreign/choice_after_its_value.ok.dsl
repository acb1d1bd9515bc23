entry main (c: bool): i32 = if c then 1 else 2
