def f (b: bool): #a i32 | #b = if b then #a 1 else #a 2
