def f (b: bool) = if b then #yes else #no
