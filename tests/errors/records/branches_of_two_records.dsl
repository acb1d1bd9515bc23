def f (b: bool) = if b then {x = 1} else {x = 1, y = 2}
