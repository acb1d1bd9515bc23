def f (b: bool) = (if b then {f = \x -> x + 1i32} else {f = \x -> x}).f 1
