def choose b x y = if b then (1i32, x) else (1i32, y)

entry main (b: bool): i32 = (choose b 1i32 2i32).0
