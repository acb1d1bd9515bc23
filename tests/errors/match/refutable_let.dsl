def f (x: #some i32 | #none) = let #some y = x in y
