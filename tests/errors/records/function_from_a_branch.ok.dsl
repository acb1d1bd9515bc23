def f (b: bool) = {f = \x -> if b then x + 1i32 else x}.f 1
