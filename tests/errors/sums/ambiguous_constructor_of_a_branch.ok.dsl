def f (b: bool): #yes | #no = if b then #yes else #no
