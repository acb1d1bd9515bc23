def some (x: bool) = #some x
