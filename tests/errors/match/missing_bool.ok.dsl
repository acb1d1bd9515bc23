def f (x: bool) = match x case true -> 0 case false -> 1
