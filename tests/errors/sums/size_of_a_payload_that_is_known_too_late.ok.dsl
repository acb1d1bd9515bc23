def f (b: bool) (xs: []i32): #some []i32 | #none = let ys = filter (> 0) xs in if b then #some ys else #none
