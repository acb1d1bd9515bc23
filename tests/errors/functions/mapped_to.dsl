def f (xs: []i32) = map (\x -> (+ x)) xs
