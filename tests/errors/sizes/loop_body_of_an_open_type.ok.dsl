def f (xs: []i32) = let g (ys: []i32) = loop (zs: []i32) = ys for _i < 3i32 do tail zs in g xs
