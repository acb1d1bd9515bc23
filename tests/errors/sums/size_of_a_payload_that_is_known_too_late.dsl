def f (b: bool) (xs: []i32): #some []i32 | #none = if b then #some (filter (> 0) xs) else #none
