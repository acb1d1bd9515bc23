def f (x: #some i32) = let #some y = x in y
