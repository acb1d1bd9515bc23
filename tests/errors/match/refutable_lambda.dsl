def f (xs: [](#a i32 | #b)) = map (\(#a x) -> x) xs
