entry main (c: bool): i32 = unless c then 1 else 2
