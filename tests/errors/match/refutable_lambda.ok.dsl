def f (xs: [](#a i32)) = map (\(#a x) -> x) xs
